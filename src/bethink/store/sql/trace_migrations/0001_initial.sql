-- Traces, in a file or schema of their own: their retention differs, and a trace in the truth would make every recall wait for the writers.

create table meta (
    name text not null primary key,
    value text not null
) /*clustered*/;

-- One recall. `body` is the canonical JSON of what its user may see; `operator` the compressed JSON of what only an operator may:
-- arms, pool, cuts, timings. It goes first, on a schedule. An erased trace keeps its body's ids, hash and counts, and no words.
create table trace (
    tenant text not null,
    id text not null,
    user_id text not null,
    agent_id text not null,
    session_id text,
    created_at bigint not null,
    operator_expire_at bigint,
    erased bigint not null,
    body text not null,
    operator bytea,
    primary key (tenant, id)
) /*in months*/;
create index trace_of_session on trace (tenant, user_id, session_id, created_at, id);
create index trace_expiring on trace (tenant, operator_expire_at) where operator is not null;

-- Which records and turns a trace names: the first 8 bytes of the SHA-256 of each id, packed. One row a trace, for a recall names
-- hundreds and must write fast; an erase is rare and reads them all.
create table trace_ref (
    tenant text not null,
    trace_id text not null,
    hashes bytea not null,
    primary key (tenant, trace_id)
) /*clustered*/;
