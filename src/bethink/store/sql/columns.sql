-- Sealed segments of the fence's columns; see store/column_segments.py.

-- name: read_column_segments
-- The segments of a scope in the order of the chain.
select position, previous, body from column_segment where tenant = :tenant and scope = :scope order by position;

-- name: list_column_segments
-- The same without what is in them.
select position, previous, rows from column_segment where tenant = :tenant and scope = :scope order by position;

-- name: last_column_segment
-- Up to where a scope is sealed.
select position from column_segment where tenant = :tenant and scope = :scope order by position desc limit 1;

-- name: find_column_end
-- The entry of a scope that has so many before it behind a position; none where there are fewer.
select key from entry /*indexed by entry_of_scope*/ where tenant = :tenant and scope = :scope and key > :last
order by key limit 1 offset :before;

-- name: put_column_segment
-- A segment, or what it is now.
insert into column_segment (tenant, scope, position, previous, rows, body)
values (:tenant, :scope, :position, :previous, :rows, :body)
on conflict (tenant, scope, position) do update set rows = excluded.rows, body = excluded.body;

-- name: delete_column_segment
-- A segment that holds nothing.
delete from column_segment where tenant = :tenant and scope = :scope and position = :position;

-- name: delete_column_segments
-- A tenant's segments, before they are built anew.
delete from column_segment where tenant = :tenant;

-- name: list_column_scopes
-- The scopes a tenant has segments of.
select distinct scope from column_segment where tenant = :tenant order by scope;

-- name: list_entry_scopes
-- The scopes a tenant has entries in.
select distinct scope from entry where tenant = :tenant order by scope;

-- name: erased_positions
-- The positions at which the given records and turns changed.
select key from entry where tenant = :tenant and record_id in each(:ids)
union select retired_position from entry where tenant = :tenant and record_id in each(:ids)
union select position from status_event where tenant = :tenant and record_id in each(:ids)
order by 1;
