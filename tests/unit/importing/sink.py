"""A sink that keeps what is delivered, by session and message id, as a store would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bethink.errors import InvalidInput
from bethink.operations.sessions import TurnInput, TurnsResult


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

    def append(self, session: str, opened_at: datetime | None, turns: Sequence[TurnInput]) -> TurnsResult:
        if any(turn.text in self.refuse for turn in turns):
            raise InvalidInput("A turn is refused.")
        if self.limit is not None and len(self.turns) + len(turns) > self.limit:
            raise OSError("the machine went down")
        held = self.sessions.setdefault(session, {})
        fresh = {turn.message_id: turn for turn in turns if turn.message_id and turn.message_id not in held}
        held.update(fresh)
        self.opened.append(opened_at)
        return TurnsResult(tuple(fresh), repeated=len(turns) - len(fresh), embedding_pending=len(fresh))
