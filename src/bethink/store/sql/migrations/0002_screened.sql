-- What the screen said of a text when it was stored: the id of the rules under which it is clean, 0 when one applied or none was
-- asked. A recall screens what other rules, or none, have seen.
alter table turn add column screened bigint not null default 0;
alter table version add column screened bigint not null default 0;
