-- Grants.

-- name: grants_of
-- Grants naming a user and agent.
select user_id, agent_id, scope, can_read, can_write, granted_at from scope_grant
where tenant = :tenant and user_id = :user_id and agent_id = :agent_id
order by scope;

-- name: all_grants
-- Every grant of a tenant.
select user_id, agent_id, scope, can_read, can_write, granted_at from scope_grant
where tenant = :tenant
order by user_id, agent_id, scope;

-- name: put_grant
-- Grant, or change a grant.
insert into scope_grant (tenant, user_id, agent_id, scope, can_read, can_write, granted_at)
values (:tenant, :user_id, :agent_id, :scope, :can_read, :can_write, :granted_at)
on conflict (tenant, user_id, agent_id, scope) do update set
    can_read = excluded.can_read, can_write = excluded.can_write, granted_at = excluded.granted_at;

-- name: revoke_grant
-- Take a grant back.
delete from scope_grant where tenant = :tenant and user_id = :user_id and agent_id = :agent_id and scope = :scope;
