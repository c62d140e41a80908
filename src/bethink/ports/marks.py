"""What the core asks of a store about how far the passes of its upkeep have looked."""

from __future__ import annotations

from typing import Protocol


class MarkReads(Protocol):
    """Reading the marks of a tenant."""

    def get(self, name: str) -> int:
        """The position up to which the pass with this name has looked, 0 before its first."""
        ...


class MarkWrites(MarkReads, Protocol):
    """Moving them."""

    def put(self, name: str, position: int) -> None:
        """The pass with this name has looked so far."""
        ...
