-- Transactions on SQLite.

-- name: begin_read
-- One snapshot, fixed by the first statement that reads.
begin deferred;

-- name: begin_write
-- The writer's lock at once: a lock asked for in the middle could fail where waiting does not help.
begin immediate;

-- name: commit
commit;

-- name: rollback
rollback;

-- name: check_pages
-- What the engine finds wrong in its pages; one row `ok` when it finds nothing.
pragma integrity_check;

-- name: vacuum
-- Write every page anew, so that no page keeps stale bytes of deleted rows between its cells.
vacuum;
