-- Terms and the relations between them. Whatever is read lies in the readable scopes, below the ceiling and in the channel.

-- name: terms_named
-- The terms of these scopes that answer to a folded name.
select t.id, t.scope, t.name, t.sensitivity, t.channel from term_name n join term t on t.tenant = n.tenant and t.id = n.term_id
where n.tenant = :tenant and n.scope in each(:scopes) and n.name_key = :name_key
    and t.sensitivity <= :ceiling and (cast(:channel as text) is null or t.channel = :channel)
order by t.scope, t.id;

-- name: own_term
-- The term of an owner, in exactly this channel, that answers to a folded name.
select t.id, t.scope, t.name, t.sensitivity, t.channel from term_name n join term t on t.tenant = n.tenant and t.id = n.term_id
where n.tenant = :tenant and n.scope = :scope and n.channel_key = :channel_key and n.name_key = :name_key;

-- name: list_terms
-- The terms of these scopes, by name.
select t.id, t.scope, t.name, t.sensitivity, t.channel from term t
where t.tenant = :tenant and t.scope in each(:scopes)
    and t.sensitivity <= :ceiling and (cast(:channel as text) is null or t.channel = :channel)
order by t.name, t.scope, t.id limit :limit;

-- name: names_of_terms
-- What terms are called beside their names.
select n.term_id, n.name from term_name n join term t on t.tenant = n.tenant and t.id = n.term_id
where n.tenant = :tenant and n.term_id in each(:ids) and n.name <> t.name order by n.term_id, n.name_key;

-- name: relations_of
-- The relations of any of these terms that may be read, in a total order.
select r.id, r.scope, r.subject_id, s.name, r.predicate, r.object_id, o.name, r.source_id, r.evidence, r.creator, r.asserted_at
from relation r
    join term s on s.tenant = r.tenant and s.id = r.subject_id
    join term o on o.tenant = r.tenant and o.id = r.object_id
where r.tenant = :tenant and r.scope in each(:scopes) and r.sensitivity <= :ceiling
    and (cast(:channel as text) is null or r.channel = :channel)
    and (r.subject_id in each(:ids) or r.object_id in each(:ids))
order by s.name, r.predicate, o.name, r.scope, r.id limit :limit;

-- name: list_relations
-- The relations that may be read, in a total order.
select r.id, r.scope, r.subject_id, s.name, r.predicate, r.object_id, o.name, r.source_id, r.evidence, r.creator, r.asserted_at
from relation r
    join term s on s.tenant = r.tenant and s.id = r.subject_id
    join term o on o.tenant = r.tenant and o.id = r.object_id
where r.tenant = :tenant and r.scope in each(:scopes) and r.sensitivity <= :ceiling
    and (cast(:channel as text) is null or r.channel = :channel)
order by s.name, r.predicate, o.name, r.scope, r.id limit :limit;

-- name: find_relation
-- One relation that may be read.
select r.id, r.scope from relation r
where r.tenant = :tenant and r.id = :id and r.scope in each(:scopes) and r.sensitivity <= :ceiling
    and (cast(:channel as text) is null or r.channel = :channel);

-- name: same_relation
-- The relation that says so already.
select r.id from relation r
where r.tenant = :tenant and r.subject_id = :subject_id and r.predicate = :predicate and r.object_id = :object_id
    and r.scope = :scope and coalesce(r.source_id, '') = :source_key
order by r.id limit 1;

-- name: put_term
-- A term.
insert into term (tenant, id, scope, channel, sensitivity, name, declared_at)
values (:tenant, :id, :scope, :channel, :sensitivity, :name, :at);

-- name: put_term_name
-- A name of it, unless it has that name already.
insert into term_name (tenant, scope, channel_key, name_key, term_id, name)
select tenant, scope, coalesce(channel, ''), cast(:name_key as text), id, cast(:name as text) from term
where tenant = :tenant and id = :term_id
on conflict (tenant, scope, channel_key, name_key) do nothing;

-- name: put_relation
-- A relation.
insert into relation (
    tenant, id, scope, channel, sensitivity, subject_id, predicate, object_id, source_id, evidence, creator, asserted_at
) values (
    :tenant, :id, :scope, :channel, :sensitivity, :subject_id, :predicate, :object_id, :source_id, :evidence, :creator, :at
);

-- name: drop_relations
-- Relations.
delete from relation where tenant = :tenant and id in each(:ids);

-- name: drop_term_relations
-- Those of terms.
delete from relation where tenant = :tenant and (subject_id in each(:ids) or object_id in each(:ids));

-- name: drop_term_names
-- The names of terms.
delete from term_name where tenant = :tenant and term_id in each(:ids);

-- name: drop_terms
-- Terms.
delete from term where tenant = :tenant and id in each(:ids);

-- name: terms_resting_on
-- Terms of the relations that rest on these records and turns.
select subject_id from relation where tenant = :tenant and source_id in each(:ids)
union
select object_id from relation where tenant = :tenant and source_id in each(:ids)
order by 1;

-- name: erase_relations
-- Relations that rest on erased records and turns.
delete from relation where tenant = :tenant and source_id in each(:ids);

-- name: lonely_terms
-- Those of these terms that no relation is left of.
select t.id from term t
where t.tenant = :tenant and t.id in each(:ids)
    and not exists (select 1 from relation r where r.tenant = t.tenant and r.subject_id = t.id)
    and not exists (select 1 from relation r where r.tenant = t.tenant and r.object_id = t.id)
order by t.id;

-- name: check_associations
-- Relations join two terms of their owner, and a term's names are its owner's.
select r.tenant, r.id from relation r
where r.tenant = :tenant and (
    not exists (select 1 from term t where t.tenant = r.tenant and t.id = r.subject_id and t.scope = r.scope)
    or not exists (select 1 from term t where t.tenant = r.tenant and t.id = r.object_id and t.scope = r.scope))
union all
select n.tenant, n.term_id from term_name n
where n.tenant = :tenant
    and not exists (select 1 from term t where t.tenant = n.tenant and t.id = n.term_id and t.scope = n.scope)
order by 1, 2 limit 100;

-- name: repair_relations
-- Relations without both terms.
delete from relation
where tenant = :tenant and (
    not exists (select 1 from term t where t.tenant = relation.tenant and t.id = relation.subject_id and t.scope = relation.scope)
    or not exists (select 1 from term t where t.tenant = relation.tenant and t.id = relation.object_id and t.scope = relation.scope));

-- name: repair_terms
-- Names without their term.
delete from term_name
where tenant = :tenant and not exists (
    select 1 from term t where t.tenant = term_name.tenant and t.id = term_name.term_id and t.scope = term_name.scope);
