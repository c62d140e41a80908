-- Declared roots, and the sections of their files.

-- name: list_roots
-- Every declared root.
select id, path, scope, pattern, user_id, agent_id, target, project, task, scanned_at from file_root
where tenant = :tenant order by path, id;

-- name: add_root
-- A declared root.
insert into file_root (tenant, id, path, scope, target, pattern, user_id, agent_id, project, task, added_at, scanned_at)
values (:tenant, :id, :path, :scope, :target, :pattern, :user_id, :agent_id, :project, :task, :at, null);

-- name: drop_root
-- It is followed no more.
delete from file_root where tenant = :tenant and id = :id;

-- name: drop_sections
-- Neither are its sections.
delete from file_section where tenant = :tenant and root_id = :id;

-- name: root_scanned
-- When it was looked at.
update file_root set scanned_at = :at where tenant = :tenant and id = :id;

-- name: sections_of_root
-- Every section that its files ever had, with the standing and the digest of the record it became.
select f.record_id, f.root_id, f.path, f.section, f.file_sha256, s.status, e.digest, f.missing_at
from file_section f cross join record r cross join entry e cross join status_event s
where f.tenant = :tenant and f.root_id = :root_id
    and r.tenant = f.tenant and r.id = f.record_id and e.tenant = r.tenant and e.key = r.live_key
    and s.tenant = f.tenant and s.record_id = f.record_id and s.recorded_to = :forever
order by f.path, f.section, r.created_at, f.record_id;

-- name: put_section
-- A record is a section of a file.
insert into file_section (tenant, record_id, root_id, path, section, file_sha256, scanned_at, missing_at)
values (:tenant, :record_id, :root_id, :path, :section, :file_sha256, :at, null)
on conflict (tenant, record_id) do update set root_id = excluded.root_id, path = excluded.path, section = excluded.section,
    file_sha256 = excluded.file_sha256, scanned_at = excluded.scanned_at, missing_at = null;

-- name: stamp_section
-- A section was looked at.
update file_section set scanned_at = :at, missing_at = case when :missing = 1 then :at else missing_at end
where tenant = :tenant and record_id = :record_id;
