-- Vectors: rows in the truth, and the segments derived from them.

-- name: insert_vector
-- A new vector of an entry in a space; 0 rows when it has one.
insert into vector (tenant, space, key, scope, vector) values (:tenant, :space, :key, :scope, vector(:vector))
on conflict (tenant, space, key) do nothing;

-- name: update_vector
-- Another vector for an entry that has one.
update vector set scope = :scope, vector = vector(:vector) where tenant = :tenant and space = :space and key = :key;

-- name: delete_pending
-- An entry that no longer waits for a vector.
delete from embedding_pending where tenant = :tenant and space = :space and key = :key;

-- name: delete_pending_entries
-- Erased entries wait for nothing, in any space.
delete from embedding_pending where tenant = :tenant and key in each_number(:keys);

-- name: delete_vectors
-- Vectors of the given entries in a space.
delete from vector where tenant = :tenant and space = :space and scope = :scope and key in each_number(:keys);

-- name: read_vectors
-- Vectors of the given entries, in key order.
select key, vector from vector
where tenant = :tenant and space = :space and scope = :scope and key in each_number(:keys) order by key;

-- name: vectors_of_entry
-- The vectors of an entry in every space.
select v.space, v.vector from space s cross join vector v where v.tenant = :tenant and v.space = s.id and v.key = :key;

-- name: read_vectors_beyond
-- Vectors of a scope beyond a key, in key order.
select key, vector from vector /*indexed by vector_of_scope*/
where tenant = :tenant and space = :space and scope = :scope and key > :after order by key;

-- name: list_vector_keys
-- The keys of a scope's vectors beyond one, as a list.
select list[key by key] from vector /*indexed by vector_of_scope*/
where tenant = :tenant and space = :space and scope = :scope and key > :after;

-- name: read_vector_state
-- Whether a copy of a scope's vectors is current.
select shape, rows from vector_state where tenant = :tenant and space = :space and scope = :scope;

-- name: put_vector_state
-- What changed: rows added or removed, and whether the shape did.
insert into vector_state (tenant, space, scope, shape, rows) values (:tenant, :space, :scope, :shape, :rows)
on conflict (tenant, space, scope) do update set shape = vector_state.shape + excluded.shape, rows = vector_state.rows + excluded.rows;

-- name: read_vector_spaces
-- The spaces a scope has vectors in.
select space from vector_state where tenant = :tenant and scope = :scope order by space;

-- name: count_vectors
-- Every scope and space with vectors of a tenant, counted from the truth.
select space, scope, count(*) from vector where tenant = :tenant group by space, scope order by space, scope;

-- name: list_vector_states
-- Every scope and space a tenant has, or had, vectors in.
select space, scope, rows from vector_state where tenant = :tenant order by space, scope;

-- name: list_segments
-- The segments of a scope, without their contents.
select first_key, shape, rows, last_key from vector_segment
where tenant = :tenant and space = :space and scope = :scope order by first_key;

-- name: read_segment_keys
-- The keys of the segments that may hold one of a range of entries.
select first_key, keys from vector_segment
where tenant = :tenant and space = :space and scope = :scope and first_key <= :highest and last_key >= :lowest
order by first_key;

-- name: read_segment_signs
-- The keys and signs of one segment. What comes behind them in the row is not read.
select keys, bits from vector_segment
where tenant = :tenant and space = :space and scope = :scope and first_key = :first_key;

-- name: read_segment_bytes
-- The rest of it.
select bytes from vector_segment
where tenant = :tenant and space = :space and scope = :scope and first_key = :first_key;

-- name: insert_segment
-- A sealed run.
insert into vector_segment (tenant, space, scope, first_key, last_key, shape, rows, keys, bits, bytes)
values (:tenant, :space, :scope, :first_key, :last_key, :shape, :rows, :keys, :bits, :bytes);

-- name: delete_segment
-- A segment whose vectors are loose from now on.
delete from vector_segment where tenant = :tenant and space = :space and scope = :scope and first_key = :first_key;

-- name: delete_segments
-- A tenant's segments, before they are built anew.
delete from vector_segment where tenant = :tenant;

-- name: drop_space_vectors
-- A space that is no longer used: its vectors,
delete from vector where tenant = :tenant and space = :space;

-- name: drop_space_segments
-- its segments
delete from vector_segment where tenant = :tenant and space = :space;

-- name: drop_space_states
-- and its states.
delete from vector_state where tenant = :tenant and space = :space;
