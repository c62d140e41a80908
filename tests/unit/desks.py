"""A store in a temporary folder and desks at it: who writes, in whose voice, from which project."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from tests.databases import Database, Place, rows_of

from bethink.domain.fence import Fence
from bethink.domain.record import HISTORICAL, LIVE, Record, Status
from bethink.domain.scope import Caller, Grant, Principal, Scope, ScopeKind, Sensitivity
from bethink.domain.session import Turn
from bethink.formation.desk import Desk
from bethink.formation.explicit import remember
from bethink.operations.records import ForgetRequest, Receipt
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.operations.sessions import OpenSessionRequest, TurnInput
from bethink.session.open import open_session
from bethink.session.turns import append_turns
from bethink.store.index import SearchIndex
from bethink.store.store import DatabaseStore
from bethink.store.traces import StoredTraces
from bethink.testing.fakes import CountingIds, ManualClock
from bethink.upkeep.forget import forget


@dataclass
class World:
    """One tenant of one store. Ana is the user; `bot` and `aide` are agents that may write her scope."""

    store: DatabaseStore
    traces: StoredTraces
    clock: ManualClock
    ids: CountingIds
    tenant: str = "acme"
    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for agent in ("bot", "aide"):
            self.grant(Scope(ScopeKind.USER, "ana"), agent=agent)

    def grant(
        self, scope: Scope, *, user: str = "ana", agent: str = "bot", read: bool = True, write: bool = True
    ) -> None:
        """Open a scope to an agent."""
        with self.store.write(self.tenant) as work:
            work.grants.put(Grant(user, agent, scope, read, write, self.clock.now()))

    def desk(self, voice: str = "agent", *, user: str = "ana", agent: str = "bot", **surroundings: Any) -> Desk:
        """Where a caller writes."""
        caller = Caller(Principal(self.tenant, user, agent), voice=voice, **surroundings)
        return Desk(self.store, caller, self.clock, self.ids, **self.extra)

    def told(self, content: str, **fields: Any) -> RememberResult:
        """Ana types something; time moves a minute."""
        self.clock.advance(minutes=1)
        return remember(RememberRequest(content, **fields), self.desk("user"))

    def noted(self, content: str, *, agent: str = "bot", **fields: Any) -> RememberResult:
        """An agent saves something; time moves a minute."""
        self.clock.advance(minutes=1)
        return remember(RememberRequest(content, **fields), self.desk(agent=agent))

    def said(self, session: str, *turns: TurnInput) -> tuple[str, ...]:
        """Turns of a session, opened where needed; their ids."""
        desk = self.desk()
        open_session(OpenSessionRequest(session), desk)
        return append_turns(session, turns, desk).ids

    def forget(self, item: str, mode: str = "stop", **fields: Any) -> Receipt:
        """Forget as Ana's agent."""
        self.clock.advance(minutes=1)
        return forget(ForgetRequest(item, mode=mode, **fields), self.desk(), self.traces)

    def fence(self, **parts: Any) -> Fence:
        """What Ana's agents may read now."""
        scopes = (Scope(ScopeKind.USER, "ana"),)
        return replace(Fence(self.tenant, scopes, Sensitivity.NORMAL, LIVE, self.present()), **parts)

    def present(self) -> Any:
        """The instant a recall would take: the clock's, or the last write's where that is later."""
        with self.store.snapshot(self.tenant) as snapshot:
            return max(self.clock.now(), snapshot.latest or self.clock.now())

    def record(self, item: str, **parts: Any) -> Record:
        """A record whatever its status and time."""
        fence = self.fence(statuses=frozenset(Status), timeless=True, ceiling=Sensitivity.SECRET, **parts)
        with self.store.snapshot(self.tenant) as snapshot:
            return snapshot.records.get(fence, (item,))[0]

    def fact(self, subject: str, attribute: str, **parts: Any) -> list[str]:
        """The texts of a fact a live recall may read."""
        fence = self.fence(**parts)
        with self.store.snapshot(self.tenant) as snapshot:
            return [r.content.text for r in snapshot.records.same_fact(fence, subject, attribute)]

    def as_of(self, subject: str, attribute: str, instant: Any) -> list[str]:
        """The texts of a fact that held at an instant."""
        return self.fact(subject, attribute, instant=instant, statuses=HISTORICAL)

    def turns(self, session: str, **parts: Any) -> Sequence[Turn]:
        """Live turns of a session."""
        with self.store.snapshot(self.tenant) as snapshot:
            return snapshot.turns.of_session(self.fence(**parts), session, limit=1000)

    def events(self) -> list[tuple[str, str]]:
        """Kind and payload of every event of the tenant, as stored."""
        events = "select kind, payload from event where tenant = ? order by position, part"
        return rows_of(self.store, events, [self.tenant])


@pytest.fixture
def world(database: Database, new_place: Callable[[], Place]) -> Iterator[World]:
    clock, ids = ManualClock(), CountingIds()
    store = database.store(new_place(), (clock, ids, SearchIndex("english")))
    traces = database.traces(store, clock)
    yield World(store, traces, clock, ids)
    traces.close()
    store.close()
