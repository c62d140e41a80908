-- Pairs of records that may say the same or contradict each other.

-- name: note_pair
-- A pair to be decided about; a known one stays as it is.
insert into record_pair (tenant, first_id, second_id, kind, cosine, decision, decided_by, found_at, claimed_until, decided_at)
values (:tenant, :first_id, :second_id, :kind, :cosine, 'deferred', '', :at, 0, null)
on conflict (tenant, first_id, second_id) do nothing;

-- name: unclaimed_pairs
-- Pairs of a kind nobody decided about and nobody holds, oldest first.
select first_id, second_id, kind, cosine from record_pair
where tenant = :tenant and kind = :kind and decision = 'deferred' and claimed_until <= :at
order by found_at, first_id, second_id limit :limit;

-- name: claim_pair
-- Somebody decides about it until then.
update record_pair set claimed_until = :until where tenant = :tenant and first_id = :first_id and second_id = :second_id;

-- name: decide_pair
-- What was decided.
update record_pair set decision = :decision, decided_by = :by, decided_at = :at
where tenant = :tenant and first_id = :first_id and second_id = :second_id;

-- name: reopen_pair
-- It says the same: to be decided about once more.
update record_pair set kind = 'near', decision = 'deferred', decided_by = '', decided_at = null, found_at = :at, claimed_until = 0
where tenant = :tenant and first_id = :first_id and second_id = :second_id;

-- name: count_waiting_pairs
-- How many of a kind nobody decided about.
select count(*) from record_pair where tenant = :tenant and kind = :kind and decision = 'deferred';

-- name: fresh_records
-- Beliefs whose live version was written between two positions, in that order.
select e.record_id, e.scope, e.project, e.key from entry e
where e.tenant = :tenant and e.key > :after and e.key <= :until and e.kind <> 'episodic' and e.retired_at = :forever
order by e.key limit :limit;

-- name: place_of_record
-- Whose a record is, and where it was learned.
select e.scope, e.project from record r cross join entry e
where r.tenant = :tenant and r.id = :id and e.tenant = r.tenant and e.key = r.live_key;
