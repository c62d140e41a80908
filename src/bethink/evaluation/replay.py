"""The clock of an evaluation: the present is set, and durations are the machine's."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from bethink.domain.time import utc


class ReplayClock:
    """Stands where it is put, so that a question is asked at the end of its conversation and not today."""

    def __init__(self, start: datetime = datetime(2000, 1, 1, tzinfo=UTC)) -> None:
        self._now = utc(start, "start")

    def now(self) -> datetime:
        """The instant it was put to."""
        return self._now

    def elapsed(self) -> float:
        """Seconds since an arbitrary start, as they pass."""
        return time.perf_counter()

    def set(self, instant: datetime) -> None:
        """Put it to an instant, backwards too."""
        self._now = utc(instant, "instant")
