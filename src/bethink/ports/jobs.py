"""What the core asks of the jobs of a store: put there by the write that makes them due, claimed by workers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bethink.domain.job import Job, JobState, NewJob


class JobWrites(Protocol):
    """Putting jobs, in the transaction that makes them due."""

    def put(self, job: NewJob) -> None:
        """Make work due. Work with this id that waits already takes the new time; work under way is done once more."""
        ...


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim by its name, the present, and until when it holds."""

    claim: str
    at: datetime
    until: datetime


class JobQueue(Protocol):
    """The jobs of every tenant. Each call is a transaction of its own, beside other workers' and other writers'."""

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that holds anything, by name."""
        ...

    def due(self, kinds: Collection[str], at: datetime) -> tuple[str, ...]:
        """Tenants with work of these kinds that is due, or whose claim has run out, by name."""
        ...

    def known(self, ids: Collection[str]) -> frozenset[tuple[str, str]]:
        """(tenant, id) of the jobs with these ids, in whatever state, of every tenant."""
        ...

    def put(self, tenant: str, jobs: Collection[NewJob]) -> None:
        """Make work due that no write brings along."""
        ...

    def claim(self, tenant: str, kinds: Collection[str], lease: Lease, limit: int) -> tuple[Job, ...]:
        """Take the oldest due work of a tenant; nobody else holds what is returned, until the lease ends."""
        ...

    def finish(self, job: Job) -> bool:
        """Work done: it goes, or waits again where it was asked for meanwhile. False when the claim was lost."""
        ...

    def again(self, job: Job, at: datetime, problem: str | None = None) -> bool:
        """Let it wait until `at`: after a problem, or because it comes round. False when the claim was lost."""
        ...

    def bury(self, job: Job, problem: str) -> bool:
        """Give it up: it stays, dead. False when the claim was lost."""
        ...

    def listed(self, tenant: str | None = None, state: JobState | None = None, limit: int = 100) -> tuple[Job, ...]:
        """Jobs, those due first in front; of every tenant when none is named."""
        ...

    def counted(self, tenant: str | None = None) -> dict[str, int]:
        """How many jobs there are, by state."""
        ...

    def revive(self, tenant: str, job_id: str, at: datetime) -> bool:
        """Let dead work be tried anew from `at` on; whether there was such."""
        ...
