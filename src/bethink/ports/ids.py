"""Identity and randomness, as arguments."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Ids(Protocol):
    """Where new ids come from."""

    def new(self, at: datetime) -> str:
        """A new UUIDv7 whose time part is `at`; ids made in order sort in order."""
        ...
