-- The search index: postings, names, and the fence's columns.

-- name: read_postings
-- A term's posting list in a scope beyond a key, as two aligned lists in key order.
select list[key by key], list[packed by key] from posting
where tenant = :tenant and scope = :scope and term = :term and key > :after;

-- name: list_postings
-- A scope's posting lists in the order of terms, a page at a time.
select term, list[key by key], list[packed by key] from posting
where tenant = :tenant and scope = :scope and term > :after
group by term order by term limit :limit;

-- name: list_posting_scopes
-- The scopes a tenant has postings or names in.
select scope from posting where tenant = :tenant union select scope from name_entry where tenant = :tenant order by scope;

-- name: insert_posting
-- One term of one entry.
insert into posting (tenant, scope, term, key, packed) values (:tenant, :scope, :term, :key, :packed)
on conflict (tenant, scope, term, key) do update set packed = excluded.packed;

-- name: delete_postings
-- Every term of the given entries of a scope. One pass over the scope: an erase may not trust that the text gives the same terms today.
delete from posting where tenant = :tenant and scope = :scope and key in each_number(:keys);

-- name: delete_all_postings
-- A tenant's postings, before they are built anew.
delete from posting where tenant = :tenant;

-- name: read_entry_columns
-- What the fence looks at, of the entries of a scope beyond a position, as it was at another: one row, each column a list in key
-- order. Ends are counted from their open value, so that the lists are short. Only turns have a place in a session.
select list[e.key by e.key], list[e.seq by e.key], list[e.valid_from + 1152921504606846976 by e.key],
    list[e.valid_until - 1152921504606846976 by e.key],
    list[coalesce(e.event_at, nullif(e.valid_from, -1152921504606846976), e.recorded_at) by e.key],
    list[e.recorded_at by e.key],
    list[case when e.retired_position <= :upto then e.retired_at - 1152921504606846976 else 0 end by e.key],
    list[case when e.retired_position <= :upto then e.retired_position else 0 end by e.key],
    lines[concat_ws(char(31), e.kind, e.type, coalesce(e.channel, ''), e.sensitivity, e.portability,
        coalesce(e.project, ''), e.subject_key, coalesce(e.speaker_key, ''), e.source_kind) by e.key],
    lines[case when e.type = 'turn' then coalesce(e.session_id, '') else '' end by e.key]
from entry e /*indexed by entry_of_scope*/
where e.tenant = :tenant and e.scope = :scope and e.key > :last and e.key <= :upto;

-- name: read_span_columns
-- The status history of those entries, the same way: in key order, then by position.
select list[s.status by e.key, s.position], list[e.key by e.key, s.position], list[s.recorded_from by e.key, s.position],
    list[s.ends_at - 1152921504606846976 by e.key, s.position], list[s.position by e.key, s.position]
from entry e /*indexed by entry_of_scope*/ cross join status_event s
where e.tenant = :tenant and e.scope = :scope and e.key > :last and e.key <= :upto
    and s.tenant = e.tenant and s.record_id = e.record_id and s.position <= :upto;

-- name: read_status_changes
-- Status changes of a scope between the positions, for entries known before. No key: the entry was erased, its event alone is left.
select e.key, s.recorded_from, s.ends_at, s.position, s.status
from status_event s left join entry e
    on e.tenant = s.tenant and e.record_id = s.record_id and e.scope = s.scope
where s.tenant = :tenant and s.scope = :scope and s.position > :last and s.position <= :upto and (e.key is null or e.key <= :last)
order by s.position, e.key;

-- name: read_entry_keys
-- The keys of a scope up to one, as a list.
select list[key by key] from entry /*indexed by entry_of_scope*/ where tenant = :tenant and scope = :scope and key <= :last;

-- name: read_retirements
-- Versions of a scope retired between the positions and known before.
select key, retired_at, retired_position from entry
where tenant = :tenant and scope = :scope and retired_position > :last and retired_position > 0 and key <= :last
    and retired_position <= :upto
order by key;

-- name: find_similar_names
-- Names of the readable scopes that share the most trigrams with a wanted name.
select scope, name, count(*) as shared from name_gram
where tenant = :tenant and scope in each(:scopes) and gram in each(:grams)
group by scope, name having count(*) >= :least
order by shared desc, scope, name limit :limit;

-- name: read_bearers
-- The entries that bear a name, one page in key order.
select key from name_entry
where tenant = :tenant and scope = :scope and name = :name and key > :after
order by key limit :limit;

-- name: list_bearers
-- Every name of a scope with its bearers.
select name, list[key by key] from name_entry where tenant = :tenant and scope = :scope group by name order by name;

-- name: list_name_grams
-- Every name of a scope that has trigrams, and how many.
select name, count(*) from name_gram where tenant = :tenant and scope = :scope group by name order by name;

-- name: insert_name_gram
-- One trigram of a name.
insert into name_gram (tenant, scope, gram, name) values (:tenant, :scope, :gram, :name)
on conflict (tenant, scope, gram, name) do nothing;

-- name: insert_name_entry
-- An entry that bears a name; 0 rows when it was known.
insert into name_entry (tenant, scope, name, key) values (:tenant, :scope, :name, :key)
on conflict (tenant, scope, name, key) do nothing;

-- name: has_name
-- Whether any entry of a scope bears a name.
select 1 from name_entry where tenant = :tenant and scope = :scope and name = :name limit 1;

-- name: read_borne_names
-- The names the given entries of a scope bear. One pass over the scope, as for their terms.
select distinct name from name_entry where tenant = :tenant and scope = :scope and key in each_number(:keys);

-- name: delete_name_entries
-- The given entries of a scope as bearers of names.
delete from name_entry where tenant = :tenant and scope = :scope and key in each_number(:keys);

-- name: delete_name_grams
-- The trigrams of a name nobody bears any more.
delete from name_gram where tenant = :tenant and scope = :scope and gram in each(:grams) and name = :name;

-- name: delete_all_name_grams
-- A tenant's trigrams, before they are built anew.
delete from name_gram where tenant = :tenant;

-- name: delete_all_name_entries
-- A tenant's bearers of names, before they are built anew.
delete from name_entry where tenant = :tenant;

-- name: read_links
-- The entries of a scope beyond a key that are linked to an entity, as a posting list whose counts are 0. Two indexes answer.
select list[found.key by found.key], list[0 by found.key]
from (
    select e.key
    from (select distinct record_id from entity_link where tenant = :tenant and entity_id = :term) l
        cross join entry e /*indexed by entry_of_record*/
    where e.tenant = :tenant and e.record_id = l.record_id and e.scope = :scope and e.key > :after
    order by e.key
) found;

-- name: find_named_entities
-- Entities of the readable scopes with an alias exactly among the names, and all that are one with them.
with named (entity_id, alias_key, scope) as materialized (
    select entity_id, alias_key, scope from entity_alias
    where tenant = :tenant and scope in each(:scopes) and alias_key in each(:names)
)
select entity_id, alias_key, scope from named
union
select m.into_id, n.alias_key, n.scope from named n cross join entity_merge m
where m.tenant = :tenant and m.entity_id = n.entity_id
union
select o.entity_id, n.alias_key, n.scope from named n cross join entity_merge m cross join entity_merge o
where m.tenant = :tenant and m.entity_id = n.entity_id and o.tenant = :tenant and o.into_id = m.into_id
union
select o.entity_id, n.alias_key, n.scope from named n cross join entity_merge o
where o.tenant = :tenant and o.into_id = n.entity_id
order by 1, 2, 3;


-- name: find_aliases
-- Every name of entities in the readable scopes; `names` are ids.
select entity_id, alias_key, scope from entity_alias
where tenant = :tenant and entity_id in each(:names) and scope in each(:scopes)
order by entity_id, alias_key, scope;

-- name: find_related
-- The entities that relationships join to the given ones. Few records link an entity, so they come first.
select distinct o.entity_id
from entity_link l cross join entity_link o cross join entry e cross join status_event s
where l.tenant = :tenant and l.entity_id in each(:entities)
    and o.tenant = l.tenant and o.record_id = l.record_id and not (o.entity_id in each(:entities))
    and e.record_id = l.record_id and e.type = 'relationship' and /*fence*/
order by 1 limit 16;

-- name: read_openings
-- How the given versions begin; as far as text/owning.py reads.
select key, subject, substr(content, 1, 160), polarity from version
where tenant = :tenant and key in each_number(:keys) order by key;
