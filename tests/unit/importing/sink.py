"""A sink that keeps what is delivered, by session and message id, as a store would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bethink.errors import InvalidInput
from bethink.operations.sessions import SessionTurns, TurnInput, TurnsResult


@dataclass
class Kept:
    """Sessions with their turns. `refuse` names texts it will not take; `limit` is when it breaks down."""

    sessions: dict[str, dict[str, TurnInput]] = field(default_factory=dict)
    opened: list[datetime | None] = field(default_factory=list)
    refuse: frozenset[str] = frozenset()
    limit: int | None = None

    @property
    def turns(self) -> list[TurnInput]:
        return [turn for session in self.sessions.values() for turn in session.values()]

    @property
    def texts(self) -> list[str]:
        return [turn.text for turn in self.turns]

    def append(self, batch: Sequence[SessionTurns]) -> TurnsResult:
        said = [turn for one in batch for turn in one.turns]
        if any(turn.text in self.refuse for turn in said):
            raise InvalidInput("A turn is refused.")
        if self.limit is not None and len(self.turns) + len(said) > self.limit:
            raise OSError("the machine went down")
        fresh: list[str] = []
        for one in batch:
            held = self.sessions.setdefault(one.session, {})
            new = {turn.message_id: turn for turn in one.turns if turn.message_id and turn.message_id not in held}
            held.update(new)
            fresh += new
            self.opened.append(one.opened_at)
        return TurnsResult(tuple(fresh), repeated=len(said) - len(fresh), embedding_pending=len(fresh))
