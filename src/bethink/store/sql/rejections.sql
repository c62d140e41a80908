-- What was said not to be so, and what was asked for in vain. Statements and subjects stand here as keyed hashes.

-- name: add_rejection
-- One statement rejected; a second time changes nothing.
insert into rejection (tenant, scope, statement, id, reason, project, rank, record_id, trace_id, said_at)
values (:tenant, :scope, :statement, :id, :reason, :project, :rank, :record_id, :trace_id, :said_at)
on conflict (tenant, scope, statement, id) do nothing;

-- name: matching_rejections
-- Rejections of any of these statements in a scope, the latest first.
select distinct id, scope, reason, project, rank, record_id, trace_id, said_at from rejection
where tenant = :tenant and scope = :scope and statement in each(:statements)
order by said_at desc, id;

-- name: rejections_of
-- Rejections of records, the latest first.
select distinct id, scope, reason, project, rank, record_id, trace_id, said_at from rejection
where tenant = :tenant and record_id in each(:ids)
order by said_at desc, id;

-- name: lift_rejection
-- It counts no more.
delete from rejection where tenant = :tenant and id = :id;

-- name: note_hint
-- A subject was asked for in vain once more.
insert into hint (tenant, user_id, subject, entity_id, asked, first_at, last_at)
values (:tenant, :user_id, :subject, :entity_id, :asked, :at, :at)
on conflict (tenant, user_id, subject) do update set
    asked = hint.asked + excluded.asked, last_at = excluded.last_at,
    entity_id = coalesce(hint.entity_id, excluded.entity_id);

-- name: list_hints
-- A user's subjects asked for in vain so often, the most often first.
select user_id, subject, entity_id, asked, first_at, last_at from hint
where tenant = :tenant and user_id = :user_id and asked >= :least
order by asked desc, subject limit :limit;

-- name: drop_hint
-- It was followed.
delete from hint where tenant = :tenant and user_id = :user_id and subject = :subject;
