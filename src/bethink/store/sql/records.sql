-- Reading records. e is the entry, s the status span known at the asked time: the fence speaks about these two.

-- name: get_records
-- Whole records by id, as the fence's reader may see them; the columns are read by codec.record.
select
    e.key, e.record_id, e.kind, e.type, e.scope, e.channel, e.sensitivity, e.portability, e.project, e.session_id,
    e.valid_from, e.valid_until, e.event_at, e.recorded_at, e.retired_at, e.created_at, e.source_kind, e.subject_entity,
    e.flags, s.status, s.ends_at, s.successor,
    v.number, v.subject, v.attribute, v.polarity, v.source_ref, v.source_revision, v.source_role, v.creator, v.derivation,
    v.review_at, v.file_path, v.parents, v.tags, v.evidence, v.metadata, v.content,
    r.supersedes, u.confidence, u.evidence_count, u.last_evidence_at, u.last_used_at, u.utility, u.review_flagged_at
from entry e cross join status_event s cross join version v cross join record r cross join usage u
where e.record_id in each(:ids)
    and v.tenant = e.tenant and v.key = e.key
    and r.tenant = e.tenant and r.id = e.record_id
    and u.tenant = e.tenant and u.record_id = e.record_id
    and /*fence*/;

-- name: history_of
-- Status spans of records that had begun by the asked time, oldest first.
select record_id, status, recorded_from, recorded_to, ends_at, successor, reason, position
from status_event
where tenant = :tenant and record_id in each(:ids) and recorded_from <= :known
order by record_id, position;

-- name: conflicts_of
-- Disagreements of records known at the asked time, in both directions, where the other side lies in a readable scope.
select c.first_id, c.second_id from conflict c
where c.tenant = :tenant and c.first_id in each(:ids) and c.recorded_at <= :known
    and exists (select 1 from entry o where o.tenant = c.tenant and o.record_id = c.second_id and o.scope in each(:scopes))
union all
select c.second_id, c.first_id from conflict c
where c.tenant = :tenant and c.second_id in each(:ids) and c.recorded_at <= :known
    and exists (select 1 from entry o where o.tenant = c.tenant and o.record_id = c.first_id and o.scope in each(:scopes))
order by 1, 2;

-- name: links_of
-- Entities linked to records; one that was merged into another is that one.
select l.record_id, coalesce(m.into_id, l.entity_id)
from entity_link l left join entity_merge m on m.tenant = l.tenant and m.entity_id = l.entity_id
where l.tenant = :tenant and l.record_id in each(:ids)
order by 1, 2;

-- name: entity_names_of
-- Names of the entities linked to records, where the entity lies in a readable scope.
select distinct l.record_id, n.name
from entity_link l left join entity_merge m on m.tenant = l.tenant and m.entity_id = l.entity_id cross join entity n
where l.tenant = :tenant and l.record_id in each(:ids)
    and n.tenant = l.tenant and n.id = case when m.into_id is null then l.entity_id else m.into_id end and n.scope in each(:scopes)
order by 1, 2;

-- name: profiles_beside
-- Profiles of the entities that records are linked to, a merged one read through.
select distinct l.record_id, e.key
from entity_link l left join entity_merge m on m.tenant = l.tenant and m.entity_id = l.entity_id
    cross join entry e /*indexed by entry_by_entity*/ cross join status_event s
where l.tenant = :tenant and l.record_id in each(:ids)
    and e.subject_entity = coalesce(m.into_id, l.entity_id) and e.type = 'entity_profile' and /*fence*/
order by l.record_id, e.key;

-- name: ids_by_digest
-- Beliefs and written episodes that say exactly these words.
select e.record_id from entry e cross join status_event s
where e.digest = :digest and e.type = :type and /*fence*/
order by e.key;

-- name: ids_of_fact
-- Records of one subject and attribute.
select e.record_id from entry e cross join status_event s
where e.subject_key = :subject_key and e.attribute_key = :attribute_key and e.subject_key <> '' and /*fence*/
order by e.valid_from, e.key;

-- name: ids_flagged
-- Records with a flag, newest first: for review, not for recall.
select e.record_id from entry e cross join status_event s
where e.key < :before and e.flags like :flag and /*fence*/
order by e.key desc limit :limit;

-- name: ids_of_session
-- Records learned in a session, newest first: for its user, not for recall.
select e.record_id from entry e cross join status_event s
where e.session_id = :session_id and e.type <> 'turn' and e.key < :before and /*fence*/
order by e.key desc limit :limit;

-- name: ids_by_source
-- Records whose live version names this source at another revision.
select e.record_id from support p cross join entry e cross join status_event s cross join version v
where p.tenant = :tenant and p.source_ref = :source_ref
    and e.record_id = p.record_id and v.tenant = e.tenant and v.key = e.key
    and v.source_ref = :source_ref and v.source_revision <> :revision and /*fence*/
order by e.record_id;

-- name: candidates
-- Slim values of nominated keys the truth admits; no text is read. Columns are read by codec.candidate. A turn has no counters:
-- the comparison with null spares looking for them. The tenant of the counters is named by itself: beside the wall's condition, one
-- that is computed loses the index.
select
    e.key, e.record_id, e.kind, e.type, s.status, e.scope, e.recorded_at, e.created_at, e.source_kind,
    u.confidence, u.evidence_count, u.utility, u.last_evidence_at, e.digest, e.portability, e.sensitivity, e.project,
    coalesce(e.speaker_key, e.subject_key), e.attribute_key, e.subject_entity, e.valid_from, e.valid_until, e.event_at, s.ends_at,
    e.flags, e.session_id, e.seq
from entry e join status_event s on s.tenant = e.tenant and s.record_id = e.record_id
    left join usage u on u.tenant = :tenant and u.record_id = case when e.type <> 'turn' then e.record_id end
where e.key in each_number(:keys) and /*fence*/
order by e.key;

-- name: supersessions_of
-- What records replaced, for those that replaced something.
select id, supersedes from record where tenant = :tenant and id in each(:ids) and supersedes <> '[]';

-- name: record_bodies
-- The words of records among the keys. Looking at `version` first skips what is none.
select
    e.key, e.record_id, v.content, v.subject, v.source_role, v.evidence, v.source_ref, v.creator, v.source_revision, v.tags,
    v.screened
from version v cross join entry e cross join status_event s
where v.tenant = :tenant and v.key in each_number(:keys) and e.key = v.key and e.key in each_number(:keys) and /*fence*/;

-- name: turn_bodies
-- The words of turns among the keys, looked at in the same order.
select e.key, t.content, t.speaker, t.role, t.session_id, t.message_id, t.said_at, t.screened
from turn t cross join entry e cross join status_event s
where t.tenant = :tenant and t.key in each_number(:keys) and e.key = t.key and e.key in each_number(:keys) and /*fence*/;

-- name: entries_of
-- Every version of a record or turn in reach of the reader, newest first; the columns are read by codec.entry.
select
    e.key, e.record_id, e.kind, e.type, e.scope, e.channel, e.sensitivity, e.portability, e.project, e.subject_key,
    e.valid_from, e.valid_until, e.event_at, e.recorded_at, e.retired_at, e.source_kind
from entry e
where e.tenant = :tenant and e.record_id = :record_id and e.scope in each(:scopes) and e.sensitivity <= :ceiling
    and (cast(:channel as text) is null or e.channel = :channel)
order by e.key desc;

-- name: supports_of
-- The independent sources of a record.
select source_ref from support where tenant = :tenant and record_id = :record_id order by source_ref;

-- name: spent_turns
-- Of these turns those that support superseded or ended records in a readable scope and no live one. A turn supports a record by
-- holding its evidence (lineage) or by having reinforced it (support). A status that a successor ended by the asked instant is over,
-- and so is one that somebody said has ended. A kind is never empty: naming it keeps PostgreSQL from reading a whole index that
-- holds all it needs, in place of the few entries of the one that begins with the source.
select q.turn_id
from (
    select l.source_id as turn_id, l.record_id from lineage l
    where l.tenant = :tenant and l.source_id in each(:ids) and l.role = 'evidence'
    union
    select substr(p.source_ref, 6), p.record_id from support p
    where p.tenant = :tenant and p.source_ref in each(:refs) and p.source_kind <> ''
) q, status_event s
where s.tenant = :tenant and s.record_id = q.record_id and s.scope in each(:scopes)
    and s.recorded_from <= :known and :known < s.recorded_to
group by q.turn_id
having max(case when s.status = 'superseded'
        or ((s.successor is not null or s.reason in ('ended', 'rejected')) and s.ends_at <= :instant) then 1 else 0 end) = 1
    and max(case when s.status in each(:live) and :instant < s.ends_at then 1 else 0 end) = 0
order by 1;

-- name: find_by_id
-- Ids inside the fence that start with a prefix.
select distinct e.record_id from entry e cross join status_event s
where e.record_id >= :prefix and e.record_id < :prefix || '~' and /*fence*/
order by 1 limit 20;

-- name: find_by_hash
-- Ids inside the fence whose hash starts with a prefix.
select distinct e.record_id from entry e cross join status_event s
where e.id_hash >= :prefix and e.id_hash < :prefix || '~' and /*fence*/
order by 1 limit 20;

-- name: derived_from
-- Records made from these records (parent) or quoting these turns (evidence).
select distinct record_id from lineage
where tenant = :tenant and source_id in each(:ids) and role in each(:roles)
order by 1;

-- name: read_cards
-- What index cards are made from, one page by key; what has lost its words has no card. See store/cards.py.
select e.key, e.record_id, e.scope, e.event_at, e.valid_from, e.recorded_at, v.subject, v.content, v.tags,
    t.speaker, t.content
from entry e
    left join version v on v.tenant = e.tenant and v.key = e.key
    left join turn t on t.tenant = e.tenant and t.key = e.key
where e.tenant = :tenant and e.key > :after and coalesce(v.content, t.content) is not null
order by e.key limit :limit;
