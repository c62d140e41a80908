-- What must hold between a tenant's tables. Each check returns (tenant, what) of the rows that break it, 100 at most.

-- name: check_open_spans
-- Every record and turn has exactly one open standing; an erased one too.
select tenant, record_id from status_event where tenant = :tenant group by tenant, record_id
having sum(case when recorded_to = 1152921504606846976 then 1 else 0 end) <> 1
union all
select e.tenant, e.record_id from entry e
where e.tenant = :tenant
    and not exists (select 1 from status_event s where s.tenant = e.tenant and s.record_id = e.record_id)
order by 1, 2 limit 100;

-- name: check_span_order
-- Standings follow each other without gap or overlap.
select s.tenant, s.record_id from status_event s
where s.tenant = :tenant and s.recorded_to <> 1152921504606846976 and not exists (
    select 1 from status_event n
    where n.tenant = s.tenant and n.record_id = s.record_id and n.position > s.position and n.recorded_from = s.recorded_to
)
order by 1, 2 limit 100;

-- name: check_words
-- Every entry has its words: a version's, or a turn's.
select e.tenant, e.record_id from entry e
where e.tenant = :tenant and case when e.type = 'turn' then
        not exists (select 1 from turn t where t.tenant = e.tenant and t.key = e.key and t.id = e.record_id)
    else
        not exists (select 1 from version v where v.tenant = e.tenant and v.key = e.key and v.record_id = e.record_id)
    end
order by 1, 2 limit 100;

-- name: check_entries
-- All words have their entry.
select v.tenant, v.record_id from version v
where v.tenant = :tenant and not exists (select 1 from entry e where e.tenant = v.tenant and e.key = v.key)
union all
select t.tenant, t.id from turn t
where t.tenant = :tenant and not exists (select 1 from entry e where e.tenant = t.tenant and e.key = t.key)
order by 1, 2 limit 100;

-- name: check_heads
-- Every record points to its one version that is not retired, and counts its versions.
select r.tenant, r.id from record r
where r.tenant = :tenant and (not exists (
        select 1 from entry e where e.tenant = r.tenant and e.key = r.live_key and e.record_id = r.id
            and e.retired_at = 1152921504606846976
    )
    or r.versions <> (select count(*) from version v where v.tenant = r.tenant and v.record_id = r.id)
    or 1 <> (
        select count(*) from entry e where e.tenant = r.tenant and e.record_id = r.id
            and e.retired_at = 1152921504606846976
    )
    or not exists (select 1 from usage u where u.tenant = r.tenant and u.record_id = r.id))
union all
select v.tenant, v.record_id from version v
where v.tenant = :tenant and not exists (select 1 from record r where r.tenant = v.tenant and r.id = v.record_id)
order by 1, 2 limit 100;

-- name: check_facts
-- At no instant do two plain active records of one kind of fact hold: same scope, type, subject, attribute, channel, project
-- and sensitivity, neither flagged, not known to be in conflict.
select a.tenant, a.record_id from entry a, entry b, status_event s, status_event t
where a.tenant = :tenant and a.subject_key <> '' and a.attribute_key <> '' and a.kind <> 'episodic' and a.flags = '[]'
    and b.tenant = a.tenant and b.scope = a.scope and b.subject_key = a.subject_key and b.subject_key <> ''
    and b.attribute_key = a.attribute_key and b.type = a.type and b.flags = '[]' and b.key > a.key
    and b.record_id <> a.record_id and b.sensitivity = a.sensitivity and b.portability = a.portability
    and coalesce(b.channel, '') = coalesce(a.channel, '') and coalesce(b.project, '') = coalesce(a.project, '')
    and a.retired_at = 1152921504606846976 and b.retired_at = 1152921504606846976
    and s.tenant = a.tenant and s.record_id = a.record_id and s.recorded_to = 1152921504606846976 and s.status = 'active'
    and t.tenant = b.tenant and t.record_id = b.record_id and t.recorded_to = 1152921504606846976 and t.status = 'active'
    and a.valid_from < b.valid_until and a.valid_from < t.ends_at and b.valid_from < a.valid_until and b.valid_from < s.ends_at
    and not exists (
        select 1 from conflict c where c.tenant = a.tenant
            and ((c.first_id = a.record_id and c.second_id = b.record_id)
                or (c.first_id = b.record_id and c.second_id = a.record_id))
    )
order by 1, 2 limit 100;

-- name: check_sessions
-- A session's next place lies behind all its turns.
select t.tenant, t.session_id from turn t where t.tenant = :tenant
group by t.tenant, t.scope, t.session_id
having max(t.seq) >= coalesce(
    (select s.next_seq from session s where s.tenant = t.tenant and s.scope = t.scope and s.id = t.session_id), -1
)
order by 1, 2 limit 100;

-- name: check_positions
-- The counter and the clock lie behind everything written.
select e.tenant, cast(max(e.key) as text) from entry e where e.tenant = :tenant
group by e.tenant
having max(e.key) > coalesce((select n.position from tenant n where n.tenant = e.tenant), -1)
    or max(e.recorded_at) > coalesce((select n.latest from tenant n where n.tenant = e.tenant), -1)
union all
select s.tenant, cast(max(s.position) as text) from status_event s where s.tenant = :tenant
group by s.tenant
having max(s.position) > coalesce((select n.position from tenant n where n.tenant = s.tenant), -1)
order by 1, 2 limit 100;

-- name: check_satellites
-- Counters, sources, links, lineage and conflicts belong to records that exist.
select tenant, record_id from usage u
where u.tenant = :tenant and not exists (select 1 from record r where r.tenant = u.tenant and r.id = u.record_id)
union all
select tenant, record_id from support p
where p.tenant = :tenant and not exists (select 1 from record r where r.tenant = p.tenant and r.id = p.record_id)
union all
select tenant, record_id from entity_link l
where l.tenant = :tenant and not exists (select 1 from record r where r.tenant = l.tenant and r.id = l.record_id)
union all
select tenant, record_id from lineage g
where g.tenant = :tenant and not exists (select 1 from record r where r.tenant = g.tenant and r.id = g.record_id)
union all
select tenant, first_id from conflict c
where c.tenant = :tenant and (not exists (select 1 from record r where r.tenant = c.tenant and r.id = c.first_id)
    or not exists (select 1 from record r where r.tenant = c.tenant and r.id = c.second_id))
union all
select tenant, entity_id from entity_alias a
where a.tenant = :tenant and not exists (select 1 from entity n where n.tenant = a.tenant and n.id = a.entity_id)
union all
select tenant, first_id from record_pair c
where c.tenant = :tenant and (not exists (select 1 from record r where r.tenant = c.tenant and r.id = c.first_id)
    or not exists (select 1 from record r where r.tenant = c.tenant and r.id = c.second_id))
union all
select tenant, record_id from file_section f
where f.tenant = :tenant and not exists (select 1 from record r where r.tenant = f.tenant and r.id = f.record_id)
union all
select tenant, record_id from snapshot_line i
where i.tenant = :tenant and (not exists (select 1 from record r where r.tenant = i.tenant and r.id = i.record_id)
    or not exists (select 1 from session_snapshot f where f.tenant = i.tenant and f.scope = i.scope
        and f.session_id = i.session_id and f.reader = i.reader))
union all
select tenant, entity_id from entity_merge m
where m.tenant = :tenant and (not exists (select 1 from entity n where n.tenant = m.tenant and n.id = m.entity_id)
    or not exists (select 1 from entity n where n.tenant = m.tenant and n.id = m.into_id)
    or exists (select 1 from entity_merge o where o.tenant = m.tenant and o.entity_id = m.into_id))
union all
select tenant, entity_id from entity_profile p
where p.tenant = :tenant and (not exists (select 1 from entity n where n.tenant = p.tenant and n.id = p.entity_id)
    or (p.record_id <> '' and not exists (select 1 from record r where r.tenant = p.tenant and r.id = p.record_id)))
order by 1, 2 limit 100;

-- name: check_vectors
-- Vectors and what waits for one belong to entries and spaces that exist.
select tenant, cast(key as text) from vector v
where v.tenant = :tenant
    and (not exists (select 1 from entry e where e.tenant = v.tenant and e.key = v.key and e.scope = v.scope)
        or not exists (select 1 from space s where s.id = v.space))
union all
select tenant, cast(key as text) from embedding_pending p
where p.tenant = :tenant
    and (not exists (select 1 from entry e where e.tenant = p.tenant and e.key = p.key)
        or not exists (select 1 from space s where s.id = p.space))
order by 1, 2 limit 100;

-- name: check_embedding
-- Every entry has a vector in every space or waits for one.
select e.tenant, cast(e.key as text) from entry e, space s
where e.tenant = :tenant and not exists (select 1 from vector v where v.tenant = e.tenant and v.space = s.id and v.key = e.key)
    and not exists (select 1 from embedding_pending p where p.tenant = e.tenant and p.space = s.id and p.key = e.key)
order by 1, 2 limit 100;

-- name: read_words
-- Words beside the hash taken when they were written, one page by key.
select e.key, e.record_id, e.digest, coalesce(v.content, t.content)
from entry e
    left join version v on v.tenant = e.tenant and v.key = e.key
    left join turn t on t.tenant = e.tenant and t.key = e.key
where e.tenant = :tenant and e.key > :after
order by e.key limit :limit;

-- name: list_tenants
-- Who lives here, or left rows here.
select tenant from tenant
union select tenant from record
union select tenant from entry
union select tenant from version
union select tenant from turn
union select tenant from status_event
union select tenant from usage
union select tenant from vector
order by tenant;

-- name: count_rows
-- Rows of a tenant in the tables a user may ask about.
select 'records' as name, count(*) from record where tenant = :tenant
union all select 'versions', count(*) from version where tenant = :tenant
union all select 'turns', count(*) from turn where tenant = :tenant
union all select 'sessions', count(*) from session where tenant = :tenant
union all select 'entities', count(*) from entity where tenant = :tenant
union all select 'conflicts', count(*) from conflict where tenant = :tenant
union all select 'terms', count(*) from term where tenant = :tenant
union all select 'documents', count(*) from document where tenant = :tenant
union all select 'passages', count(*) from passage where tenant = :tenant
union all select 'relations', count(*) from relation where tenant = :tenant
union all select 'grants', count(*) from scope_grant where tenant = :tenant
union all select 'events', count(*) from event where tenant = :tenant
union all select 'jobs', count(*) from job where tenant = :tenant
union all select 'extractions', count(*) from extraction where tenant = :tenant
union all select 'tombstones', count(*) from tombstone where tenant = :tenant
union all select 'receipts', count(*) from receipt where tenant = :tenant
union all select 'vectors', count(*) from vector where tenant = :tenant
union all select 'text nodes', count(*) from text_node where tenant = :tenant
union all select 'tenants', count(*) from tenant where tenant = :tenant
order by name;

-- name: repair_usage
-- Counters without a record.
delete from usage
where tenant = :tenant and not exists (select 1 from record r where r.tenant = usage.tenant and r.id = usage.record_id);

-- name: repair_support
-- Sources without a record.
delete from support
where tenant = :tenant and not exists (select 1 from record r where r.tenant = support.tenant and r.id = support.record_id);

-- name: repair_links
-- Links without a record.
delete from entity_link
where tenant = :tenant and not exists (select 1 from record r where r.tenant = entity_link.tenant and r.id = entity_link.record_id);

-- name: repair_lineage
-- Lineage without a record.
delete from lineage
where tenant = :tenant and not exists (select 1 from record r where r.tenant = lineage.tenant and r.id = lineage.record_id);

-- name: repair_conflicts
-- Conflicts without both records.
delete from conflict
where tenant = :tenant and (not exists (select 1 from record r where r.tenant = conflict.tenant and r.id = conflict.first_id)
    or not exists (select 1 from record r where r.tenant = conflict.tenant and r.id = conflict.second_id));

-- name: repair_aliases
-- Names without an entity.
delete from entity_alias
where tenant = :tenant and not exists (select 1 from entity n where n.tenant = entity_alias.tenant and n.id = entity_alias.entity_id);

-- name: repair_pairs
-- Pairs without both records.
delete from record_pair
where tenant = :tenant and (not exists (select 1 from record r where r.tenant = record_pair.tenant and r.id = record_pair.first_id)
    or not exists (select 1 from record r where r.tenant = record_pair.tenant and r.id = record_pair.second_id));

-- name: repair_sections
-- Sections of files without their record.
delete from file_section
where tenant = :tenant and not exists (select 1 from record r where r.tenant = file_section.tenant and r.id = file_section.record_id);

-- name: repair_snapshots
-- Lines of snapshots without their record, or without their frame.
delete from snapshot_line
where tenant = :tenant and (not exists (select 1 from record r where r.tenant = snapshot_line.tenant and r.id = snapshot_line.record_id)
    or not exists (select 1 from session_snapshot f where f.tenant = snapshot_line.tenant and f.scope = snapshot_line.scope
        and f.session_id = snapshot_line.session_id and f.reader = snapshot_line.reader));

-- name: repair_merges
-- Merges without both entities, and chains of them.
delete from entity_merge
where tenant = :tenant and (not exists (select 1 from entity n where n.tenant = entity_merge.tenant and n.id = entity_merge.entity_id)
    or not exists (select 1 from entity n where n.tenant = entity_merge.tenant and n.id = entity_merge.into_id)
    or exists (select 1 from entity_merge o where o.tenant = entity_merge.tenant and o.entity_id = entity_merge.into_id));

-- name: repair_profiles
-- Pointers without their entity or profile.
delete from entity_profile
where tenant = :tenant and (not exists (select 1 from entity n where n.tenant = entity_profile.tenant and n.id = entity_profile.entity_id)
    or (entity_profile.record_id <> ''
        and not exists (select 1 from record r where r.tenant = entity_profile.tenant and r.id = entity_profile.record_id)));

-- name: repair_vectors
-- Vectors without their entry or space; they are derived from words that are gone.
delete from vector
where tenant = :tenant
    and (not exists (select 1 from entry e where e.tenant = vector.tenant and e.key = vector.key and e.scope = vector.scope)
        or not exists (select 1 from space s where s.id = vector.space));

-- name: repair_pending
-- What waits without its entry or space.
delete from embedding_pending
where tenant = :tenant
    and (not exists (select 1 from entry e where e.tenant = embedding_pending.tenant and e.key = embedding_pending.key)
        or not exists (select 1 from space s where s.id = embedding_pending.space));

-- name: repair_embedding
-- Entries without a vector wait for one.
insert into embedding_pending (tenant, space, key)
select e.tenant, s.id, e.key from entry e, space s
where e.tenant = :tenant and not exists (select 1 from vector v where v.tenant = e.tenant and v.space = s.id and v.key = e.key)
on conflict (tenant, space, key) do nothing;

-- name: repair_sessions
-- The next place of sessions, behind all their turns.
update session set next_seq = (
    select max(t.seq) + 1 from turn t
    where t.tenant = session.tenant and t.scope = session.scope and t.session_id = session.id
)
where tenant = :tenant and next_seq <= (
    select max(t.seq) from turn t
    where t.tenant = session.tenant and t.scope = session.scope and t.session_id = session.id
);
