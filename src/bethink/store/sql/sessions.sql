-- Sessions.

-- name: get_session
-- A session of one of the scopes, of the first by key where several hold that id.
select id, scope, user_id, agent_id, project, channel, opened_at, closed_at from session
where tenant = :tenant and scope in each(:scopes) and id = :id
order by scope limit 1;

-- name: put_session
-- A new session, or the end of one that exists.
insert into session (tenant, id, scope, user_id, agent_id, project, channel, opened_at, closed_at, next_seq)
values (:tenant, :id, :scope, :user_id, :agent_id, :project, :channel, :opened_at, :closed_at, 0)
on conflict (tenant, scope, id) do update set closed_at = excluded.closed_at;

-- name: ensure_session
-- The session's row, untouched when it exists.
insert into session (tenant, id, scope, user_id, agent_id, project, channel, opened_at, closed_at, next_seq)
values (:tenant, :id, :scope, :user_id, :agent_id, :project, :channel, :opened_at, :closed_at, 0)
on conflict (tenant, scope, id) do nothing;

-- name: next_seq
-- The place of the next turn.
select next_seq from session where tenant = :tenant and scope = :scope and id = :id;

-- name: set_next_seq
-- Places taken.
update session set next_seq = :next_seq where tenant = :tenant and scope = :scope and id = :id;

-- name: get_reading
-- How far a session was read for beliefs.
select next_seq, upto, claim, claimed_until, outcome, problem, runs, summary_id from extraction
where tenant = :tenant and scope = :scope and session_id = :id;

-- name: put_reading
-- The same, set.
insert into extraction (
    tenant, scope, session_id, next_seq, upto, claim, claimed_until, outcome, problem, runs, summary_id, updated_at
) values (:tenant, :scope, :id, :next_seq, :upto, :claim, :until, :outcome, :problem, :runs, :summary, :at)
on conflict (tenant, scope, session_id) do update set
    next_seq = excluded.next_seq, upto = excluded.upto, claim = excluded.claim, claimed_until = excluded.claimed_until,
    outcome = excluded.outcome, problem = excluded.problem, runs = excluded.runs, summary_id = excluded.summary_id,
    updated_at = excluded.updated_at;
