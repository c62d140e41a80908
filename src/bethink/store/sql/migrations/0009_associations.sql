-- What agents declare to be connected: terms with their names, and relations between two terms of one owner. Nothing of recall
-- reads them.

-- A term. `channel` and `sensitivity` fence it as they fence an entry.
create table term (
    tenant text not null,
    id text not null,
    scope text not null,
    channel text,
    sensitivity bigint not null,
    name text not null,
    declared_at bigint not null,
    primary key (tenant, id)
) /*clustered*/;
create index term_of_scope on term (tenant, scope, id);

-- The folded names of a term, its own and its aliases. One names one term of its owner in its channel, '' for none.
create table term_name (
    tenant text not null,
    scope text not null,
    channel_key text not null,
    name_key text not null,
    term_id text not null,
    name text not null,
    primary key (tenant, scope, channel_key, name_key)
) /*clustered*/;
create index term_name_of_term on term_name (tenant, term_id);

-- A relation, as `creator` asserted it. `source_id` is the record or turn that it rests on, `evidence` that one's exact words: both
-- go when that is erased, with the relation.
create table relation (
    tenant text not null,
    id text not null,
    scope text not null,
    channel text,
    sensitivity bigint not null,
    subject_id text not null,
    predicate text not null,
    object_id text not null,
    source_id text,
    evidence text,
    creator text not null,
    asserted_at bigint not null,
    primary key (tenant, id)
) /*clustered*/;
create index relation_of_scope on relation (tenant, scope, id);
create index relation_of_subject on relation (tenant, subject_id, predicate, object_id);
create index relation_of_object on relation (tenant, object_id);
create index relation_of_source on relation (tenant, source_id) where source_id is not null;
