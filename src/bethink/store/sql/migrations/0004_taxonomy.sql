-- A tenant's own tree of topics. `path` is the words from the root down, joined by dots. It is the host's vocabulary and holds no
-- text of a memory.
create table taxonomy_node (
    tenant text not null,
    path text not null,
    name text not null,
    created_at bigint not null,
    primary key (tenant, path)
) /*clustered*/;

-- What is filed under a node: records and turns, by id. `filed_by` is caller, or successor where what a record replaced was filed
-- there.
create table taxonomy_filing (
    tenant text not null,
    record_id text not null,
    path text not null,
    filed_by text not null,
    filed_at bigint not null,
    primary key (tenant, record_id, path)
) /*clustered*/;
create index taxonomy_filing_of_path on taxonomy_filing (tenant, path, record_id);
