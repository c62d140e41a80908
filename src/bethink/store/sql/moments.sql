-- Snapshots of sessions.

-- name: get_session_snapshot
-- The frame of what was frozen for a reader of a session.
select epoch, position, trace_id, sha256, opening from session_snapshot
where tenant = :tenant and scope = :scope and session_id = :session and reader = :reader;

-- name: snapshot_lines
-- Its lines, in their order.
select record_id, short_id, line from snapshot_line
where tenant = :tenant and scope = :scope and session_id = :session and reader = :reader
order by place;

-- name: put_session_snapshot
-- The frame, in the place of an earlier one.
insert into session_snapshot (
    tenant, scope, session_id, reader, epoch, position, trace_id, sha256, opening, taken_at
) values (:tenant, :scope, :session, :reader, :epoch, :position, :trace_id, :sha256, :opening, :at)
on conflict (tenant, scope, session_id, reader) do update set
    epoch = excluded.epoch, position = excluded.position, trace_id = excluded.trace_id, sha256 = excluded.sha256,
    opening = excluded.opening, taken_at = excluded.taken_at;

-- name: add_snapshot_line
-- One line.
insert into snapshot_line (tenant, scope, session_id, reader, place, record_id, short_id, line)
values (:tenant, :scope, :session, :reader, :place, :record_id, :short_id, :line);

-- name: drop_snapshot_lines
-- The lines of an earlier one.
delete from snapshot_line
where tenant = :tenant and scope = :scope and session_id = :session and reader = :reader;
