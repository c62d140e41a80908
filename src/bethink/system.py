"""The machine's clock and randomness: the only place the present and chance come from."""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime
from uuid import UUID

from bethink.domain.time import to_micros


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present in UTC, to the microsecond."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Seconds since an arbitrary start, never going back."""
        return time.perf_counter()


class RandomIds:
    """UUIDv7 ids (RFC 9562): 48 bits of milliseconds, 12 of the microseconds within, 62 random.

    Ids made by one instance sort in the order they were made, even within a microsecond.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self, at: datetime) -> str:
        """A new id whose time part is `at`, or one step past the last id when `at` is not later."""
        stamp = _stamp(at)
        with self._lock:
            stamp = max(stamp, self._last + 1)
            self._last = stamp
        return uuid7(stamp, int.from_bytes(os.urandom(8), "big"))


def _stamp(at: datetime) -> int:
    """60 bits: milliseconds and a 12-bit fraction of one."""
    micros = max(0, to_micros(at))
    return (micros // 1000 << 12) | (micros % 1000 * 4096 // 1000)


def uuid7(stamp: int, chance: int) -> str:
    """Lay 60 bits of time and 62 of chance out as a version 7 UUID."""
    high = (stamp >> 12 & (1 << 48) - 1) << 16 | 0x7 << 12 | stamp & 0xFFF
    low = 0b10 << 62 | chance & (1 << 62) - 1
    return str(UUID(int=high << 64 | low))
