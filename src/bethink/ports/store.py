"""What the core asks of a store, by noun.

Reading happens in a `Snapshot`, writing in a `UnitOfWork`; both are context managers opened by a `Store`. A snapshot
sees one position. A unit of work commits everything or nothing; leaving it by an exception leaves no trace of it.
Every read of memory takes a `Fence`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.domain.entity import Entity
from bethink.domain.fence import Entry, Fence
from bethink.domain.hit import Body, Candidate
from bethink.domain.record import Content, NewRecord, Record, StatusSpan, Usage
from bethink.domain.scope import Caller, Grant
from bethink.domain.session import Session, Turn
from bethink.domain.source import SourceKind
from bethink.operations.upkeep import CheckResult, RepairResult
from bethink.ports.embedder import EmbedSpec
from bethink.ports.search import Search
from bethink.ports.traces import Lost


class RecordReads(Protocol):
    """Reading beliefs and written episodes, turns included where a key or an id may name one."""

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Record, ...]:
        """The records with these ids inside the fence, in the order of `ids`; others are left out alike."""
        ...

    def by_digest(self, fence: Fence, digest: str, type_name: str) -> tuple[Record, ...]:
        """Records saying exactly these words, oldest first."""
        ...

    def same_fact(self, fence: Fence, subject_key: str, attribute_key: str) -> tuple[Record, ...]:
        """Records of one subject and attribute, by valid_from then key."""
        ...

    def by_source(self, fence: Fence, ref: str, revision: str) -> tuple[Record, ...]:
        """Records that this source gave at a revision other than this one, by id."""
        ...

    def candidates(self, fence: Fence, keys: Sequence[int]) -> tuple[Candidate, ...]:
        """Slim values of the keys the truth admits, in key order: the check of what a derived index nominated."""
        ...

    def bodies(self, fence: Fence, keys: Sequence[int]) -> dict[int, Body]:
        """The texts of survivors."""
        ...

    def entries(self, fence: Fence, record_id: str) -> tuple[Entry, ...]:
        """What the fence looks at of every version of a record or turn, newest first, with its whole status history.

        Of the fence only tenant, scopes, channel and ceiling hold here, so that a reader can be told which other
        clause hides what is theirs. What lies outside those and what never was answer alike: nothing.
        """
        ...

    def find(self, fence: Fence, prefix: str) -> tuple[str, ...]:
        """Ids of records or turns whose id, or whose short id's hex, starts with `prefix` (at most 20)."""
        ...

    def supports(self, record_id: str) -> tuple[str, ...]:
        """References of the independent sources that support a record, sorted."""
        ...

    def spent(self, fence: Fence, turn_ids: Sequence[str]) -> frozenset[str]:
        """Those of the turns that support superseded or ended records the reader may know of, and no live one."""
        ...

    def derived(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of records made from these records, whatever their scope: what an erase has to take along."""
        ...

    def quoting(self, turn_ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of records whose evidence stands in these turns, whatever their scope."""
        ...


class RecordWrites(RecordReads, Protocol):
    """Writing records. Each call also keeps the index, the usage row and the vector queue in step."""

    def add(self, record: NewRecord, at: datetime) -> Record:
        """Store a new record with its first version, span and source; the caller closes what it supersedes."""
        ...

    def add_version(self, record_id: str, content: Content, at: datetime) -> Record:
        """Close the live version and insert the next; the index follows."""
        ...

    def set_status(self, record_id: str, span: StatusSpan) -> None:
        """Close the open span at ``span.recorded_from`` and open this one; works for turns too. Touches no index."""
        ...

    def set_usage(self, record_id: str, usage: Usage) -> None:
        """Replace the moving counters."""
        ...

    def add_support(self, record_id: str, source_ref: str, kind: SourceKind, at: datetime) -> bool:
        """Note one more source of a record; whether it is an independent one, not counted before."""
        ...

    def supporters(self, record_id: str) -> tuple[tuple[str, SourceKind], ...]:
        """The independent sources that support a record, each by its reference and kind, sorted."""
        ...

    def lapsed(self, at: datetime, limit: int) -> tuple[tuple[str, StatusSpan], ...]:
        """(id, open span) of live records whose span ended by `at`, in the order they ended, in every scope."""
        ...

    def link_conflict(self, first: str, second: str, at: datetime) -> None:
        """Record that two records disagree; linking twice is harmless."""
        ...


class TurnReads(Protocol):
    """Reading turns."""

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Turn, ...]:
        """The turns with these ids inside the fence, in the order of `ids`."""
        ...

    def of_session(
        self, fence: Fence, session: str, *, limit: int, after: int = -1, holding: str = ""
    ) -> tuple[Turn, ...]:
        """Turns of a session by seq, those after seq `after`.

        With `holding`, plain ASCII turns without exactly these characters are left out; it narrows a search for a
        quote, and what it lets through still has to be looked at.
        """
        ...

    def between(self, fence: Fence, *, limit: int) -> tuple[Turn, ...]:
        """Turns inside the fence's window, by time then key."""
        ...

    def held(self, scope_key: str, session: str, message_ids: Sequence[str]) -> frozenset[str]:
        """Those of the message ids that a scope's session holds, for whoever may append to it."""
        ...


class TurnWrites(TurnReads, Protocol):
    """Appending turns."""

    def append(self, session: Session, turns: Sequence[Turn], at: datetime) -> tuple[Turn, ...]:
        """Store the turns whose message id the session does not hold yet; returns those stored, with keys."""
        ...


class SessionWrites(Protocol):
    """Sessions of a tenant, each of one scope: the same id in two scopes is two sessions."""

    def get(self, session_id: str, scope_keys: Sequence[str]) -> Session | None:
        """The session of that id in one of the scopes; in the first by key where several have one."""
        ...

    def put(self, session: Session, at: datetime) -> None:
        """Insert, or set `closed_at` of an existing one."""
        ...

    def next_seq(self, scope_key: str, session_id: str) -> int:
        """The seq of the next turn, from 0."""
        ...


class EntityWrites(Protocol):
    """Entities of a tenant."""

    def resolve(self, scope_keys: Sequence[str], key: str) -> tuple[Entity, ...]:
        """Entities answering exactly to the folded name in these scopes, by id."""
        ...

    def add(self, entity: Entity, at: datetime) -> None:
        """Store a new entity with its aliases."""
        ...


class GrantWrites(Protocol):
    """Grants of a tenant."""

    def of(self, caller: Caller) -> tuple[Grant, ...]:
        """Grants naming the caller's user and agent."""
        ...

    def all(self) -> tuple[Grant, ...]:
        """Every grant in force, by user, agent, scope."""
        ...

    def decided(self, user: str, agent: str, scope_key: str) -> bool:
        """Whether this grant was ever given or taken back."""
        ...

    def put(self, grant: Grant) -> None:
        """Insert or replace the grant of (user, agent, scope)."""
        ...

    def revoke(self, user: str, agent: str, scope_key: str) -> bool:
        """Take it back, for good unless it is given anew; whether it was in force."""
        ...


class IdempotencyWrites(Protocol):
    """Answers kept for repeated requests."""

    def get(self, principal: str, key: str) -> tuple[str, str] | None:
        """(request hash, stored answer) of an earlier call."""
        ...

    def put(self, principal: str, key: str, request_hash: str, answer: str, record_id: str | None) -> None:
        """Keep an answer; `record_id` lets an erase find it."""
        ...


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erase removed, per kind of row, which words went with it, and what remains.

    What remains was not reached yet, or never is within reach. `complete` says that nothing within reach remains.
    """

    rows: Mapping[str, int]
    complete: bool
    lost: Lost
    remains: tuple[str, ...] = ()


class Snapshot(Protocol):
    """One consistent read of one tenant. `position` is its write counter, `latest` the last recorded time."""

    @property
    def position(self) -> int: ...  # noqa: D102 - the class docstring says it
    @property
    def latest(self) -> datetime | None: ...  # noqa: D102 - the class docstring says it
    @property
    def search(self) -> Search: ...  # noqa: D102 - the class docstring says it
    @property
    def records(self) -> RecordReads: ...  # noqa: D102 - the class docstring says it
    @property
    def turns(self) -> TurnReads: ...  # noqa: D102 - the class docstring says it
    @property
    def grants(self) -> GrantWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def sessions(self) -> SessionWrites: ...  # noqa: D102 - the class docstring says it

    def limit(self, seconds: float) -> None:
        """Give its statements so many seconds from now, in place of what they had left."""
        ...

    def is_erased(self, digest: str) -> bool:
        """Whether that content was erased before."""
        ...


class UnitOfWork(Protocol):
    """One write transaction of one tenant, holding the writer lock.

    `recorded_at` is the transaction's recorded time: the clock's present, moved forward where needed so that
    recorded time never runs backwards within a tenant.
    """

    @property
    def recorded_at(self) -> datetime: ...  # noqa: D102 - the class docstring says it
    @property
    def records(self) -> RecordWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def turns(self) -> TurnWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def sessions(self) -> SessionWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def entities(self) -> EntityWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def grants(self) -> GrantWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def idempotency(self) -> IdempotencyWrites: ...  # noqa: D102 - the class docstring says it

    def event(self, kind: str, subject: str, payload: Mapping[str, Any]) -> None:
        """Append to the tenant's event log. Payloads hold ids, kinds, counts and times, never memory text."""
        ...

    def put_vectors(self, space: str, rows: Sequence[tuple[int, NDArray[np.float32]]]) -> None:
        """Store vectors (key, vector) of this tenant together with what else this transaction writes.

        Raises:
            EmbeddingMismatch: the store has no such space; nothing of them was written.
            InvalidInput: a vector of another length, or holding NaN or infinity; nothing of them was written.
        """
        ...

    def tombstone(self, digest: str) -> None:
        """Remember, by a keyed hash, that this content was erased and must not come back by import."""
        ...

    def is_erased(self, digest: str) -> bool:
        """Whether that content was erased before."""
        ...


class Vectors(Protocol):
    """Vectors of the store, each under the space of the model that made it."""

    def active(self) -> EmbedSpec | None:
        """The spec of the space queries use; None before the first vector."""
        ...

    def canary(self) -> NDArray[np.float32] | None:
        """The active space's stored canary vectors."""
        ...

    def register(self, spec: EmbedSpec, canary: NDArray[np.float32], at: datetime) -> None:
        """Make `spec` the active space of a store that has none, or a building one beside the active one."""
        ...

    def pending(self, space: str, limit: int) -> list[tuple[str, int, str]]:
        """(tenant, key, text to embed) of entries without a vector in the space, oldest first."""
        ...

    def pending_count(self, space: str) -> int:
        """How many entries wait for a vector in the space."""
        ...

    def put(self, space: str, rows: Sequence[tuple[str, int, NDArray[np.float32]]]) -> None:
        """Store vectors (tenant, key, vector) in one transaction.

        Raises:
            InvalidInput: a vector of another length, or holding NaN or infinity.
        """
        ...

    def flip(self, space: str) -> None:
        """Make a complete building space the active one and drop the rest."""
        ...


class Store(Protocol):
    """A store: the one thing with state. `read_only` says that it can be read here and not written."""

    @property
    def read_only(self) -> bool: ...  # noqa: D102 - the class docstring says it
    @property
    def vectors(self) -> Vectors: ...  # noqa: D102 - the class docstring says it

    def snapshot(
        self, tenant: str, *, deadline: float | None = None, may_lag: bool = False
    ) -> AbstractContextManager[Snapshot]:
        """Open one consistent read; past `deadline` seconds its statements end with `DeadlineExceeded`.

        It holds all that was committed before. One that `may_lag` holds all that was written through this store, and
        what others wrote as far as a replica has it.
        """
        ...

    def write(self, tenant: str, *, deadline: float | None = None) -> AbstractContextManager[UnitOfWork]:
        """Open one write transaction, waiting fairly for the lock.

        Raises:
            StoreBusy, StoreReadOnly, StoreFull: the write did not happen.
        """
        ...

    def lost(self, tenant: str, ids: Sequence[str], *, deadline: float) -> Lost:
        """What would be lost with these records and turns now."""
        ...

    def erase(self, tenant: str, ids: Sequence[str], at: datetime, *, deadline: float) -> Erased:
        """Remove every copy of these records and turns from the truth: rows, index, vectors, answers, log pages."""
        ...

    def check(self) -> CheckResult:
        """Compare the store with its own rules, every tenant; changes nothing."""
        ...

    def repair(self) -> RepairResult:
        """Rebuild derived state from the records; never drops a record."""
        ...

    def close(self) -> None:
        """Release files and locks; closing twice is harmless."""
        ...
