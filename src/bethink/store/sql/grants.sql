-- Grants.

-- name: grants_of
-- Grants naming a user and agent.
select user_id, agent_id, scope, can_read, can_write, granted_at from scope_grant
where tenant = :tenant and user_id = :user_id and agent_id = :agent_id
order by scope;

-- name: all_grants
-- Every grant of a tenant that still opens something.
select user_id, agent_id, scope, can_read, can_write, granted_at from scope_grant
where tenant = :tenant and (can_read = 1 or can_write = 1)
order by user_id, agent_id, scope;

-- name: put_grant
-- Grant, or change a grant.
insert into scope_grant (tenant, user_id, agent_id, scope, can_read, can_write, granted_at)
values (:tenant, :user_id, :agent_id, :scope, :can_read, :can_write, :granted_at)
on conflict (tenant, user_id, agent_id, scope) do update set
    can_read = excluded.can_read, can_write = excluded.can_write, granted_at = excluded.granted_at;

-- name: revoke_grant
-- Take a grant back. The row stays and says no, so that nobody gives it again unasked.
update scope_grant set can_read = 0, can_write = 0
where tenant = :tenant and user_id = :user_id and agent_id = :agent_id and scope = :scope
    and (can_read = 1 or can_write = 1);

-- name: grant_decided
-- Whether this grant was ever given or taken back.
select 1 from scope_grant
where tenant = :tenant and user_id = :user_id and agent_id = :agent_id and scope = :scope;
