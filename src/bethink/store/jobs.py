"""Work that follows a write, kept in the transaction that makes it due."""

from __future__ import annotations

from datetime import datetime

from bethink.domain.time import to_micros
from bethink.store.codec import canonical
from bethink.store.database import Connection

SCRUB = "scrub"
"""Write the file anew and cut its log, so that erased bytes are nowhere."""


class Jobs:
    """The job table on one connection. Jobs name ids and counts, never memory text."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def put(self, tenant: str, job_id: str, kind: str, at: datetime) -> None:
        """Make work due at an instant."""
        self._on.post("put_job", tenant=tenant, id=job_id, kind=kind, payload=canonical({}), run_at=to_micros(at))

    def waiting(self, kind: str) -> int:
        """How many of a kind wait, in every tenant."""
        row = self._on.row("count_jobs", kind=kind)
        return row[0] if row else 0

    def ids(self, kind: str) -> tuple[tuple[str, str], ...]:
        """(tenant, id) of what waits."""
        return tuple((tenant, job_id) for tenant, job_id in self._on.rows("list_jobs", kind=kind))

    def finish(self, jobs: tuple[tuple[str, str], ...]) -> None:
        """Work done: its rows go."""
        for tenant, job_id in sorted(jobs):
            self._on.enter(tenant)
            self._on.post("finish_job", tenant=tenant, id=job_id)

    def delay(self, jobs: tuple[tuple[str, str], ...], problem: str) -> None:
        """Work to be tried again, and why it failed."""
        for tenant, job_id in sorted(jobs):
            self._on.enter(tenant)
            self._on.post("delay_job", tenant=tenant, id=job_id, problem=problem)
