"""Work: claim what is due, do it, and say what became of it. As many workers as you like may do this at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal

from bethink.domain.job import ATTEMPTS, LEASE, Job, NewJob, wait_after
from bethink.errors import AccessDenied, BethinkError, InvalidInput, NotFound
from bethink.operations.jobs import JobsResult
from bethink.ports.jobs import Lease
from bethink.upkeep.handlers import HANDLERS
from bethink.upkeep.workshop import Routine, Workshop

MEANINGLESS: Final = (InvalidInput, NotFound, AccessDenied)
"""Errors that say the job itself cannot be done, now or later."""

LOST = "worker_lost"
"""The problem of a job whose workers vanished each time before they were done."""

SCRUB_SECONDS = 10.0
"""How long the store may take to finish what an erase left to it."""

Ending = Literal["done", "retried", "dead", "lost"]


def run_jobs(workshop: Workshop, limit: int, handlers: Mapping[str, Routine] = HANDLERS) -> JobsResult:
    """Do what is due now, in every tenant, at most `limit` jobs; one of each tenant in turn, the oldest first.

    A job that fails waits for its next time; after `ATTEMPTS` times, or when it makes no sense, it is dead. What comes
    round by itself is put there when it is missing.

    Raises:
        StoreError: the store cannot be read or written; jobs that were done stay done.
    """
    queue = workshop.store.jobs
    workshop.store.run_due_jobs(deadline=SCRUB_SECONDS)
    _come_round(workshop, handlers)
    endings: Counter[Ending] = Counter()
    counts: Counter[str] = Counter()
    while tenants := queue.due(handlers.keys(), workshop.clock.now()):
        before = sum(endings.values())
        for tenant in tenants:
            if sum(endings.values()) >= limit:
                break
            for job in queue.claim(tenant, handlers.keys(), _lease(workshop), 1):
                endings[_work(job, workshop, handlers[job.kind], counts)] += 1
        if sum(endings.values()) in {before, limit}:
            break
    return JobsResult(
        done=endings["done"],
        retried=endings["retried"],
        dead=endings["dead"],
        counts=dict(sorted(counts.items())),
        left=queue.counted(),
    )


def _lease(workshop: Workshop) -> Lease:
    """A claim of this moment."""
    now = workshop.clock.now()
    return Lease(workshop.ids.new(now), now, now + LEASE)


def _come_round(workshop: Workshop, handlers: Mapping[str, Routine]) -> None:
    """Put the routines that a tenant lacks."""
    queue, now = workshop.store.jobs, workshop.clock.now()
    wanted = [NewJob(f"routine:{kind}", kind, now) for kind, routine in handlers.items() if routine.every is not None]
    if not wanted:
        return
    known = queue.known([job.id for job in wanted])
    for tenant in queue.tenants():
        missing = [job for job in wanted if (tenant, job.id) not in known]
        if missing:
            queue.put(tenant, missing)


def _work(job: Job, workshop: Workshop, routine: Routine, counts: Counter[str]) -> Ending:
    """Do one job; what became of it."""
    if job.attempts > ATTEMPTS:
        return _given_up(job, workshop, LOST)
    try:
        counts.update(routine.work(job, workshop))
    except MEANINGLESS as error:
        return _given_up(job, workshop, error.code)
    except BethinkError as error:
        return _failed(job, workshop, error.code)
    except Exception as error:  # noqa: BLE001 - an outermost edge: the defect of one job must not stop the others
        return _failed(job, workshop, f"defect:{type(error).__name__}")
    queue = workshop.store.jobs
    kept = queue.finish(job) if routine.every is None else queue.again(job, workshop.clock.now() + routine.every)
    return "done" if kept else "lost"


def _failed(job: Job, workshop: Workshop, problem: str) -> Ending:
    """Let it wait, unless it failed too often."""
    if job.attempts >= ATTEMPTS:
        return _given_up(job, workshop, problem)
    at = workshop.clock.now() + wait_after(job.attempts)
    return "retried" if workshop.store.jobs.again(job, at, problem) else "lost"


def _given_up(job: Job, workshop: Workshop, problem: str) -> Ending:
    """Bury it, and log that: a dead job is something somebody has to look at."""
    if not workshop.store.jobs.bury(job, problem):
        return "lost"
    with workshop.store.write(job.tenant) as work:
        payload = {"kind": job.kind, "attempts": job.attempts, "problem": problem}
        work.event("job.dead", job.id, payload)
    return "dead"
