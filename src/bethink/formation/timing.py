"""How long each step of a write took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from bethink.ports.clock import Clock

Stage = Literal[
    "permission",
    "evidence",
    "duplicate",
    "contradiction",
    "entity",
    "embedding",
    "index",
    "transaction",
    "event",
    "transcript",
    "extractor",
    "reviewer",
    "validation",
    "summary",
]


class Stages:
    """Milliseconds per stage, added up. `transaction` spans from asking for the lock to the commit, all included."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: Stage) -> Iterator[None]:
        """Add the time of the block to a stage, also when it fails."""
        began = self._clock.elapsed()
        try:
            yield
        finally:
            spent = (self._clock.elapsed() - began) * 1000
            self.milliseconds[name] = round(self.milliseconds.get(name, 0.0) + spent, 3)
