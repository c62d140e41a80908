-- Embedding spaces and what waits for a vector.

-- name: active_space
-- The space queries use.
select id, spec, canary from space where state = 'active';

-- name: get_space
-- One space.
select id, spec, canary, state from space where id = :id;

-- name: add_space
-- A space: active when it is the first, else building beside the active one.
insert into space (id, spec, canary, calibration, state, created_at)
select :id, :spec, :canary, '{}', case when exists (select 1 from space where state = 'active') then 'building' else 'active' end, :at
where true
on conflict (id) do nothing;

-- name: enqueue_space
-- Everything a tenant has waits for a vector in a new space.
insert into embedding_pending (tenant, space, key)
select tenant, :id, key from entry where tenant = :tenant
on conflict (tenant, space, key) do nothing;

-- name: pending_tenants
-- Whose entries wait in a space: one look a tenant. PostgreSQL makes a join of `exists` and goes through all that waits.
select tenant from tenant t
where (select 1 from embedding_pending p where p.tenant = t.tenant and p.space = :space limit 1) = 1
order by tenant;

-- name: pending_entries
-- What of a tenant waits in a space, oldest first, with what to embed.
select p.tenant, p.key, v.subject, coalesce(v.content, ''), t.speaker, t.said_at, coalesce(t.content, '')
from embedding_pending p
    left join version v on v.tenant = p.tenant and v.key = p.key
    left join turn t on t.tenant = p.tenant and t.key = p.key
where p.tenant = :tenant and p.space = :space
order by p.key limit :limit;

-- name: count_pending
-- How many wait in a space.
select count(*) from embedding_pending where space = :space;

-- name: scopes_of_keys
-- The scope of entries that still exist.
select key, scope from entry where tenant = :tenant and key in each_number(:keys);

-- name: activate_space
-- The one space queries use from now on.
update space set state = 'active' where id = :id;

-- name: other_spaces
-- The spaces it replaces.
select id from space where id <> :id order by id;

-- name: drop_other_spaces
-- Their rows.
delete from space where id <> :id;

-- name: drop_other_pending
-- What waited for them.
delete from embedding_pending where tenant = :tenant and space <> :id;
