-- How far the passes of upkeep have looked.

-- name: read_mark
-- How far a pass has come.
select position from upkeep_mark where tenant = :tenant and name = :pass_name;

-- name: set_mark
-- A pass has come so far.
insert into upkeep_mark (tenant, name, position) values (:tenant, :pass_name, :position)
on conflict (tenant, name) do update set position = excluded.position;
