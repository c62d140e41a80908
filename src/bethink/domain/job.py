"""Jobs: work that follows a write, done later, by whoever is there to do it.

A job waits until its time, is claimed by one worker for a while, and is gone when it is done. One that fails waits
longer each time; one that keeps failing is dead: it stays, can be seen, and is tried again only when somebody says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

ATTEMPTS = 8
"""How often a job is tried before it is dead."""

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=6)
"""What a job that failed waits: twice as long each time, up to the longest."""

LEASE = timedelta(minutes=10)
"""How long a claim holds. A worker that died is thereby found out; one that is merely slow must not be overtaken."""


class JobState(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class NewJob:
    """Work to be done. The id says what it is about, so that the same work never waits twice.

    `payload` holds ids, codes and counts, never memory text.
    """

    id: str
    kind: str
    run_at: datetime
    payload: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands. `claim` names the claim it is held by; `problem` is the code of what went wrong last."""

    tenant: str
    id: str
    kind: str
    run_at: datetime
    payload: Mapping[str, object] = field(default_factory=dict)
    state: JobState = JobState.WAITING
    attempts: int = 0
    problem: str | None = None
    claim: str | None = None
    claimed_until: datetime | None = None


def wait_after(attempts: int) -> timedelta:
    """How long a job waits after it failed so often."""
    doublings = min(max(attempts, 1) - 1, 32)
    return min(LONGEST_WAIT, FIRST_WAIT * (1 << doublings))
