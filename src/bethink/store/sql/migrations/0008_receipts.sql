-- What a session left in memory, by the session it was learned in.
create index entry_of_session on entry (tenant, session_id, key) where session_id is not null and type <> 'turn';

-- What was forgotten and erased, in order. `body` is what was done, in ids, kinds, counts and times, never in words, as canonical
-- JSON; `digest` is the SHA-256 of `previous`, a line break and `body`; `previous` is the digest of the receipt before, '' for the
-- first one.
create table receipt (
    tenant text not null,
    number bigint not null,
    at bigint not null,
    previous text not null,
    digest text not null,
    body text not null,
    primary key (tenant, number)
) /*clustered*/;
