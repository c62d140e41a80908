-- Writing records. Every statement names its row by tenant and key or id; the transaction holds the writer's lock.

-- name: add_record
-- Identity.
insert into record (tenant, id, live_key, versions, kind, type, created_at, supersedes, position)
values (:tenant, :id, :key, 1, :kind, :type, :created_at, :supersedes, :key);

-- name: head_of
-- The live version of a record and its open status.
select r.live_key, r.versions, r.kind, e.scope, r.created_at, r.supersedes, s.status, s.ends_at, s.successor
from record r cross join entry e cross join status_event s
where r.tenant = :tenant and r.id = :id
    and e.tenant = r.tenant and e.key = r.live_key
    and s.tenant = r.tenant and s.record_id = r.id and s.recorded_to = :forever;

-- name: words_of
-- What the encoder reads of a version.
select subject, content from version where tenant = :tenant and key = :key;

-- name: set_head
-- Point the record to its new live version.
update record set live_key = :key, versions = :versions, type = :type where tenant = :tenant and id = :id;

-- name: add_entry
-- The index card of a version or turn.
insert into entry (
    tenant, key, record_id, kind, type, scope, channel, sensitivity, portability, project, subject_key, attribute_key, digest,
    session_id, seq, valid_from, valid_until, event_at, recorded_at, retired_at, retired_position, created_at, source_kind,
    subject_entity, speaker_key, flags, id_hash
) values (
    :tenant, :key, :record_id, :kind, :type, :scope, :channel, :sensitivity, :portability, :project, :subject_key,
    :attribute_key, :digest, :session_id, :seq, :valid_from, :valid_until, :event_at, :recorded_at, :retired_at, 0, :created_at,
    :source_kind, :subject_entity, :speaker_key, :flags, :id_hash
);

-- name: retire_entry
-- Close a version: the store knew it until now.
update entry set retired_at = :at, retired_position = :position where tenant = :tenant and key = :key;

-- name: add_version
-- A version's words.
insert into version (
    tenant, key, record_id, number, subject, attribute, polarity, source_ref, source_revision, source_role, creator, derivation,
    review_at, file_path, parents, tags, evidence, metadata, content, screened
) values (
    :tenant, :key, :record_id, :number, :subject, :attribute, :polarity, :source_ref, :source_revision, :source_role, :creator,
    :derivation, :review_at, :file_path, :parents, :tags, :evidence, :metadata, :content, :screened
);

-- name: open_span
-- The status a record or turn has now, with its scope.
select position, status, recorded_from, ends_at, successor, scope from status_event
where tenant = :tenant and record_id = :id and recorded_to = :forever;

-- name: close_span
-- End a status.
update status_event set recorded_to = :at where tenant = :tenant and record_id = :id and position = :position;

-- name: add_span
-- Begin a status.
insert into status_event (tenant, record_id, position, scope, status, recorded_from, recorded_to, ends_at, successor, reason)
values (:tenant, :id, :position, :scope, :status, :recorded_from, :recorded_to, :ends_at, :successor, :reason);

-- name: usage_of
-- A record's counters.
select confidence, evidence_count, last_evidence_at, last_used_at, utility, review_flagged_at from usage
where tenant = :tenant and record_id = :id;

-- name: lapsed
-- Open spans of live records that ended by an instant; 2^60 is the open end, written out so that the partial index serves.
select record_id, status, recorded_from, recorded_to, ends_at, successor, reason from status_event
where tenant = :tenant and recorded_to = 1152921504606846976 and ends_at < 1152921504606846976 and ends_at <= :at
    and status in ('provisional', 'active')
order by ends_at, record_id limit :limit;

-- name: due_reviews
-- Live records whose live version's review date has come and that were not flagged since; 2^60 is the open end.
select v.record_id, v.review_at, u.confidence, u.evidence_count, u.last_evidence_at, u.last_used_at, u.utility, u.review_flagged_at
from version v cross join record r cross join usage u cross join status_event s
where v.tenant = :tenant and v.review_at is not null and v.review_at <= :at
    and r.tenant = v.tenant and r.id = v.record_id and r.live_key = v.key
    and u.tenant = v.tenant and u.record_id = v.record_id and (u.review_flagged_at is null or u.review_flagged_at < v.review_at)
    and s.tenant = v.tenant and s.record_id = v.record_id and s.recorded_to = 1152921504606846976
    and s.status in ('provisional', 'active')
order by v.review_at, v.key limit :limit;

-- name: put_usage
-- The moving counters.
insert into usage (
    tenant, record_id, confidence, evidence_count, last_evidence_at, last_used_at, utility, review_flagged_at
) values (:tenant, :id, :confidence, :evidence_count, :last_evidence_at, :last_used_at, :utility, :review_flagged_at)
on conflict (tenant, record_id) do update set
    confidence = excluded.confidence, evidence_count = excluded.evidence_count,
    last_evidence_at = excluded.last_evidence_at, last_used_at = excluded.last_used_at,
    utility = excluded.utility, review_flagged_at = excluded.review_flagged_at;

-- name: add_support
-- One independent source; a second time changes nothing.
insert into support (tenant, record_id, source_ref, source_kind, recorded_at)
values (:tenant, :id, :source_ref, :source_kind, :at)
on conflict (tenant, record_id, source_ref) do nothing;

-- name: supporters_of
-- The independent sources of a record, with their kinds.
select source_ref, source_kind from support where tenant = :tenant and record_id = :id order by source_ref;

-- name: add_link
-- An entity a record is about or mentions.
insert into entity_link (tenant, record_id, entity_id, role) values (:tenant, :id, :entity_id, :role)
on conflict (tenant, record_id, entity_id, role) do nothing;

-- name: add_lineage
-- What a record was made from.
insert into lineage (tenant, source_id, record_id, role) values (:tenant, :source_id, :id, :role)
on conflict (tenant, source_id, record_id, role) do nothing;

-- name: add_conflict
-- Two records disagree.
insert into conflict (tenant, first_id, second_id, recorded_at) values (:tenant, :first_id, :second_id, :at)
on conflict (tenant, first_id, second_id) do nothing;

-- name: aliases_of_record
-- Every name of the entities linked to a record.
select a.alias from entity_link l cross join entity_alias a
where l.tenant = :tenant and l.record_id = :id and a.tenant = l.tenant and a.entity_id = l.entity_id
order by a.alias_key, a.entity_id;

-- name: add_pending
-- A version or turn waits for its vector in every space.
insert into embedding_pending (tenant, space, key) select :tenant, id, :key from space where true
on conflict (tenant, space, key) do nothing;
