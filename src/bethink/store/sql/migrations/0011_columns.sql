-- Sealed runs of a scope's columns: what was written of it behind `previous`, up to `position`, as one blob of which the tables give
-- every byte. The segments of a scope follow one another from the beginning; what is newer is read from the tables. See
-- store/column_segments.py. Not clustered, for the reason given at vector_segment.
create table column_segment (
    tenant text not null,
    scope text not null,
    position bigint not null,
    previous bigint not null,
    rows bigint not null,
    body bytea not null,
    primary key (tenant, scope, position)
);
