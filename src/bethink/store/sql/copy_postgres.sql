-- What PostgreSQL copies faster in one statement: `rows` is a JSON array of what the statement of the shared file binds.

-- name: copy_table_many
-- A page of rows as they were read. The empty row tells the types; cast to its name, `record` would be any row.
insert into /*table*/ (/*columns*/)
select /*columns*/ from json_populate_recordset((select t from /*table*/ t limit 0), :rows::json);
