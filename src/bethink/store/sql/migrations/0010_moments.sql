-- What the prompt of a session keeps of memory, frozen line by line, so that an erase can take a line away. `reader` is a digest of all
-- that decides what its caller may read; `position` is the head of the store when it was taken; `epoch` counts how often it was.
create table session_snapshot (
    tenant text not null,
    scope text not null,
    session_id text not null,
    reader text not null,
    epoch bigint not null,
    position bigint not null,
    trace_id text not null,
    sha256 text not null,
    opening text not null,
    taken_at bigint not null,
    primary key (tenant, scope, session_id, reader)
) /*clustered*/;

create table snapshot_line (
    tenant text not null,
    scope text not null,
    session_id text not null,
    reader text not null,
    place bigint not null,
    record_id text not null,
    short_id text not null,
    line text not null,
    primary key (tenant, scope, session_id, reader, place)
) /*clustered*/;
create index snapshot_line_of_record on snapshot_line (tenant, record_id);
