-- Physical erase: every row that holds words of a record or turn, or was derived from them.

-- name: erasable
-- The versions and turns of ids: where they lie and what they said, as a hash.
select e.record_id, e.key, e.scope, e.digest from entry e
where e.tenant = :tenant and e.record_id in each(:ids)
order by e.key;

-- name: read_erasable_words
-- What versions and turns say, and the names they go by.
select e.record_id, coalesce(v.content, t.content), coalesce(v.subject, ''), coalesce(v.tags, '[]'), coalesce(t.speaker, '')
from entry e
    left join version v on v.tenant = e.tenant and v.key = e.key
    left join turn t on t.tenant = e.tenant and t.key = e.key
where e.tenant = :tenant and e.key in each_number(:keys) and coalesce(v.content, t.content) is not null
order by e.key;

-- name: read_erasable_fields
-- What else versions hold in words, and no search finds them by.
select v.attribute, v.file_path, v.source_ref, v.evidence, v.metadata from version v
where v.tenant = :tenant and v.key in each_number(:keys)
order by v.key;

-- name: read_latest_fields
-- The same of the latest other versions.
select v.attribute, v.file_path, v.source_ref, v.evidence, v.metadata from version v
where v.tenant = :tenant and not (v.key in each_number(:keys))
order by v.key desc limit :limit;

-- name: stands_elsewhere
-- Whether a term stands in any other entry of the tenant, elsewhere than in its day (`spoken` masks the counts). The scopes are
-- found one after another: each is one look-up.
with recursive places (scope) as (
    select min(p.scope) from posting p where p.tenant = :tenant and p.scope >= ''
    union all
    select (select min(p.scope) from posting p where p.tenant = :tenant and p.scope > places.scope)
    from places where places.scope is not null
)
select 1 from places
where places.scope is not null and exists (
    select 1 from posting p
    where p.tenant = :tenant and p.scope = places.scope and p.term = :term
        and p.packed & :spoken <> 0 and not (p.key in each_number(:keys))
)
limit 1;

-- name: scope_of_span
-- Where a record or turn stands now.
select record_id, scope from status_event
where tenant = :tenant and record_id in each(:ids) and recorded_to = :forever
order by record_id;

-- name: quotes_of
-- Versions of other records that quote erased turns.
select v.key, v.evidence from lineage l cross join version v
where l.tenant = :tenant and l.source_id in each(:ids) and l.role = 'evidence'
    and v.tenant = l.tenant and v.record_id = l.record_id and v.evidence is not null
order by v.key;

-- name: erase_quote
-- A version without its quote.
update version set evidence = null where tenant = :tenant and key = :key;

-- name: linked_entities
-- Entities that erased records speak of, in any version, and all that is one with these.
with spoken (id) as (
    select entity_id from entity_link where tenant = :tenant and record_id in each(:ids)
    union select subject_entity from entry where tenant = :tenant and record_id in each(:ids) and subject_entity is not null
),
standing (id) as (
    select id from spoken
    union select m.into_id from spoken cross join entity_merge m where m.tenant = :tenant and m.entity_id = spoken.id
)
select id from standing
union select m.entity_id from standing cross join entity_merge m where m.tenant = :tenant and m.into_id = standing.id
order by 1;

-- name: profiles_alone
-- Profiles of what erased records speak of, or of what stands for it, where but for these and for profiles nothing speaks of that.
with spoken (id) as (
    select entity_id from entity_link where tenant = :tenant and record_id in each(:ids)
    union select subject_entity from entry where tenant = :tenant and record_id in each(:ids) and subject_entity is not null
),
standing (id) as (
    select id from spoken
    union select m.into_id from spoken cross join entity_merge m where m.tenant = :tenant and m.entity_id = spoken.id
)
select distinct p.record_id from standing cross join entry p
where p.tenant = :tenant and p.subject_entity = standing.id and p.type = 'entity_profile' and not (p.record_id in each(:ids))
    and not exists (
        select 1 from entity_link l cross join entry e
        where l.tenant = :tenant and l.entity_id = standing.id and not (l.record_id in each(:ids))
            and e.tenant = l.tenant and e.record_id = l.record_id and e.type <> 'entity_profile'
    )
    and not exists (
        select 1 from entry e
        where e.tenant = :tenant and e.subject_entity = standing.id and e.type <> 'entity_profile' and not (e.record_id in each(:ids))
    )
order by 1;

-- name: orphaned_entities
-- Of these entities those that nothing speaks of any more, and the one of each that can stand for what was merged into it:
-- its first, null where nothing was.
select n.id, n.kind, (select min(m.entity_id) from entity_merge m where m.tenant = n.tenant and m.into_id = n.id)
from entity n
where n.tenant = :tenant and n.id in each(:ids)
    and not exists (select 1 from entity_link l where l.tenant = n.tenant and l.entity_id = n.id)
    and not exists (select 1 from entry e where e.tenant = n.tenant and e.subject_entity = n.id)
order by n.id;

-- name: hand_on_profiles
-- What an entity pointed to is due for the one that follows it.
insert into entity_profile (tenant, entity_id, scope, project, record_id, ended)
select p.tenant, :into, p.scope, p.project, '', 1 from entity_profile p where p.tenant = :tenant and p.entity_id = :id
on conflict (tenant, entity_id, scope, project) do nothing;

-- name: erase_entities
-- Entities.
delete from entity where tenant = :tenant and id in each(:ids);

-- name: erase_aliases
-- Their names.
delete from entity_alias where tenant = :tenant and entity_id in each(:ids);

-- name: erase_merges
-- That they were one with others.
delete from entity_merge where tenant = :tenant and entity_id in each(:ids);

-- name: erase_profiles
-- That they have a profile.
delete from entity_profile where tenant = :tenant and entity_id in each(:ids);

-- name: erase_profile
-- That a record is a profile; another one is due.
update entity_profile set record_id = '', ended = 1 where tenant = :tenant and record_id in each(:ids);

-- name: erase_rejections
-- Which records rejections were about; that they were rejected stays.
update rejection set record_id = null where tenant = :tenant and record_id in each(:ids);

-- name: erase_pairs
-- What they were compared with.
delete from record_pair where tenant = :tenant and (first_id in each(:ids) or second_id in each(:ids));

-- name: erase_sections
-- Which section of which file they were.
delete from file_section where tenant = :tenant and record_id in each(:ids);

-- name: erase_snapshot_lines
-- Their lines in what prompts keep.
delete from snapshot_line where tenant = :tenant and record_id in each(:ids);

-- name: erase_hints
-- Subjects asked for in vain that were these entities.
delete from hint where tenant = :tenant and entity_id in each(:ids);

-- name: count_erased_vectors
-- Vectors of versions and turns, in every space.
select count(*) from vector v where v.tenant = :tenant and v.space in (select id from space) and v.key in each_number(:keys);

-- name: erase_versions
-- Words of records.
delete from version where tenant = :tenant and key in each_number(:keys);

-- name: erase_turns
-- Words of turns.
delete from turn where tenant = :tenant and key in each_number(:keys);

-- name: erase_entries
-- Index cards.
delete from entry where tenant = :tenant and key in each_number(:keys);

-- name: erase_records
-- Identities.
delete from record where tenant = :tenant and id in each(:ids);

-- name: erase_usage
-- Counters.
delete from usage where tenant = :tenant and record_id in each(:ids);

-- name: erase_support
-- Sources that supported them.
delete from support where tenant = :tenant and record_id in each(:ids);

-- name: erase_links
-- Links to entities.
delete from entity_link where tenant = :tenant and record_id in each(:ids);

-- name: erase_lineage
-- What they were made from.
delete from lineage where tenant = :tenant and record_id in each(:ids);

-- name: erase_descent
-- What was made from them.
delete from lineage where tenant = :tenant and source_id in each(:ids);

-- name: erase_conflicts
-- Disagreements.
delete from conflict where tenant = :tenant and (first_id in each(:ids) or second_id in each(:ids));

-- name: erase_spans
-- Standings, with their reasons.
delete from status_event where tenant = :tenant and record_id in each(:ids);

-- name: erase_answers
-- Answers to repeated requests that name them.
delete from idempotency where tenant = :tenant and record_id in each(:ids);
