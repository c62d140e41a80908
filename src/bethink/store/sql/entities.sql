-- Entities. An entity that was merged into another one answers as that one, whoever links to it or bears its names. Where a table is looked up by the
-- one that stands, that is a `case`: behind row-level security PostgreSQL looks nothing up by a `coalesce`, which it takes for something that may tell of rows.

-- name: resolve_entity
-- Entities that answer exactly to a folded name in these scopes.
select distinct n.id, n.kind, n.name, n.scope, n.provisional
from entity_alias a
    left join entity_merge m on m.tenant = a.tenant and m.entity_id = a.entity_id
    cross join entity n
where a.tenant = :tenant and a.scope in each(:scopes) and a.alias_key = :alias_key
    and n.tenant = a.tenant and n.id = case when m.into_id is null then a.entity_id else m.into_id end
order by n.id;

-- name: get_entities
-- Entities by id in these scopes, each under the id it was asked by.
select w.id, n.id, n.kind, n.name, n.scope, n.provisional
from entity w left join entity_merge m on m.tenant = w.tenant and m.entity_id = w.id cross join entity n
where w.tenant = :tenant and w.id in each(:ids)
    and n.tenant = w.tenant and n.id = case when m.into_id is null then w.id else m.into_id end and n.scope in each(:scopes)
order by w.id;

-- name: read_entity
-- The entity that stands for an id, whoever owns it.
select n.id, n.kind, n.name, n.scope, n.provisional
from entity w left join entity_merge m on m.tenant = w.tenant and m.entity_id = w.id cross join entity n
where w.tenant = :tenant and w.id = :id and n.tenant = w.tenant and n.id = case when m.into_id is null then w.id else m.into_id end;

-- name: list_entities
-- Entities of a scope behind an id, those that stand for themselves.
select n.id, n.kind, n.name, n.scope, n.provisional from entity n
where n.tenant = :tenant and n.scope = :scope and n.id > :after
    and not exists (select 1 from entity_merge m where m.tenant = n.tenant and m.entity_id = n.id)
order by n.id limit :limit;

-- name: aliases_of
-- Every name of entities, those of what was merged into them too.
select a.entity_id, a.alias_key, a.alias from entity_alias a
where a.tenant = :tenant and a.entity_id in each(:ids)
union
select m.into_id, a.alias_key, a.alias from entity_merge m cross join entity_alias a
where m.tenant = :tenant and m.into_id in each(:ids) and a.tenant = m.tenant and a.entity_id = m.entity_id
order by 1, 2, 3;

-- name: members_of
-- The entities that these stand for, themselves included.
select n.id, n.id from entity n where n.tenant = :tenant and n.id in each(:ids)
union all
select m.into_id, m.entity_id from entity_merge m where m.tenant = :tenant and m.into_id in each(:ids)
order by 1, 2;

-- name: count_mentions
-- How many records inside the fence are linked to each of these entities.
select l.entity_id, count(distinct l.record_id)
from entity_link l cross join entry e cross join status_event s
where l.tenant = :tenant and l.entity_id in each(:ids) and e.record_id = l.record_id and /*fence*/
group by l.entity_id;

-- name: records_linked
-- Records inside the fence that are linked to any of these entities, oldest first.
select distinct e.record_id, e.created_at
from entity_link l cross join entry e cross join status_event s
where l.tenant = :tenant and l.entity_id in each(:ids) and e.record_id = l.record_id and /*fence*/
order by e.created_at, e.record_id limit :limit;

-- name: links_with_roles
-- What records are linked to, and how.
select l.record_id, coalesce(m.into_id, l.entity_id), l.role
from entity_link l left join entity_merge m on m.tenant = l.tenant and m.entity_id = l.entity_id
where l.tenant = :tenant and l.record_id in each(:ids)
order by 1, 2, 3;

-- name: subjects_of
-- Records whose live version is about one of these entities, wherever they are, oldest first.
select e.record_id, e.scope, e.subject_key from entry e
where e.tenant = :tenant and e.subject_entity in each(:ids) and e.retired_at = :forever
order by e.created_at, e.record_id;

-- name: add_entity
-- A named thing.
insert into entity (tenant, id, kind, name, scope, provisional, created_at)
values (:tenant, :id, :kind, :name, :scope, :provisional, :at);

-- name: add_alias
-- A name it answers to.
insert into entity_alias (tenant, scope, alias_key, entity_id, alias) values (:tenant, :scope, :alias_key, :id, :alias)
on conflict (tenant, scope, alias_key, entity_id) do nothing;

-- name: confirm_entity
-- Somebody said that it is one.
update entity set provisional = 0, kind = case when kind = 'other' then :kind else kind end where tenant = :tenant and id = :id;

-- name: merge_entity
-- Another entity stands for this one from now on.
insert into entity_merge (tenant, entity_id, into_id, merged_at) values (:tenant, :id, :into, :at);

-- name: point_on
-- What was merged into an entity goes with it.
update entity_merge set into_id = :into where tenant = :tenant and into_id = :id;

-- name: profiles_of
-- The records that these entities point to, by entity, owner and project.
select entity_id, scope, project, record_id from entity_profile
where tenant = :tenant and entity_id in each(:ids) and record_id <> ''
order by entity_id, scope, project;

-- name: set_profile
-- Point an entity to its profile.
insert into entity_profile (tenant, entity_id, scope, project, record_id, ended)
values (:tenant, :id, :scope, :project, :record_id, 0)
on conflict (tenant, entity_id, scope, project) do update set record_id = excluded.record_id, ended = 0;

-- name: drop_ended_profiles
-- Entities point to no profile that is read no more.
delete from entity_profile where tenant = :tenant and entity_id in each(:ids) and ended = 1;

-- name: scopes_speaking
-- The owners of records that are linked to these entities.
select distinct e.scope from entity_link l cross join entry e
where l.tenant = :tenant and l.entity_id in each(:ids) and e.tenant = l.tenant and e.record_id = l.record_id
order by 1;

-- name: outdated_by
-- Records, still read, that a change of these records or turns outdates, and whether each is a profile. A profile says what all its
-- sources say, so any change does; what else was derived goes once a source no longer stands, unless it took that source's place, and
-- so does what was derived from it.
with recursive unfounded(id) as (
    select l.record_id from lineage l cross join status_event s
    where l.tenant = :tenant and l.source_id in each(:ids) and l.role = 'parent'
        and s.tenant = l.tenant and s.record_id = l.source_id and s.recorded_to = :forever
        and s.status not in ('provisional', 'active')
        and not (s.status = 'superseded' and coalesce(s.successor, '') = l.record_id)
    union
    select l.record_id from unfounded u cross join lineage l
    where l.tenant = :tenant and l.source_id = u.id and l.role = 'parent'
),
outdated(id, profile) as (
    select p.record_id, 1 from lineage l cross join entity_profile p
    where l.tenant = :tenant and l.source_id in each(:ids) and l.role = 'parent'
        and p.tenant = l.tenant and p.record_id = l.record_id
    union
    select id, 0 from unfounded
)
select o.id, max(o.profile) from outdated o cross join status_event s
where s.tenant = :tenant and s.record_id = o.id and s.recorded_to = :forever and s.status in ('provisional', 'active')
group by o.id order by 1;

-- name: profiles_ended
-- Entities whose profile is read no more, so that a new one is due.
select distinct coalesce(m.into_id, p.entity_id)
from entity_profile p left join entity_merge m on m.tenant = p.tenant and m.entity_id = p.entity_id
where p.tenant = :tenant and p.ended = 1
order by 1 limit :limit;

-- name: end_profiles
-- These profiles are read no more.
update entity_profile set ended = 1 where tenant = :tenant and record_id in each(:ids);

-- name: mentioned_between
-- Entities that records written between two positions are linked to, in the order of the records.
select coalesce(m.into_id, l.entity_id), max(e.key)
from entry e cross join entity_link l left join entity_merge m on m.tenant = l.tenant and m.entity_id = l.entity_id
where e.tenant = :tenant and e.key > :after and e.key <= :until
    and l.tenant = e.tenant and l.record_id = e.record_id
group by 1 order by 2, 1 limit :limit;
