"""A round of work: what is due is done, what fails waits longer each time, what makes no sense is dead at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from tests.unit.desks import World

from bethink.domain.job import ATTEMPTS, LEASE, LONGEST_WAIT, Job, JobState, NewJob, wait_after
from bethink.errors import InvalidInput, StoreBusy
from bethink.operations.jobs import JobsResult
from bethink.upkeep.handlers import HANDLERS
from bethink.upkeep.worker import run_jobs
from bethink.upkeep.workshop import Routine, Workshop


@dataclass
class Bench:
    """A workshop with a handler that remembers what it did and fails as it is told."""

    world: World
    every: timedelta | None = None
    failing: Exception | None = None
    did: list[tuple[str, str]] = field(default_factory=list)

    @property
    def workshop(self) -> Workshop:
        return Workshop(self.world.store, self.world.clock, self.world.ids)

    def work(self, job: Job, _workshop: Workshop) -> Mapping[str, int]:
        self.did.append((job.tenant, job.id))
        if self.failing is not None:
            raise self.failing
        return {"painted": 2}

    def run(self, limit: int = 100) -> JobsResult:
        return run_jobs(self.workshop, limit, {"paint": Routine(self.work, self.every)})

    def put(self, *ids: str, tenant: str = "acme") -> None:
        self.world.store.jobs.put(tenant, [NewJob(item, "paint", self.world.clock.now()) for item in ids])

    def jobs(self) -> list[Job]:
        return list(self.world.store.jobs.listed())


@pytest.fixture
def bench(world: World) -> Bench:
    return Bench(world)


def test_what_is_due_is_done_and_gone(bench):
    bench.put("a", "b")

    result = bench.run()

    assert bench.did == [("acme", "a"), ("acme", "b")]
    assert (result.done, result.retried, result.dead) == (2, 0, 0)
    assert (result.counts, result.left) == ({"painted": 4}, {})
    assert bench.jobs() == []


def test_tenants_take_turns_within_the_limit(bench):
    bench.put("a", "b", "c")
    bench.put("x", tenant="umbra")

    result = bench.run(limit=2)

    assert bench.did == [("acme", "a"), ("umbra", "x")]
    assert result.left == {"waiting": 2}


def test_what_fails_waits_twice_as_long_each_time_and_dies_at_last(bench):
    bench.put("a")
    bench.failing = StoreBusy("taken")
    waits = []
    for _ in range(ATTEMPTS):
        result = bench.run()
        (job,) = bench.jobs()
        waits.append(job.run_at - bench.world.clock.now())
        bench.world.clock.set(max(job.run_at, bench.world.clock.now()))

    assert waits[:4] == [timedelta(seconds=seconds) for seconds in (30, 60, 120, 240)]
    assert (result.dead, job.state, job.attempts, job.problem) == (1, JobState.DEAD, ATTEMPTS, "store_busy")
    assert len(bench.did) == ATTEMPTS
    assert bench.run().dead == 0, "the dead rest"
    assert [kind for kind, _ in bench.world.events()][-1] == "job.dead"
    assert json.loads(bench.world.events()[-1][1]) == {"kind": "paint", "attempts": ATTEMPTS, "problem": "store_busy"}


def test_a_wait_never_exceeds_the_longest():
    assert [wait_after(number) for number in (1, 2, 10, 99)] == [
        timedelta(seconds=30),
        timedelta(minutes=1),
        timedelta(hours=4, minutes=16),
        LONGEST_WAIT,
    ]


def test_a_failure_takes_nothing_from_the_other_jobs(bench):
    bench.put("a", "b")
    bench.failing = RuntimeError("a defect, with words that nobody should keep")

    result = bench.run()

    assert (len(bench.did), result.retried) == (2, 2)
    assert {job.problem for job in bench.jobs()} == {"defect:RuntimeError"}


def test_what_makes_no_sense_is_dead_at_once(bench):
    bench.put("a")
    bench.failing = InvalidInput("no such kind of paint")

    assert bench.run().dead == 1
    assert [(job.state, job.problem) for job in bench.jobs()] == [(JobState.DEAD, "invalid_input")]


def test_a_job_whose_workers_vanish_is_given_up_too(bench):
    bench.put("a")
    bench.failing = KeyboardInterrupt()  # type: ignore[assignment]  # what a killed worker leaves is a claim
    for _ in range(ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            bench.run()
        bench.world.clock.advance(seconds=LEASE.total_seconds())

    assert bench.run().dead == 1
    assert bench.jobs()[0].problem == "worker_lost"


def test_a_routine_comes_round_in_every_tenant_by_itself(bench):
    bench.every = timedelta(hours=1)
    bench.world.told("The kiln is hot.")

    assert (bench.run().done, bench.did) == (1, [("acme", "routine:paint")])
    assert bench.run().done == 0
    bench.world.clock.advance(minutes=59)
    assert bench.run().done == 0
    bench.world.clock.advance(minutes=1)
    assert bench.run().done == 1


def test_what_has_lapsed_is_marked_by_a_round(world):
    noted = world.noted("The kiln may be hot.")
    world.clock.advance(days=31)

    result = run_jobs(Workshop(world.store, world.clock, world.ids), 10, {"expire": HANDLERS["expire"]})

    assert (result.counts, world.record(noted.id).status) == ({"lapsed": 1}, "expired")
