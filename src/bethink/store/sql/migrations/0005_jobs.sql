-- Work in the open: who works on a job and until when, jobs by when they are due, how far each session was read for beliefs,
-- and records by when they ask to be looked at again.
-- `state` of a job is waiting, running or dead. `due_at` is when a worker may claim it: a waiting one from `run_at` on, a running one
-- when its claim has run out, a dead one never (2^60). What the store itself does has none.
alter table job add column
    claim text;
alter table job add column due_at bigint;
create index job_due on job (tenant, due_at, id) where due_at is not null;

-- How far a session was read: turns from `next_seq` on wait. A reader holds `claim` until `claimed_until` and reads up to
-- `upto`. `outcome` is that of the last reading, empty before the first; `problem` is the code of an error, never memory text.
create table extraction (
    tenant text not null,
    scope text not null,
    session_id text not null,
    next_seq bigint not null,
    upto bigint not null,
    claim text,
    claimed_until bigint,
    outcome text not null,
    problem text,
    runs bigint not null,
    summary_id text,
    updated_at bigint not null,
    primary key (tenant, scope, session_id)
) /*clustered*/;

create index version_by_review on version (tenant, review_at, key) where review_at is not null;
