-- Copying a store into another database. A query with the table mark stands for one query per table of store/tables.py.

-- name: count_table
-- How many rows a tenant has.
select count(*) from /*table*/ where tenant = :tenant;

-- name: begin_table
-- Its first rows in the order of the key.
select /*columns*/ from /*table*/ where tenant = :tenant order by /*key*/ limit :limit;

-- name: resume_table
-- The rows behind a key.
select /*columns*/ from /*table*/ where tenant = :tenant and (/*key*/) > (/*after*/) order by /*key*/ limit :limit;

-- name: copy_table
-- A row as it was read. That there is one already is an error.
insert into /*table*/ (/*columns*/) values (/*values*/);

-- name: keep_table
-- A row as it was read, unless it is there already.
insert into /*table*/ (/*columns*/) values (/*values*/) on conflict do nothing;

-- name: list_spaces
-- Every embedding space.
select id, spec, canary, calibration, state, created_at from space order by id;

-- name: drop_spaces
-- Those of a store that holds nothing else.
delete from space;

-- name: copy_space
-- A space as it was read.
insert into space (id, spec, canary, calibration, state, created_at)
values (:id, :spec, :canary, :calibration, :state, :created_at);
