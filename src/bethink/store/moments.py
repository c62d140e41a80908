"""Snapshots of sessions: what each of their prompts keeps, line by line, so that an erase can reach each line."""

from __future__ import annotations

from datetime import datetime

from bethink.domain.moments import FrozenLine, SessionSnapshot
from bethink.domain.time import to_micros
from bethink.store import codec
from bethink.store.context import Reading, Writing


class Moments:
    """The `MomentWrites` port; on a snapshot only its reads can succeed."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def get(self, scope_key: str, session_id: str, reader: str) -> SessionSnapshot | None:
        """What was frozen for a reader of a session; without the lines of what was erased since."""
        about = {"tenant": self._tenant, "scope": scope_key, "session": session_id, "reader": reader}
        row = self._on.row("get_session_snapshot", **about)
        if row is None:
            return None
        epoch, position, trace_id, sha256, opening = row
        lines = tuple(FrozenLine(*line) for line in self._on.rows("snapshot_lines", **about))
        return SessionSnapshot(
            codec.scope(scope_key), session_id, reader, epoch, position, trace_id, sha256, opening, lines
        )

    def put(self, taken: SessionSnapshot, at: datetime) -> None:
        """Freeze a block, in the place of the one of its session and reader."""
        about = {"tenant": self._tenant, "scope": taken.scope.key, "session": taken.session, "reader": taken.reader}
        self._on.post("drop_snapshot_lines", **about)
        self._on.post(
            "put_session_snapshot",
            epoch=taken.epoch,
            position=taken.position,
            trace_id=taken.trace_id,
            sha256=taken.sha256,
            opening=taken.opening,
            at=to_micros(at),
            **about,
        )
        for place, line in enumerate(taken.lines):
            self._on.post(
                "add_snapshot_line",
                place=place,
                record_id=line.record,
                short_id=line.short_id,
                line=line.text,
                **about,
            )
