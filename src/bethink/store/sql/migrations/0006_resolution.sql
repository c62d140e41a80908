-- What keeps many statements about the same things in order: entities that turned out to be one, and their profiles.

-- An entity that another one stands for. Links and names stay where they are; whoever reads them follows this row, which is
-- never a chain: what was merged into an entity is pointed on when that is merged in turn.
create table entity_merge (
    tenant text not null,
    entity_id text not null,
    into_id text not null,
    merged_at bigint not null,
    primary key (tenant, entity_id)
) /*clustered*/;
create index entity_merge_into on entity_merge (tenant, into_id, entity_id);
create index entity_of_scope on entity (tenant, scope, id);

-- The profile of an entity for one owner and one project, '' for none: the record that says what is known of it. `ended` is 1 once
-- that record is read no more, so that a new one is due; it is '' when the record was erased.
create table entity_profile (
    tenant text not null,
    entity_id text not null,
    scope text not null,
    project text not null,
    record_id text not null,
    ended bigint not null,
    primary key (tenant, entity_id, scope, project)
) /*clustered*/;
create index entity_profile_of_record on entity_profile (tenant, record_id);
create index entity_profile_ended on entity_profile (tenant, entity_id) where ended = 1;

-- How far a pass of upkeep has looked at what was written, by position.
create table upkeep_mark (
    tenant text not null,
    name text not null,
    position bigint not null,
    primary key (tenant, name)
) /*clustered*/;
