-- Skills.

-- name: list_skills
-- What is seen of the skills of these scopes before one is loaded.
select id, description, scope from skill
where tenant = :tenant and scope in each(:scopes)
order by id, scope;

-- name: get_skill
-- One skill, whole.
select id, description, instructions, tool_names, scope, version, sha256, creator from skill
where tenant = :tenant and scope = :scope and id = :id;

-- name: put_skill
-- Register it, in the place of an earlier one.
insert into skill (
    tenant, scope, id, version, description, tool_names, sha256, creator, registered_at, instructions
) values (:tenant, :scope, :id, :version, :description, :tool_names, :sha256, :creator, :at, :instructions)
on conflict (tenant, scope, id) do update set
    version = excluded.version, description = excluded.description, tool_names = excluded.tool_names,
    sha256 = excluded.sha256, creator = excluded.creator, registered_at = excluded.registered_at,
    instructions = excluded.instructions;

-- name: drop_skill
-- It is no more.
delete from skill where tenant = :tenant and scope = :scope and id = :id;
