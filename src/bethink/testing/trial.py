"""A store on trial: short ways to write to it and read from it, for the conformance suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import LIVE, Content, NewRecord, Record, Status, StatusSpan, Usage
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.session import Session, Turn
from bethink.domain.source import Source, SourceKind
from bethink.ports.embedder import EmbedSpec
from bethink.ports.search import Matches
from bethink.ports.store import Store, UnitOfWork
from bethink.testing.fakes import CountingIds, ManualClock

TENANT, OTHER = "acme", "umbra"
ANN, BOB = Scope(ScopeKind.USER, "ann"), Scope(ScopeKind.USER, "bob")
SPACE = EmbedSpec("trial", "small", "1", None, "float32", 4, 64, "mean", True, "", "", "v1")
DEADLINE = 30.0
_DEPTH = 9


class NotConforming(AssertionError):
    """The store breaks a promise of the port; the message says which."""


def require(actual: object, wanted: object, promise: str) -> None:
    """Pass when a store answered as the port promises.

    Raises:
        NotConforming: it did not.
    """
    if actual != wanted:
        raise NotConforming(f"{promise}: expected {wanted!r}, got {actual!r}")


@dataclass
class Trial:
    """One new, empty store and what it was made with. `open_again` opens the same store as another process would."""

    store: Store
    clock: ManualClock
    open_again: Callable[[], Store]
    tenant: str = TENANT
    ids: CountingIds = field(default_factory=CountingIds)

    def as_tenant(self, tenant: str) -> Trial:
        """The same store, as another tenant."""
        return replace(self, tenant=tenant)

    @contextmanager
    def work(self) -> Iterator[UnitOfWork]:
        """One write, a second after the last."""
        self.clock.advance(seconds=1)
        with self.store.write(self.tenant) as work:
            yield work

    def remember(self, text: str, record_id: str = "", **parts: Any) -> Record:
        """Store a record that a user stated; `parts` are its content's."""
        with self.work() as work:
            at = work.recorded_at
            return work.records.add(self.new(text, record_id, **parts), at)

    def new(self, text: str, record_id: str = "", **parts: Any) -> NewRecord:
        """A record as a writer hands it in."""
        now = self.clock.now()
        usage = Usage(confidence=0.9, last_evidence_at=now)
        return NewRecord(
            id=record_id or self.ids.new(now), content=words(text, **parts), usage=usage, created_at=now,
            status=Status.ACTIVE,
        )  # fmt: skip

    def say(self, *texts: str, session: str = "talk", scope: Scope = ANN) -> tuple[Turn, ...]:
        """Append turns to a session."""
        with self.work() as work:
            at = work.recorded_at
            opened = Session(session, scope, "ann", "aide", None, None, at)
            turns = [
                Turn(self.ids.new(at), session, 0, "user", "Ann", text, at, message_id=f"m-{text}") for text in texts
            ]
            return work.turns.append(opened, turns, at)

    def set_status(self, item: str, status: Status) -> None:
        """Change where a record or turn stands, now."""
        with self.work() as work:
            work.records.set_status(item, StatusSpan(status, work.recorded_at))

    def fence(self, **parts: Any) -> Fence:
        """What Ann may read now."""
        open_to_ann = Fence(self.tenant, (ANN,), Sensitivity.NORMAL, LIVE, self.clock.now())
        return replace(open_to_ann, **parts)

    def texts(self, ids: Sequence[str], **fence: Any) -> list[str]:
        """What the records say that a fence lets through."""
        with self.store.snapshot(self.tenant) as snapshot:
            return [record.content.text for record in snapshot.records.get(self.fence(**fence), ids)]

    def found(self, word: str, **fence: Any) -> list[int]:
        """Keys of the entries whose words match one term, best first."""
        with self.store.snapshot(self.tenant) as snapshot:
            return _best(snapshot.search.lexical(self.fence(**fence), Query(word, terms=(word,)), FieldWeights()))

    def near(self, vector: NDArray[np.float32], **fence: Any) -> list[int]:
        """Keys of the entries whose vectors lie nearest, nearest first."""
        with self.store.snapshot(self.tenant) as snapshot:
            return _best(snapshot.search.dense(self.fence(**fence), SPACE.space_id, vector, _DEPTH))

    def position(self) -> int:
        """The tenant's write counter."""
        with self.store.snapshot(self.tenant) as snapshot:
            return snapshot.position


def _best(matches: Matches) -> list[int]:
    """The keys of matches, best first."""
    keys: list[int] = matches.keys[matches.best(_DEPTH)].tolist()
    return keys


def words(text: str, **parts: Any) -> Content:
    """A statement in Ann's scope unless told otherwise."""
    source = Source(SourceKind.USER_STATEMENT, f"said:{text}", "aide")
    return Content(text=text, **{"type": "fact", "scope": ANN, "source": source, **parts})


def axis(number: int) -> NDArray[np.float32]:
    """A unit vector of the trial's space."""
    return np.array([float(place == number) for place in range(4)], dtype=np.float32)
