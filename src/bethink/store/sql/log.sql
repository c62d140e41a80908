-- What happened and what follows: events, answers to repeated requests, tombstones.

-- name: add_event
-- Append to the log.
insert into event (tenant, position, part, kind, subject, at, payload)
values (:tenant, :position, :part, :kind, :subject, :at, :payload);

-- name: events_after
-- The log behind a position.
select position, part, kind, subject, at, payload from event
where tenant = :tenant and position > :position
order by position, part limit :limit;

-- name: get_answer
-- What a request with this key was answered.
select request_hash, answer from idempotency
where tenant = :tenant and principal = :principal and idempotency_key = :idempotency_key;

-- name: put_answer
-- Keep an answer.
insert into idempotency (tenant, principal, idempotency_key, request_hash, answer, record_id, created_at)
values (:tenant, :principal, :idempotency_key, :request_hash, :answer, :record_id, :at);

-- name: replace_answer
-- Keep an answer in place of an earlier one.
insert into idempotency (tenant, principal, idempotency_key, request_hash, answer, record_id, created_at)
values (:tenant, :principal, :idempotency_key, :request_hash, :answer, null, :at)
on conflict (tenant, principal, idempotency_key) do update set answer = excluded.answer;

-- name: add_tombstone
-- Content that must not come back, as a keyed hash.
insert into tombstone (tenant, digest, erased_at) values (:tenant, :digest, :at)
on conflict (tenant, digest) do nothing;

-- name: has_tombstone
-- Whether content was erased.
select 1 from tombstone where tenant = :tenant and digest = :digest;

-- name: last_receipt
-- The end of the chain.
select number, digest from receipt where tenant = :tenant and number > 0 order by number desc limit 1;

-- name: add_receipt
-- One more.
insert into receipt (tenant, number, at, previous, digest, body)
values (:tenant, :number, :at, :previous, :digest, :body);

-- name: list_receipts
-- Receipts behind a number.
select number, previous, digest, body from receipt
where tenant = :tenant and number > :after
order by number limit :limit;

-- name: check_receipt_events
-- What the log says of receipts, by number.
select subject, payload from event where tenant = :tenant and kind = :kind order by position, part;
