-- Sessions.

-- name: get_session
-- A session whose scope is among the readable ones.
select id, scope, user_id, agent_id, project, channel, opened_at, closed_at from session
where tenant = :tenant and id = :id and scope in each(:scopes);

-- name: put_session
-- A new session, or the end of one that exists in that scope.
insert into session (tenant, id, scope, user_id, agent_id, project, channel, opened_at, closed_at, next_seq)
values (:tenant, :id, :scope, :user_id, :agent_id, :project, :channel, :opened_at, :closed_at, 0)
on conflict (tenant, id) do update set closed_at = excluded.closed_at where session.scope = excluded.scope;

-- name: ensure_session
-- The session's row, untouched when it exists.
insert into session (tenant, id, scope, user_id, agent_id, project, channel, opened_at, closed_at, next_seq)
values (:tenant, :id, :scope, :user_id, :agent_id, :project, :channel, :opened_at, :closed_at, 0)
on conflict (tenant, id) do nothing;

-- name: next_seq
-- The place of the next turn.
select next_seq from session where tenant = :tenant and id = :id;

-- name: set_next_seq
-- Places taken.
update session set next_seq = :next_seq where tenant = :tenant and id = :id;
