-- The truth. One text serves SQLite and PostgreSQL; store/migrate.py says what the marks become.
-- The tenant leads every key. Instants are microseconds since 1970 UTC; an open end is -2^60 or 2^60, so comparisons need no
-- null tests. JSON is canonical text. `key` is the index key: drawn from the tenant's write counter, unique, growing.

-- The store itself: schema version and checksums per migration, store id, analyser id, the secret of keyed hashes.
create table meta (
    name text not null primary key,
    value text not null
) /*clustered*/;

-- One row per tenant: the write counter and the last recorded time, which never runs backwards.
create table tenant (
    tenant text not null primary key,
    position bigint not null,
    latest bigint not null
) /*clustered*/;

-- Identity. `live_key` is the key of the live version.
create table record (
    tenant text not null,
    id text not null,
    live_key bigint not null,
    versions bigint not null,
    kind text not null,
    type text not null,
    created_at bigint not null,
    supersedes text not null,
    position bigint not null,
    primary key (tenant, id)
) /*clustered*/;

-- The index card of every version and every turn: all the fence and the ranking look at, but for the status and the counters,
-- so that both read no text. `record_id` is the record's or the turn's id, `id_hash` the first 16 hex digits of its SHA-256 (what
-- short ids are cut from), `speaker_key` a turn's folded speaker. Immutable but for `retired_at` and `retired_position`, set when
-- the next version replaces this one.
create table entry (
    tenant text not null,
    key bigint not null,
    record_id text not null,
    kind text not null,
    type text not null,
    scope text not null,
    channel text,
    sensitivity bigint not null,
    portability bigint not null,
    project text,
    subject_key text not null,
    attribute_key text not null,
    digest text not null,
    session_id text,
    seq bigint not null,
    valid_from bigint not null,
    valid_until bigint not null,
    event_at bigint,
    recorded_at bigint not null,
    retired_at bigint not null,
    retired_position bigint not null,
    created_at bigint not null,
    source_kind text not null,
    subject_entity text,
    speaker_key text,
    flags text not null,
    id_hash text not null,
    primary key (tenant, key)
) /*clustered*/;
create index entry_of_record on entry (tenant, record_id, key);
create index entry_of_scope on entry (tenant, scope, key);
create index entry_retired on entry (tenant, scope, retired_position) where retired_position > 0;
create index entry_by_fact on entry (tenant, scope, subject_key, attribute_key) where subject_key <> '';
create index entry_by_digest on entry (tenant, scope, digest);
create index entry_by_hash on entry (tenant, id_hash);
create index entry_by_entity on entry (tenant, subject_entity) where subject_entity is not null;

-- The status of a record or turn over recorded time. The open span has recorded_to = 2^60. `ends_at` bounds the valid time the
-- status speaks for; `scope` repeats the entry's so that a reader of one scope can follow the changes by position.
create table status_event (
    tenant text not null,
    record_id text not null,
    position bigint not null,
    scope text not null,
    status text not null,
    recorded_from bigint not null,
    recorded_to bigint not null,
    ends_at bigint not null,
    successor text,
    reason text not null,
    primary key (tenant, record_id, position)
) /*clustered*/;
create index status_event_of_scope on status_event (tenant, scope, position);
create index status_event_lapsing on status_event (tenant, ends_at, record_id)
    where recorded_to = 1152921504606846976 and ends_at < 1152921504606846976;

-- A version's words and provenance. Immutable but for erasure. Long texts come last: what stands before them is read without them.
create table version (
    tenant text not null,
    key bigint not null,
    record_id text not null,
    number bigint not null,
    subject text,
    attribute text,
    polarity text not null,
    source_ref text not null,
    source_revision text,
    source_role text,
    creator text not null,
    derivation text not null,
    review_at bigint,
    file_path text,
    parents text not null,
    tags text not null,
    evidence text,
    metadata text not null,
    content text not null,
    primary key (tenant, key)
) /*clustered*/;
create index version_of_record on version (tenant, record_id, number);

-- Counters that move, apart from anything pinned.
create table usage (
    tenant text not null,
    record_id text not null,
    confidence double precision not null,
    evidence_count bigint not null,
    last_evidence_at bigint,
    last_used_at bigint,
    utility double precision not null,
    review_flagged_at bigint,
    primary key (tenant, record_id)
) /*clustered*/;

-- Every independent source that supported a record, so that one source never counts twice.
create table support (
    tenant text not null,
    record_id text not null,
    source_ref text not null,
    source_kind text not null,
    recorded_at bigint not null,
    primary key (tenant, record_id, source_ref)
) /*clustered*/;
create index support_by_source on support (tenant, source_ref);

-- What a record was made from: `role` is parent (derived from that record) or evidence (quotes that turn). An erase follows it.
create table lineage (
    tenant text not null,
    source_id text not null,
    record_id text not null,
    role text not null,
    primary key (tenant, source_id, record_id, role)
) /*clustered*/;
create index lineage_of_record on lineage (tenant, record_id);

-- A turn's words. Append-only. `said_at` stands on its entry as `event_at` too, `scope` is its session's.
create table turn (
    tenant text not null,
    key bigint not null,
    id text not null,
    scope text not null,
    session_id text not null,
    seq bigint not null,
    message_id text not null,
    role text not null,
    speaker text not null,
    said_at bigint not null,
    time_text text,
    zone_assumed bigint not null,
    content text not null,
    primary key (tenant, key)
) /*clustered by key*/;
create /*unique*/ index turn_by_message on turn (tenant, scope, session_id, message_id);
create /*unique*/ index turn_by_id on turn (tenant, id);
create index turn_of_session on turn (tenant, scope, session_id, seq);
create index turn_by_time on turn (tenant, said_at, key);

-- Sessions belong to a scope: the same id in two scopes is two sessions, and neither tells of the other.
create table session (
    tenant text not null,
    scope text not null,
    id text not null,
    user_id text not null,
    agent_id text not null,
    project text,
    channel text,
    opened_at bigint not null,
    closed_at bigint,
    next_seq bigint not null,
    primary key (tenant, scope, id)
) /*clustered*/;

create table entity (
    tenant text not null,
    id text not null,
    kind text not null,
    name text not null,
    scope text not null,
    provisional bigint not null,
    created_at bigint not null,
    primary key (tenant, id)
) /*clustered*/;

create table entity_alias (
    tenant text not null,
    scope text not null,
    alias_key text not null,
    entity_id text not null,
    alias text not null,
    primary key (tenant, scope, alias_key, entity_id)
) /*clustered*/;
create index entity_alias_of_entity on entity_alias (tenant, entity_id);

create table entity_link (
    tenant text not null,
    record_id text not null,
    entity_id text not null,
    role text not null,
    primary key (tenant, record_id, entity_id, role)
) /*clustered*/;
create index entity_link_of_entity on entity_link (tenant, entity_id, record_id);

-- Disagreement, stored once with first_id < second_id.
create table conflict (
    tenant text not null,
    first_id text not null,
    second_id text not null,
    recorded_at bigint not null,
    primary key (tenant, first_id, second_id)
) /*clustered*/;
create index conflict_of_second on conflict (tenant, second_id);

-- "grant" is a keyword; this is the table of grants.
create table scope_grant (
    tenant text not null,
    user_id text not null,
    agent_id text not null,
    scope text not null,
    can_read bigint not null,
    can_write bigint not null,
    granted_at bigint not null,
    primary key (tenant, user_id, agent_id, scope)
) /*clustered*/;

-- The log of what happened: ids, kinds, counts and times, never memory text.
create table event (
    tenant text not null,
    position bigint not null,
    part bigint not null,
    kind text not null,
    subject text not null,
    at bigint not null,
    payload text not null,
    primary key (tenant, position, part)
) /*clustered*/;

-- Work that follows a write. `state` is waiting; `payload` holds ids and counts, never memory text.
create table job (
    tenant text not null,
    id text not null,
    kind text not null,
    payload text not null,
    state text not null,
    attempts bigint not null,
    run_at bigint not null,
    problem text,
    primary key (tenant, id)
) /*clustered*/;

create table idempotency (
    tenant text not null,
    principal text not null,
    idempotency_key text not null,
    request_hash text not null,
    answer text not null,
    record_id text,
    created_at bigint not null,
    primary key (tenant, principal, idempotency_key)
) /*clustered*/;
create index idempotency_of_record on idempotency (tenant, record_id) where record_id is not null;

-- Keyed hashes of erased content, so that no import brings it back. Never the text.
create table tombstone (
    tenant text not null,
    digest text not null,
    erased_at bigint not null,
    primary key (tenant, digest)
) /*clustered*/;

-- Embedding spaces: the spec of the model, its canary vectors, its calibration. state is active or building.
create table space (
    id text not null primary key,
    spec text not null,
    canary bytea not null,
    calibration text not null,
    state text not null,
    created_at bigint not null
) /*clustered*/;

-- float32 little-endian rows; the truth of every vector index.
create table vector (
    tenant text not null,
    space text not null,
    key bigint not null,
    scope text not null,
    vector bytea not null,
    primary key (tenant, space, key)
) /*clustered*/;
create index vector_of_scope on vector (tenant, space, scope, key);

-- Entries that still wait for a vector in a space.
create table embedding_pending (
    tenant text not null,
    space text not null,
    key bigint not null,
    primary key (tenant, space, key)
) /*clustered*/;
