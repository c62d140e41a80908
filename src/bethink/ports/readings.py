"""What the core asks of a store about how far its sessions were read for beliefs."""

from __future__ import annotations

from typing import Protocol

from bethink.domain.reading import SessionReading


class ReadingReads(Protocol):
    """Reading how far the sessions of a tenant were read."""

    def get(self, scope_key: str, session_id: str) -> SessionReading | None:
        """How a session stands, None when nobody ever read it."""
        ...


class ReadingWrites(ReadingReads, Protocol):
    """Writing it."""

    def put(self, reading: SessionReading) -> None:
        """Insert or replace how a session stands."""
        ...
