"""What the core asks of a store about the snapshots of its sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bethink.domain.moments import SessionSnapshot


class MomentReads(Protocol):
    """Reading the snapshots of a tenant's sessions."""

    def get(self, scope_key: str, session_id: str, reader: str) -> SessionSnapshot | None:
        """What was frozen for a reader of a session; without the lines of what was erased since."""
        ...


class MomentWrites(MomentReads, Protocol):
    """Writing them."""

    def put(self, taken: SessionSnapshot, at: datetime) -> None:
        """Freeze a block, in the place of the one of its session and reader."""
        ...
