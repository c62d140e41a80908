-- The taxonomy of a tenant, and what is filed under its nodes.

-- name: all_nodes
-- Every node.
select path, name from taxonomy_node where tenant = :tenant order by path;

-- name: put_node
-- Add a node, or name it anew.
insert into taxonomy_node (tenant, path, name, created_at) values (:tenant, :path, :name, :at)
on conflict (tenant, path) do update set name = excluded.name;

-- name: remove_nodes
-- Nodes.
delete from taxonomy_node where tenant = :tenant and path in each(:paths);

-- name: remove_filings
-- What is filed under nodes.
delete from taxonomy_filing where tenant = :tenant and path in each(:paths);

-- name: filed_of
-- Where records and turns are filed.
select record_id, path from taxonomy_filing
where tenant = :tenant and record_id in each(:ids)
order by record_id, path;

-- name: filed_under
-- What is filed under any of the nodes inside the fence, newest first.
select e.key
from (
        select distinct record_id from taxonomy_filing /*indexed by taxonomy_filing_of_path*/
        where tenant = :tenant and path in each(:paths)
    ) f
    cross join entry e /*indexed by entry_of_record*/ cross join status_event s
where e.record_id = f.record_id and /*fence*/
order by e.created_at desc, e.key desc limit :limit;

-- name: add_filing
-- File a record or turn under a node.
insert into taxonomy_filing (tenant, record_id, path, filed_by, filed_at) values (:tenant, :id, :path, :filed_by, :at)
on conflict (tenant, record_id, path) do nothing;

-- name: remove_filing
-- Take a record or turn out of a node.
delete from taxonomy_filing where tenant = :tenant and record_id = :id and path = :path;

-- name: inherit_filings
-- What replaces a record is filed where that is.
insert into taxonomy_filing (tenant, record_id, path, filed_by, filed_at)
select f.tenant, :new, f.path, 'successor', :at from taxonomy_filing f where f.tenant = :tenant and f.record_id = :old
on conflict (tenant, record_id, path) do nothing;

-- name: erase_filings
-- Where erased records and turns were filed.
delete from taxonomy_filing where tenant = :tenant and record_id in each(:ids);

-- name: repair_filings
-- Filings without their record or turn, or without their node.
delete from taxonomy_filing
where tenant = :tenant
    and (not exists (select 1 from entry e where e.tenant = taxonomy_filing.tenant and e.record_id = taxonomy_filing.record_id)
        or not exists (select 1 from taxonomy_node n where n.tenant = taxonomy_filing.tenant and n.path = taxonomy_filing.path));

-- name: check_filings
-- What is filed exists, and so does the node.
select f.tenant, f.record_id from taxonomy_filing f
where f.tenant = :tenant
    and (not exists (select 1 from entry e where e.tenant = f.tenant and e.record_id = f.record_id)
        or not exists (select 1 from taxonomy_node n where n.tenant = f.tenant and n.path = f.path))
order by 1, 2 limit 100;
