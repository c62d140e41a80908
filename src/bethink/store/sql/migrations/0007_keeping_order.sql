-- What was said not to be so, what was asked for in vain, which records say the same or contradict each other, which files are read,
-- and the skills.

-- A statement that somebody rejected, under keyed hashes, so that it stays away when it is derived again. Never its words. `reason`
-- is untrue, changed, elsewhere or unspecified; `project` where it does not hold, '' for everywhere; `rank` what the word of whoever
-- said so is worth. The record's id goes when the record is erased, and the rest stays.
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

-- Two records that may say the same (`kind` near) or contradict each other (tension), stored once with first_id < second_id.
-- `decision` is deferred until somebody decides. A claim holds until `claimed_until`; nobody else decides meanwhile.
create table record_pair (
    tenant text not null,
    first_id text not null,
    second_id text not null,
    kind text not null,
    cosine double precision not null,
    decision text not null,
    decided_by text not null,
    found_at bigint not null,
    claimed_until bigint not null,
    decided_at bigint,
    primary key (tenant, first_id, second_id)
) /*clustered*/;
create index record_pair_of_second on record_pair (tenant, second_id);
create index record_pair_waiting on record_pair (tenant, kind, found_at, first_id, second_id) where decision = 'deferred';

-- A file or folder whose text becomes records: where, for whom, as who may write there. `pattern` says which files of a folder.
create table file_root (
    tenant text not null,
    id text not null,
    path text not null,
    scope text not null,
    target text not null,
    pattern text not null,
    user_id text not null,
    agent_id text not null,
    project text,
    task text,
    added_at bigint not null,
    scanned_at bigint,
    primary key (tenant, id)
) /*clustered*/;

-- The record that a section of a file became, and when it was last looked at.
create table file_section (
    tenant text not null,
    record_id text not null,
    root_id text not null,
    path text not null,
    section text not null,
    file_sha256 text not null,
    scanned_at bigint not null,
    missing_at bigint,
    primary key (tenant, record_id)
) /*clustered*/;
create index file_section_of_root on file_section (tenant, root_id, path, section);

-- Procedures that a host registered, apart from what is remembered. Declared tools grant nothing.
create table skill (
    tenant text not null,
    scope text not null,
    id text not null,
    version bigint not null,
    description text not null,
    tool_names text not null,
    sha256 text not null,
    creator text not null,
    registered_at bigint not null,
    instructions text not null,
    primary key (tenant, scope, id)
) /*clustered*/;
