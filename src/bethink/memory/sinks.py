"""Where an import puts its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bethink.formation.desk import Desk
from bethink.operations.sessions import SessionTurns, TurnsResult
from bethink.session.rehearse import rehearse_sessions
from bethink.session.turns import append_sessions


@dataclass(frozen=True, slots=True)
class Sink:
    """Where an import puts its sessions."""

    desk: Desk

    def append(self, batch: Sequence[SessionTurns]) -> TurnsResult:
        """Open the sessions if needed and append their turns."""
        return append_sessions(batch, self.desk)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Where a dry run of an import puts its sessions: nowhere. `seen` is what it would have stored."""

    desk: Desk
    seen: set[tuple[str, str]]

    def append(self, batch: Sequence[SessionTurns]) -> TurnsResult:
        """What opening the sessions if needed and appending their turns would come to."""
        return rehearse_sessions(batch, self.desk, self.seen)
