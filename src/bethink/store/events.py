"""The tenant's event log: ids, kinds, counts and times, never memory text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bethink.domain.time import to_micros
from bethink.store.codec import canonical
from bethink.store.context import Writing


class Events:
    """Appends of one write: they share one position and are counted from 0.

    Each tells beside its own what changed since the one before it: `standings` are status, end and successor of records
    and turns by id, `heads` the number of each record's live version.
    """

    def __init__(self, context: Writing, at: datetime) -> None:
        self._writing = context
        self._at = at
        self._position: int | None = None
        self._part = 0

    def append(self, kind: str, subject: str, payload: Mapping[str, Any]) -> None:
        """Append one event."""
        if self._position is None:
            self._position = self._writing.take()
        self._writing.connection.post(
            "add_event",
            tenant=self._writing.tenant,
            position=self._position,
            part=self._part,
            kind=kind,
            subject=subject,
            at=to_micros(self._at),
            payload=canonical({**payload, **self._writing.changes()}),
        )
        self._part += 1

    def finish(self) -> None:
        """Log what nothing that was appended tells of, so that the log alone says how everything stands."""
        left = self._writing.changes()
        if left:
            self.append("standing.changed", "", left)
