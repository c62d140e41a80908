"""A clock that moves when told and ids that count: what makes a run repeat itself exactly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bethink.domain.time import to_micros, utc
from bethink.system import uuid7


class ManualClock:
    """Stands still until moved. `elapsed` advances with `now`."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._now = utc(start, "start")

    def now(self) -> datetime:
        """The set instant."""
        return self._now

    def elapsed(self) -> float:
        """Seconds since 1970 of the set instant."""
        return to_micros(self._now) / 1e6

    def advance(self, **amount: float) -> datetime:
        """Move forward by a timedelta's arguments; returns the new instant."""
        self._now += timedelta(**amount)
        return self._now

    def set(self, instant: datetime) -> None:
        """Jump to an instant, backwards too."""
        self._now = utc(instant, "instant")


class CountingIds:
    """Version 7 ids whose random part counts from 1."""

    def __init__(self) -> None:
        self._count = 0

    def new(self, at: datetime) -> str:
        """The next id."""
        self._count += 1
        return uuid7((max(0, to_micros(at)) // 1000 << 12) | self._count % 4096, self._count)
