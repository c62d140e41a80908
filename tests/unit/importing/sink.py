"""A sink that keeps what is delivered, by session and message id, as a store would."""

from __future__ import annotations

from dataclasses import dataclass, field

from bethink.errors import InvalidInput
from bethink.operations.sessions import OpenSessionRequest, TurnInput, TurnsResult


@dataclass
class Kept:
    """Sessions with their turns. `refuse` names texts it will not take; `limit` is when it breaks down."""

    sessions: dict[str, dict[str, TurnInput]] = field(default_factory=dict)
    opened: list[OpenSessionRequest] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    refuse: frozenset[str] = frozenset()
    limit: int | None = None

    def __call__(self, request: OpenSessionRequest) -> KeptSession:
        self.opened.append(request)
        assert request.id
        return KeptSession(self, self.sessions.setdefault(request.id, {}))

    @property
    def turns(self) -> list[TurnInput]:
        return [turn for session in self.sessions.values() for turn in session.values()]

    @property
    def texts(self) -> list[str]:
        return [turn.text for turn in self.turns]


@dataclass
class KeptSession:
    """One session of the sink."""

    sink: Kept
    held: dict[str, TurnInput]

    def turns(self, turns: list[TurnInput]) -> TurnsResult:
        if any(turn.text in self.sink.refuse for turn in turns):
            raise InvalidInput("A turn is refused.")
        if self.sink.limit is not None and len(self.sink.turns) + len(turns) > self.sink.limit:
            raise OSError("the machine went down")
        fresh = {turn.message_id: turn for turn in turns if turn.message_id not in self.held}
        assert None not in fresh
        self.held.update(fresh)
        self.sink.batches.append(len(turns))
        return TurnsResult(tuple(fresh), repeated=len(turns) - len(fresh), embedding_pending=len(fresh))
