"""Jobs: doing what is due, and looking at what waits or died."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bethink.domain.job import Job


@dataclass(frozen=True, slots=True)
class JobsResult:
    """What a round of work came to.

    `done`, `retried` and `dead` count jobs, `counts` what they did, by name, `left` the jobs there are now, by state.
    """

    done: int
    retried: int = 0
    dead: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobsListed:
    """Jobs, those due first in front, and how many there are by state."""

    jobs: tuple[Job, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
