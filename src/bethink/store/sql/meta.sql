-- The store itself: the ledger of migrations, its id, the secret of keyed hashes.

-- name: read_meta
-- One value.
select value from meta where name = :name;

-- name: list_meta
-- Every value whose name starts with a prefix; the caller's prefix holds no wildcard.
select name, value from meta where name >= :prefix and name < :prefix || '~' order by name;

-- name: put_meta
-- Set a value.
insert into meta (name, value) values (:name, :value) on conflict (name) do update set value = excluded.value;

-- name: delete_meta
-- Remove a value.
delete from meta where name = :name;
