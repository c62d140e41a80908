"""Jobs are claimed by one worker at a time, come back when their claim runs out, and are never forgotten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest

from bethink.domain.job import Job, JobState, NewJob
from bethink.ports.jobs import JobQueue, Lease
from bethink.store.store import DatabaseStore
from bethink.testing.fakes import ManualClock
from tests.store.things import TENANT, Things

KINDS = ("read", "expire")
MINUTE = timedelta(minutes=1)


@pytest.fixture
def queue(store: DatabaseStore) -> JobQueue:
    return store.jobs


@pytest.fixture
def now(clock: ManualClock) -> datetime:
    return clock.now()


class Undone(Exception):
    """What takes a write back."""


def lease(at: datetime, name: str = "w1") -> Lease:
    return Lease(name, at, at + 10 * MINUTE)


def claim(queue: JobQueue, at: datetime, name: str = "w1", *, tenant: str = TENANT, limit: int = 10) -> list[Job]:
    return list(queue.claim(tenant, KINDS, lease(at, name), limit))


def ids(jobs: list[Job]) -> list[str]:
    return [job.id for job in jobs]


def test_a_job_that_is_not_due_waits(queue, now):
    queue.put(TENANT, [NewJob("a", "read", now + MINUTE)])

    assert (queue.due(KINDS, now), claim(queue, now)) == ((), [])
    assert queue.due(KINDS, now + MINUTE) == (TENANT,)
    assert ids(claim(queue, now + MINUTE)) == ["a"]


def test_the_oldest_due_jobs_are_claimed_first_and_carry_what_they_were_given(queue, now):
    queue.put(
        TENANT, [NewJob(name, "read", now - at * MINUTE, {"n": at}) for name, at in (("a", 1), ("b", 3), ("c", 2))]
    )

    first, second = claim(queue, now, limit=2)

    assert (first.id, second.id) == ("b", "c")
    assert (first.payload, first.state, first.attempts) == ({"n": 3}, JobState.RUNNING, 1)
    assert (first.claim, first.claimed_until) == ("w1", now + 10 * MINUTE)


def test_kinds_nobody_does_here_are_left_alone(queue, now):
    queue.put(TENANT, [NewJob("a", "paint", now)])

    assert (queue.due(KINDS, now), claim(queue, now)) == ((), [])


def test_a_claimed_job_is_nobody_else_s_until_its_claim_runs_out(queue, now):
    queue.put(TENANT, [NewJob("a", "read", now)])
    (mine,) = claim(queue, now)

    assert claim(queue, now + MINUTE, "w2") == []
    (theirs,) = claim(queue, now + 10 * MINUTE, "w2")
    assert (theirs.claim, theirs.attempts) == ("w2", 2)
    assert not queue.finish(mine), "the claim was lost"
    assert not queue.again(mine, now)
    assert not queue.bury(mine, "late")
    assert queue.finish(theirs)
    assert queue.listed() == ()


def test_workers_at_once_never_hold_the_same_job(things: Things, open_store, now):
    names = [f"job-{number:02}" for number in range(24)]
    things.store.jobs.put(TENANT, [NewJob(name, "read", now) for name in names])
    stores = [open_store() for _ in range(4)]
    begin = Barrier(len(stores))

    def work(number: int) -> list[str]:
        begin.wait()
        held: list[str] = []
        while jobs := claim(stores[number].jobs, now, f"w{number}", limit=1):
            held += ids(jobs)
        return held

    with ThreadPoolExecutor(len(stores)) as pool:
        taken = [name for held in pool.map(work, range(len(stores))) for name in held]

    assert sorted(taken) == names


def test_the_same_work_never_waits_twice_and_takes_the_new_time(queue, now):
    queue.put(TENANT, [NewJob("a", "read", now, {"n": 1})])
    queue.put(TENANT, [NewJob("a", "read", now + MINUTE, {"n": 2})])

    (job,) = queue.listed()
    assert (job.run_at, job.payload) == (now + MINUTE, {"n": 2})


def test_work_asked_for_while_it_runs_is_done_once_more(queue, now):
    queue.put(TENANT, [NewJob("a", "read", now)])
    (mine,) = claim(queue, now)
    queue.put(TENANT, [NewJob("a", "read", now + MINUTE)])

    assert queue.finish(mine)

    (job,) = queue.listed()
    assert (job.state, job.run_at, job.attempts) == (JobState.WAITING, now + MINUTE, 0)


def test_work_that_failed_waits_and_says_why(queue, now):
    queue.put(TENANT, [NewJob("a", "read", now)])
    (mine,) = claim(queue, now)

    assert queue.again(mine, now + MINUTE, "store_busy")

    (job,) = queue.listed()
    assert (job.state, job.run_at, job.attempts, job.problem) == (JobState.WAITING, now + MINUTE, 1, "store_busy")
    assert (job.claim, job.claimed_until) == (None, None)


def test_work_that_comes_round_counts_its_attempts_anew(queue, now):
    queue.put(TENANT, [NewJob("a", "expire", now)])
    (mine,) = claim(queue, now)
    queue.again(mine, now + MINUTE)

    assert queue.listed()[0].attempts == 0


def test_dead_work_stays_visible_and_is_tried_anew_when_somebody_says_so(queue, now):
    queue.put(TENANT, [NewJob("a", "read", now)])
    (mine,) = claim(queue, now)
    queue.bury(mine, "model_failed")

    assert claim(queue, now + 60 * MINUTE) == []
    assert [(job.id, job.problem) for job in queue.listed(state=JobState.DEAD)] == [("a", "model_failed")]
    assert queue.counted() == {"dead": 1}
    assert not queue.revive("other", "a", now)
    assert queue.revive(TENANT, "a", now)
    assert ids(claim(queue, now)) == ["a"]


def test_new_work_of_the_same_id_wakes_the_dead(queue, now):
    queue.put(TENANT, [NewJob("a", "read", now)])
    queue.bury(claim(queue, now)[0], "model_failed")
    queue.put(TENANT, [NewJob("a", "read", now)])

    assert [(job.state, job.attempts) for job in queue.listed()] == [(JobState.WAITING, 0)]


def test_a_tenant_sees_and_claims_its_own(queue, now):
    queue.put("acme", [NewJob("a", "read", now)])
    queue.put("umbra", [NewJob("a", "read", now)])

    assert queue.due(KINDS, now) == ("acme", "umbra")
    assert [job.tenant for job in claim(queue, now, tenant="umbra")] == ["umbra"]
    assert [(job.tenant, job.state) for job in queue.listed("acme")] == [("acme", JobState.WAITING)]
    assert [job.tenant for job in queue.listed()] == ["acme", "umbra"]
    assert queue.known(["a", "b"]) == {("acme", "a"), ("umbra", "a")}


def test_a_job_is_put_by_the_write_that_makes_it_due_or_not_at_all(things: Things, now):
    def put_and_fail() -> None:
        with things.work() as work:
            work.jobs.put(NewJob("a", "read", now))
            raise Undone

    with pytest.raises(Undone):
        put_and_fail()
    assert things.store.jobs.listed() == ()

    with things.work() as work:
        work.jobs.put(NewJob("a", "read", now))
    assert ids(list(things.store.jobs.listed())) == ["a"]
