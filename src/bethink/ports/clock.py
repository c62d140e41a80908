"""Time, as an argument."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Where the present comes from."""

    def now(self) -> datetime:
        """The present, aware UTC."""
        ...

    def elapsed(self) -> float:
        """Seconds on a clock that never goes back; only differences mean something."""
        ...
