-- Text nodes: the parts of entries longer than a model's window. No search reads them.

-- name: read_nodes
-- The nodes of entries in a space, in the order of their words.
select key, first, last, vector from text_node
where tenant = :tenant and space = :space and key in each_number(:keys) order by key, ordinal;

-- name: drop_nodes
-- Entries whose vectors are written anew.
delete from text_node where tenant = :tenant and space = :space and key in each_number(:keys);

-- name: insert_node
-- One node.
insert into text_node (tenant, space, key, ordinal, first, last, vector)
values (:tenant, :space, :key, :ordinal, :first, :last, :vector);

-- name: copy_nodes
-- An entry with the words of another has its nodes.
insert into text_node (tenant, space, key, ordinal, first, last, vector)
select tenant, space, cast(:new as bigint), ordinal, first, last, vector from text_node
where tenant = :tenant and space in (select id from space) and key = :old
on conflict (tenant, space, key, ordinal) do nothing;

-- name: erase_nodes
-- Those of erased entries, in every space.
delete from text_node where tenant = :tenant and space in (select id from space) and key in each_number(:keys);

-- name: drop_space_nodes
-- Those of a space that is no longer used.
delete from text_node where tenant = :tenant and space = :space;

-- name: check_nodes
-- The nodes of an entry lie beside its vector, have a character each at least, and are as long together as its words.
select n.tenant, cast(n.key as text) from text_node n
    left join vector w on w.tenant = n.tenant and w.space = n.space and w.key = n.key
    left join version v on v.tenant = n.tenant and v.key = n.key
    left join turn t on t.tenant = n.tenant and t.key = n.key
where n.tenant = :tenant
group by n.tenant, n.space, n.key
having count(w.key) <> count(*) or min(n.ordinal) <> 1 or max(n.ordinal) <> count(*)
    or min(n.first) <> 0 or min(n.last - n.first) < 1 or sum(n.last - n.first) <> max(n.last)
    or max(n.last) <> max(length(coalesce(v.content, t.content, '')))
order by 1, 2 limit 100;

-- name: repair_torn
-- Entries whose nodes are not so wait for their vector anew, and for the nodes with it.
insert into embedding_pending (tenant, space, key)
select n.tenant, n.space, n.key from text_node n
    join entry e on e.tenant = n.tenant and e.key = n.key
    left join version v on v.tenant = n.tenant and v.key = n.key
    left join turn t on t.tenant = n.tenant and t.key = n.key
where n.tenant = :tenant
group by n.tenant, n.space, n.key
having min(n.ordinal) <> 1 or max(n.ordinal) <> count(*)
    or min(n.first) <> 0 or min(n.last - n.first) < 1 or sum(n.last - n.first) <> max(n.last)
    or max(n.last) <> max(length(coalesce(v.content, t.content, '')))
on conflict (tenant, space, key) do nothing;

-- name: repair_nodes
-- Nodes of what waits for its vector, or has none.
delete from text_node
where tenant = :tenant and (not exists (
        select 1 from vector w where w.tenant = text_node.tenant and w.space = text_node.space and w.key = text_node.key
    ) or exists (
        select 1 from embedding_pending p
        where p.tenant = text_node.tenant and p.space = text_node.space and p.key = text_node.key
    ));
