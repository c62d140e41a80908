-- What PostgreSQL writes faster in one statement: `rows` is a JSON array of what the statement of the shared file binds.

-- name: insert_posting_many
-- The terms of an entry.
insert into posting (tenant, scope, term, key, packed)
select tenant, scope, term, key, packed
from json_to_recordset(:rows::json) as given (tenant text, scope text, term text, key bigint, packed bigint)
on conflict (tenant, scope, term, key) do update set packed = excluded.packed;

-- name: insert_name_gram_many
-- The trigrams of a name.
insert into name_gram (tenant, scope, gram, name)
select tenant, scope, gram, name
from json_to_recordset(:rows::json) as given (tenant text, scope text, gram text, name text)
on conflict (tenant, scope, gram, name) do nothing;
