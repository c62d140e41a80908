-- The blob is packed already.
alter table column_segment alter column body set storage external;
