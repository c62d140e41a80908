"""Work that follows a write, kept in the transaction that makes it due, and claimed by workers."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any

from bethink.domain.job import Job, JobState, NewJob
from bethink.domain.time import from_micros, optional_instant, to_micros
from bethink.ports.jobs import Lease
from bethink.store.codec import canonical
from bethink.store.context import Writing
from bethink.store.database import Connection, Database, Row
from bethink.store.failures import decoding
from bethink.store.predicate import array

SCRUB = "scrub"
"""Write the file anew and cut its log, so that erased bytes are nowhere. The store does this by itself."""


class Jobs:
    """The `JobWrites` port inside one write transaction. Jobs name ids and counts, never memory text."""

    def __init__(self, context: Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def put(self, job: NewJob) -> None:
        """Make work due; see the port."""
        self._on.post("put_job", tenant=self._tenant, **_values(job))


class Scrubs:
    """The work that an erase leaves to the store itself, of every tenant, on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def waiting(self) -> int:
        """How much of it waits."""
        row = self._on.row("count_jobs", kind=SCRUB)
        return row[0] if row else 0

    def ids(self) -> tuple[tuple[str, str], ...]:
        """(tenant, id) of what waits."""
        return tuple((tenant, job_id) for tenant, job_id in self._on.rows("list_jobs", kind=SCRUB))

    def finish(self, jobs: tuple[tuple[str, str], ...]) -> None:
        """Work done: its rows go."""
        for tenant, job_id in sorted(jobs):
            self._on.enter(tenant)
            self._on.post("finish_scrub", tenant=tenant, id=job_id)

    def delay(self, jobs: tuple[tuple[str, str], ...], problem: str) -> None:
        """Work to be tried again, and why it failed."""
        for tenant, job_id in sorted(jobs):
            self._on.enter(tenant)
            self._on.post("delay_scrub", tenant=tenant, id=job_id, problem=problem)


class StoredJobs:
    """The `JobQueue` port over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that holds anything."""
        with self._database.reading() as on:
            return tuple(row[0] for row in on.rows("named_tenants"))

    def due(self, kinds: Collection[str], at: datetime) -> tuple[str, ...]:
        """Tenants with work that is due."""
        with self._database.reading() as on:
            rows = on.rows("due_tenants", kinds=array(sorted(kinds)), at=to_micros(at))
            return tuple(row[0] for row in rows)

    def known(self, ids: Collection[str]) -> frozenset[tuple[str, str]]:
        """(tenant, id) of the jobs with these ids."""
        with self._database.reading() as on:
            return frozenset((tenant, item) for tenant, item in on.rows("known_jobs", ids=array(sorted(ids))))

    def put(self, tenant: str, jobs: Collection[NewJob]) -> None:
        """Make work due."""
        with self._database.writing(tenant=tenant, shared=True) as on:
            for job in jobs:
                on.post("put_job", tenant=tenant, **_values(job))

    def claim(self, tenant: str, kinds: Collection[str], lease: Lease, limit: int) -> tuple[Job, ...]:
        """Take the oldest due work; other workers pass over what one of them is taking."""
        asked = {"kinds": array(sorted(kinds)), "at": to_micros(lease.at), "limit": limit}
        held = {"claim": lease.claim, "until": to_micros(lease.until)}
        with self._database.writing(tenant=tenant, shared=True) as on:
            rows = on.rows("claim_jobs", tenant=tenant, **asked, **held)
            return tuple(sorted((_job(row) for row in rows), key=lambda job: (job.run_at, job.id)))

    def finish(self, job: Job) -> bool:
        """Work done, unless it was asked for again meanwhile."""
        about = _held(job)
        with self._database.writing(tenant=job.tenant, shared=True) as on:
            return bool(on.run("finish_job", run_at=to_micros(job.run_at), **about) or on.run("release_job", **about))

    def again(self, job: Job, at: datetime, problem: str | None = None) -> bool:
        """Let it wait; what came round without a problem begins to count its attempts anew."""
        attempts = 0 if problem is None else job.attempts
        values = {"run_at": to_micros(at), "attempts": attempts, "problem": problem, "asked_at": to_micros(job.run_at)}
        with self._database.writing(tenant=job.tenant, shared=True) as on:
            return bool(on.run("delay_job", **values, **_held(job)))

    def bury(self, job: Job, problem: str) -> bool:
        """Give it up."""
        with self._database.writing(tenant=job.tenant, shared=True) as on:
            return bool(on.run("bury_job", problem=problem, **_held(job)))

    def listed(self, tenant: str | None = None, state: JobState | None = None, limit: int = 100) -> tuple[Job, ...]:
        """Jobs, those due first in front."""
        about = {"tenant": tenant, "state": None if state is None else state.value, "limit": limit}
        with self._database.reading(tenant=tenant) as on:
            return tuple(_job(row) for row in on.rows("show_jobs", **about))

    def counted(self, tenant: str | None = None) -> dict[str, int]:
        """How many jobs there are, by state."""
        with self._database.reading(tenant=tenant) as on:
            return dict(on.rows("count_job_states", tenant=tenant))

    def revive(self, tenant: str, job_id: str, at: datetime) -> bool:
        """Let dead work be tried anew."""
        with self._database.writing(tenant=tenant, shared=True) as on:
            return bool(on.run("revive_job", tenant=tenant, id=job_id, run_at=to_micros(at)))


def _values(job: NewJob) -> dict[str, Any]:
    """The columns of new work."""
    return {
        "id": job.id,
        "kind": job.kind,
        "payload": canonical(dict(job.payload)),
        "run_at": to_micros(job.run_at),
    }


def _held(job: Job) -> dict[str, Any]:
    """What names a job for as long as its claim holds."""
    return {"tenant": job.tenant, "id": job.id, "claim": job.claim}


def _job(row: Row) -> Job:
    """A job from a row of ``claim_jobs`` or ``show_jobs``."""
    tenant, job_id, kind, payload, state, attempts, run_at, problem, claim, due_at = row
    with decoding():
        return Job(
            tenant=tenant,
            id=job_id,
            kind=kind,
            run_at=from_micros(run_at),
            payload=json.loads(payload),
            state=JobState(state),
            attempts=attempts,
            problem=problem,
            claim=claim,
            claimed_until=None if claim is None else optional_instant(due_at),
        )
