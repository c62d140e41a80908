"""Short ways to write records and turns, so that a test shows only what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Content, NewRecord, Record, Status, StatusSpan, Usage
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.session import Session, Turn
from bethink.domain.source import Source, SourceKind
from bethink.store.store import DatabaseStore
from bethink.testing.fakes import CountingIds, ManualClock

TENANT = "acme"
ANN = Scope(ScopeKind.USER, "ann")
BOB = Scope(ScopeKind.USER, "bob")
EVERY_STATUS = frozenset(Status)


def content(text: str, **parts: Any) -> Content:
    """A statement of the user's, in Ann's scope unless told otherwise."""
    source = parts.pop("source", Source(SourceKind.USER_STATEMENT, f"said:{text}", "cli"))
    return Content(text=text, source=source, **{"type": "fact", "scope": ANN, **parts})


def new_record(record_id: str, words: Content, at: datetime, **parts: Any) -> NewRecord:
    """A record as a writer hands it in."""
    usage = parts.pop("usage", Usage(confidence=0.95, last_evidence_at=at))
    return NewRecord(id=record_id, content=words, usage=usage, created_at=at, **{"status": Status.ACTIVE, **parts})


@dataclass
class Things:
    """Writes to one store as one tenant; time moves a second with each write."""

    store: DatabaseStore
    clock: ManualClock
    tenant: str = TENANT
    ids: CountingIds = field(default_factory=CountingIds)

    def fence(self, **parts: Any) -> Fence:
        """What Ann may read now."""
        defaults = {
            "tenant": self.tenant,
            "scopes": (ANN,),
            "ceiling": Sensitivity.NORMAL,
            "statuses": LIVE,
            "instant": self.clock.now(),
        }
        return Fence(**{**defaults, **parts})

    @contextmanager
    def work(self) -> Iterator[Any]:
        """One write."""
        self.clock.advance(seconds=1)
        with self.store.write(self.tenant) as work:
            yield work

    def remember(self, text: str, *, record: dict[str, Any] | None = None, **parts: Any) -> Record:
        """Store one record; `parts` are its content's, `record` the record's."""
        with self.work() as work:
            at = work.recorded_at
            return work.records.add(new_record(self.ids.new(at), content(text, **parts), at, **(record or {})), at)

    def say(self, *texts: str, session: str = "s1", scope: Scope = ANN, **parts: Any) -> tuple[Turn, ...]:
        """Append turns to a session, one minute apart."""
        with self.work() as work:
            at = work.recorded_at
            opened = Session(session, scope, "ann", "cli", None, None, at)
            turns = [self.turn(text, session, at, **parts) for text in texts]
            return work.turns.append(opened, turns, at)

    def turn(self, text: str, session: str, at: datetime, **parts: Any) -> Turn:
        """A turn as a session hands it in."""
        defaults = {"seq": 0, "role": "user", "speaker": "Ann", "said_at": at, "message_id": f"m-{text}"}
        return Turn(id=self.ids.new(at), session=session, text=text, **{**defaults, **parts})

    def set_status(self, record_id: str, status: Status, **parts: Any) -> None:
        """Change a record's status now."""
        with self.work() as work:
            work.records.set_status(record_id, StatusSpan(status, work.recorded_at, **parts))

    def get(self, ids: Sequence[str], **fence: Any) -> tuple[Record, ...]:
        """Records inside a fence."""
        with self.store.snapshot(self.tenant) as snapshot:
            return snapshot.records.get(self.fence(**fence), ids)

    def texts(self, ids: Sequence[str], **fence: Any) -> list[str]:
        """What those records say."""
        return [record.content.text for record in self.get(ids, **fence)]
