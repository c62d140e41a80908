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

-- name: find_similar_names_each
-- The same for every wanted name at once.
select asked.at - 1, found.scope, found.name, found.shared
from json_array_elements(:rows::json) with ordinality as asked (item, at) cross join lateral (
    select g.scope, g.name, count(*) as shared from name_gram g
    where g.tenant = :tenant and g.scope in each(:scopes)
        and g.gram = any(array(select json_array_elements_text((asked.item ->> 'grams')::json)))
    group by g.scope, g.name having count(*) >= (asked.item ->> 'least')::bigint
    order by shared desc, g.scope, g.name limit :limit
) found
order by asked.at, found.shared desc, found.scope, found.name;

-- name: read_postings_each
-- The lists of several terms at once.
select asked.at - 1, found.keys, found.packed
from json_array_elements(:rows::json) with ordinality as asked (item, at) cross join lateral (
    select list[p.key by p.key] as keys, list[p.packed by p.key] as packed from posting p
    where p.tenant = :tenant and p.scope = :scope and p.term = asked.item ->> 'term'
        and p.key > (asked.item ->> 'after')::bigint
) found
order by asked.at;
