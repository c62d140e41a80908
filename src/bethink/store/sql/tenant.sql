-- The write counter and the last recorded time of a tenant.

-- name: read_tenant
-- Where the tenant stands.
select position, latest from tenant where tenant = :tenant;

-- name: write_tenant
-- Move the counter and the clock forward, once per transaction, under the writer's lock.
insert into tenant (tenant, position, latest) values (:tenant, :position, :latest)
on conflict (tenant) do update set position = excluded.position, latest = excluded.latest;
