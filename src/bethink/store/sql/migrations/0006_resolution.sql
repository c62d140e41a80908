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

-- What somebody said is not so, under keyed hashes of the statement, so that it stays away when it is derived again. Never its
-- words. `reason` is untrue, changed, elsewhere or unspecified; `project` where it does not hold, '' for everywhere; `rank` what the
-- word of whoever said so is worth. The record's id goes when the record is erased, and the rest stays.
create table rejection (
    tenant text not null,
    scope text not null,
    statement text not null,
    id text not null,
    reason text not null,
    project text not null,
    rank bigint not null,
    record_id text,
    trace_id text,
    said_at bigint not null,
    primary key (tenant, scope, statement, id)
) /*clustered*/;
create index rejection_by_id on rejection (tenant, id);
create index rejection_of_record on rejection (tenant, record_id) where record_id is not null;

-- A subject that a user asked for in vain, by a keyed hash of its name; `entity_id` where the store knows it.
create table hint (
    tenant text not null,
    user_id text not null,
    subject text not null,
    entity_id text,
    asked bigint not null,
    first_at bigint not null,
    last_at bigint not null,
    primary key (tenant, user_id, subject)
) /*clustered*/;
create index hint_of_entity on hint (tenant, entity_id) where entity_id is not null;
