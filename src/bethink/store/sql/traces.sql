-- Traces of recalls, in their own file.

-- name: add_trace
-- One recall; a repeat changes nothing.
insert into trace (tenant, id, user_id, agent_id, session_id, created_at, operator_expire_at, erased, body, operator)
values (:tenant, :id, :user_id, :agent_id, :session_id, :created_at, :operator_expire_at, :erased, :body, :operator)
on conflict (tenant, id) do nothing;

-- name: add_trace_refs
-- What it names.
insert into trace_ref (tenant, trace_id, hashes) values (:tenant, :id, :hashes)
on conflict (tenant, trace_id) do nothing;

-- name: find_traces
-- A principal's own traces whose id starts with a prefix; two are enough to know it is not unique.
select body, operator from trace
where tenant = :tenant and id >= :prefix and id < :prefix || '~' and user_id = :user_id and agent_id = :agent_id
order by id limit 2;

-- name: list_snapshots
-- A principal's own traces of the snapshots of a session from before a trace, the newest first. A wildcard stands for the
-- colon, which would begin a parameter.
select body from trace
where tenant = :tenant and user_id = :user_id and session_id = :session_id and created_at <= :until
    and (created_at < :until or id < :id) and agent_id = :agent_id and body like '%"moment"_"snapshot"%'
order by created_at desc, id desc limit 64;

-- name: list_own_traces
-- A principal's own traces behind one, in the order of their ids.
select body from trace
where tenant = :tenant and id > :after and user_id = :user_id and agent_id = :agent_id
    and (cast(:session_id as text) is null or session_id = :session_id)
order by id limit :limit;

-- name: list_unanswered
-- Recalls between two ids that gave nothing, in the order of their ids; what a trace says of an empty answer is in its body.
-- A wildcard stands for the colon, which would begin a parameter.
select id, user_id, agent_id, body from trace
where tenant = :tenant and id >= :after and id < :until and erased = 0 and body like '%"empty_reason"_"%'
order by id limit :limit;

-- name: list_trace_tenants
-- Who has traces whose operator fields may still be there, one look a tenant.
with recursive found (tenant) as (
    select min(tenant) from trace_ref
    union all
    select (select min(r.tenant) from trace_ref r where r.tenant > f.tenant) from found f where f.tenant is not null
)
select tenant from found where tenant is not null order by tenant;

-- name: expire_operator
-- Operator fields of a tenant whose time has come go.
update trace set operator = null where tenant = :tenant and operator is not null and operator_expire_at <= :now;

-- name: list_trace_refs
-- What every trace of a tenant names.
select trace_id, hashes from trace_ref where tenant = :tenant order by trace_id;

-- name: list_questions
-- The traces of a tenant since an instant that still hold their question, a page in the order of ids.
select id from trace
where tenant = :tenant and erased = 0 and created_at >= :since and id > :after
order by id limit :limit;

-- name: read_questions
-- What traces say, by id.
select id, body from trace where tenant = :tenant and id in each(:ids) order by id;

-- name: check_trace_tenants
-- Whose traces there are. A transaction of the whole store may see what traces name and not the traces.
select tenant from trace union select tenant from trace_ref order by 1;

-- name: list_traces
-- Every trace of a tenant, a page.
select id from trace where tenant = :tenant and id > :after order by id limit :limit;

-- name: read_whole_traces
-- Traces by id, with whose they are and what they are said to name.
select t.id, t.user_id, t.agent_id, t.erased, t.body, t.operator, r.hashes
from trace t left join trace_ref r on r.tenant = t.tenant and r.trace_id = t.id
where t.tenant = :tenant and t.id in each(:ids)
order by t.id;

-- name: put_trace_refs
-- What a trace names, made anew.
insert into trace_ref (tenant, trace_id, hashes) values (:tenant, :id, :hashes)
on conflict (tenant, trace_id) do update set hashes = excluded.hashes;

-- name: read_traces
-- Traces by id.
select id, body, operator from trace where tenant = :tenant and id in each(:ids) order by id;

-- name: put_trace_body
-- What a trace says now of its items; an erased one says nothing any more.
update trace set body = :body where tenant = :tenant and id = :id and erased = 0;

-- name: blank_trace
-- An erased trace: no words, no operator fields.
update trace set erased = 1, body = :body, operator = null where tenant = :tenant and id = :id;

-- name: delete_trace
-- A trace that can no longer be read.
delete from trace where tenant = :tenant and id = :id;

-- name: delete_trace_refs
-- What an erased trace named.
delete from trace_ref where tenant = :tenant and trace_id = :id;

-- name: delete_refs_of_user
-- What a user's traces name, or those of one session.
delete from trace_ref where tenant = :tenant and trace_id in (
    select id from trace where tenant = :tenant and user_id = :user_id
        and (cast(:session_id as text) is null or session_id = :session_id)
);

-- name: delete_traces_of_user
-- A user's traces, or those of one session.
delete from trace where tenant = :tenant and user_id = :user_id
    and (cast(:session_id as text) is null or session_id = :session_id);

-- name: add_erased
-- A record or turn whose words no trace may hold any more.
insert into trace_erased (tenant, hash) values (:tenant, :hash) on conflict (tenant, hash) do nothing;

-- name: any_erased
-- Whether anything of a tenant was ever erased.
select 1 from trace_erased where tenant = :tenant limit 1;

-- name: find_erased
-- Whether one of these was erased.
select 1 from trace_erased where tenant = :tenant and hash in each_number(:hashes) limit 1;
