-- Entities.

-- name: resolve_entity
-- Entities that answer exactly to a folded name in these scopes.
select n.id, n.kind, n.name, n.scope, n.provisional from entity_alias a cross join entity n
where a.tenant = :tenant and a.scope in each(:scopes) and a.alias_key = :alias_key
    and n.tenant = a.tenant and n.id = a.entity_id
order by n.id;

-- name: aliases_of
-- Every name of entities.
select entity_id, alias_key, alias from entity_alias
where tenant = :tenant and entity_id in each(:ids)
order by entity_id, alias_key;

-- name: add_entity
-- A named thing.
insert into entity (tenant, id, kind, name, scope, provisional, created_at)
values (:tenant, :id, :kind, :name, :scope, :provisional, :at);

-- name: add_alias
-- A name it answers to.
insert into entity_alias (tenant, scope, alias_key, entity_id, alias) values (:tenant, :scope, :alias_key, :id, :alias)
on conflict (tenant, scope, alias_key, entity_id) do nothing;
