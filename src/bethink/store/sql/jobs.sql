-- Work to do later, by workers of any process. A claim leaves `run_at` alone: where it has moved since, somebody asked again.
-- `due_at` is when a worker may take the job; 2^60, written out so that a partial index serves, is never.

-- name: put_job
-- Work to be done. What waits under this id takes the new time, what is dead is tried anew, what runs is done once more.
insert into job (tenant, id, kind, payload, state, attempts, run_at, due_at)
values (:tenant, :id, :kind, :payload, 'waiting', 0, :run_at, :run_at)
on conflict (tenant, id) do update set
    payload = excluded.payload, run_at = excluded.run_at,
    attempts = case when job.state = 'dead' then 0 else job.attempts end,
    due_at = case when job.state = 'running' then job.due_at else excluded.due_at end,
    state = case when job.state = 'dead' then 'waiting' else job.state end;

-- name: named_tenants
-- Who ever wrote.
select tenant from tenant order by tenant;

-- name: known_jobs
-- Which of these jobs every tenant has.
select tenant, id from job where id in each(:ids);

-- name: due_tenants
-- Tenants with work that is due, or whose claim has run out.
select distinct tenant from job
where due_at <= :at and kind in each(:kinds)
order by tenant;

-- name: claim_jobs
-- Take the oldest due work. The rows are picked once, before any is changed, and what another worker is taking is passed over.
with picked as materialized (
    select id from job
    where tenant = :tenant and due_at <= :at and kind in each(:kinds)
    order by due_at, id limit :limit /*for update skip locked*/
)
update job set state = 'running', claim = :claim, due_at = :until, attempts = attempts + 1
where tenant = :tenant and id in (select id from picked)
returning tenant, id, kind, payload, state, attempts, run_at, problem, claim, due_at;

-- name: finish_job
-- Work done: its row goes, when nobody asked for it again.
delete from job where tenant = :tenant and id = :id and claim = :claim and state = 'running' and run_at = :run_at;

-- name: release_job
-- Work done that was asked for again: it waits.
update job set state = 'waiting', claim = null, due_at = run_at, attempts = 0, problem = null
where tenant = :tenant and id = :id and claim = :claim and state = 'running';

-- name: delay_job
-- Work that waits again; where it was asked for meanwhile, until then.
update job set state = 'waiting', claim = null, attempts = :attempts, problem = :problem,
    run_at = case when run_at = :asked_at then :run_at else run_at end,
    due_at = case when run_at = :asked_at then :run_at else run_at end
where tenant = :tenant and id = :id and claim = :claim and state = 'running';

-- name: bury_job
-- Work given up.
update job set state = 'dead', claim = null, due_at = 1152921504606846976, problem = :problem
where tenant = :tenant and id = :id and claim = :claim and state = 'running';

-- name: revive_job
-- Dead work, tried anew.
update job set state = 'waiting', attempts = 0, run_at = :run_at, due_at = :run_at where tenant = :tenant and id = :id and state = 'dead';

-- name: show_jobs
-- Jobs, those due first in front.
select tenant, id, kind, payload, state, attempts, run_at, problem, claim, due_at from job
where (cast(:tenant as text) is null or tenant = :tenant) and (cast(:state as text) is null or state = :state)
order by run_at, tenant, id limit :limit;

-- name: count_job_states
-- How many jobs there are, by state.
select state, count(*) from job where cast(:tenant as text) is null or tenant = :tenant group by state order by state;

-- name: list_jobs
-- Work of a kind, over all tenants, oldest first.
select tenant, id from job where kind = :kind order by run_at, tenant, id;

-- name: count_jobs
-- How much work of a kind waits.
select count(*) from job where kind = :kind;

-- name: finish_scrub
-- An erase has reached the free pages.
delete from job where tenant = :tenant and id = :id;

-- name: delay_scrub
-- An erase that has to be tried again.
update job set attempts = attempts + 1, problem = :problem where tenant = :tenant and id = :id;
