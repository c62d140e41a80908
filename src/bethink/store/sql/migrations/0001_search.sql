-- Derived state: the posting table, names by trigram, vector segments. `bethink repair` rebuilds all of it.

-- One row per (scope, term, entry), clustered so that a search reads just the lists of the readable scopes.
-- `packed` holds the term's counts by field and the entry's length; see store/postings.py for the layout.
create table posting (
    tenant text not null,
    scope text not null,
    term text not null,
    key bigint not null,
    packed bigint not null,
    primary key (tenant, scope, term, key) /*holding packed*/
) /*clustered*/;

-- Trigrams of names: aliases, subjects and speakers, folded.
create table name_gram (
    tenant text not null,
    scope text not null,
    gram text not null,
    name text not null,
    primary key (tenant, scope, gram, name)
) /*clustered*/;

-- Which entries bear a name.
create table name_entry (
    tenant text not null,
    scope text not null,
    name text not null,
    key bigint not null,
    primary key (tenant, scope, name, key)
) /*clustered*/;

-- How the vectors of one scope and space stand, so that a reader knows in one look whether its copy is current: `rows` counts
-- them, `shape` grows whenever more happened than rows being added.
create table vector_state (
    tenant text not null,
    space text not null,
    scope text not null,
    shape bigint not null,
    rows bigint not null,
    primary key (tenant, space, scope)
) /*clustered*/;

-- Sealed runs of 8,192 vectors of one scope: keys, sign bits and int8 rows, each a blob. A vector in no segment is loose.
-- `shape` is the state's when the segment was sealed. See store/segments.py for the layout. Not clustered: to compare two keys of
-- a clustered table SQLite reads their whole rows, 4 MB each here.
create table vector_segment (
    tenant text not null,
    space text not null,
    scope text not null,
    first_key bigint not null,
    last_key bigint not null,
    shape bigint not null,
    rows bigint not null,
    keys bytea not null,
    bits bytea not null,
    bytes bytea not null,
    primary key (tenant, space, scope, first_key)
);
