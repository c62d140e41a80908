-- What the screen said of stored texts: a note beside each, under which rules it is clean.

-- name: list_clean_under_others
-- Texts that other rules than these found clean, by key. What those found something in is screened at every recall anyway.
select key, cast(null as text), content, 'turn' from turn
where tenant = :tenant and key > :after and screened <> 0 and screened <> :rules
union all
select key, subject, content, 'version' from version
where tenant = :tenant and key > :after and screened <> 0 and screened <> :rules
order by key limit :limit;

-- name: put_screened_turn
-- What the screen says of a turn.
update turn set screened = :screened where tenant = :tenant and key = :key;

-- name: put_screened_version
-- What it says of a version.
update version set screened = :screened where tenant = :tenant and key = :key;
