"""What the core asks of a store, by noun.

Reading happens in a `Snapshot`, writing in a `UnitOfWork`; both are context managers opened by a `Store`. A snapshot
sees one position. A unit of work commits everything or nothing; leaving it by an exception leaves no trace of it.
Every read of memory takes a `Fence`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.operations.upkeep import CheckResult, RepairResult
from bethink.ports.associations import AssociationReads, AssociationWrites
from bethink.ports.documents import Cited, DocumentReads, DocumentWrites, Unembedded
from bethink.ports.embedder import EmbedSpec
from bethink.ports.entities import EntityReads, EntityWrites
from bethink.ports.grants import GrantReads, GrantWrites
from bethink.ports.jobs import JobQueue, JobWrites
from bethink.ports.marks import MarkReads, MarkWrites
from bethink.ports.moments import MomentReads, MomentWrites
from bethink.ports.nodes import NodeReads, TextNodes
from bethink.ports.owned import OwnedReads, OwnedWrites
from bethink.ports.pairs import PairReads, PairWrites
from bethink.ports.readings import ReadingReads, ReadingWrites
from bethink.ports.receipts import ReceiptReads, ReceiptWrites
from bethink.ports.records import RecordReads, RecordWrites
from bethink.ports.rejections import RejectionReads, RejectionWrites
from bethink.ports.roots import RootReads, RootWrites
from bethink.ports.search import Search
from bethink.ports.skills import SkillReads, SkillWrites
from bethink.ports.taxonomy import TaxonomyReads, TaxonomyWrites
from bethink.ports.traces import Lost
from bethink.ports.turns import SessionReads, SessionWrites, TurnReads, TurnWrites
from bethink.text.template import Phrase


class IdempotencyWrites(Protocol):
    """Answers kept for repeated requests."""

    def get(self, principal: str, key: str) -> tuple[str, str] | None:
        """(request hash, stored answer) of an earlier call."""
        ...

    def put(self, principal: str, key: str, request_hash: str, answer: str, record_id: str | None) -> None:
        """Keep an answer; `record_id` lets an erase find it."""
        ...

    def replace(self, principal: str, key: str, request_hash: str, answer: str) -> None:
        """Keep an answer, in place of an earlier one with this key; it holds ids and codes and no text."""
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
    def grants(self) -> GrantReads: ...  # noqa: D102 - the class docstring says it
    @property
    def sessions(self) -> SessionReads: ...  # noqa: D102 - the class docstring says it
    @property
    def taxonomy(self) -> TaxonomyReads: ...  # noqa: D102 - the class docstring says it
    @property
    def entities(self) -> EntityReads: ...  # noqa: D102 - the class docstring says it
    @property
    def rejections(self) -> RejectionReads: ...  # noqa: D102 - the class docstring says it
    @property
    def pairs(self) -> PairReads: ...  # noqa: D102 - the class docstring says it
    @property
    def marks(self) -> MarkReads: ...  # noqa: D102 - the class docstring says it
    @property
    def skills(self) -> SkillReads: ...  # noqa: D102 - the class docstring says it
    @property
    def roots(self) -> RootReads: ...  # noqa: D102 - the class docstring says it
    @property
    def readings(self) -> ReadingReads: ...  # noqa: D102 - the class docstring says it
    @property
    def moments(self) -> MomentReads: ...  # noqa: D102 - the class docstring says it
    @property
    def owned(self) -> OwnedReads: ...  # noqa: D102 - the class docstring says it
    @property
    def receipts(self) -> ReceiptReads: ...  # noqa: D102 - the class docstring says it
    @property
    def nodes(self) -> NodeReads: ...  # noqa: D102 - the class docstring says it
    @property
    def associations(self) -> AssociationReads: ...  # noqa: D102 - the class docstring says it
    @property
    def documents(self) -> DocumentReads: ...  # noqa: D102 - the class docstring says it

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
    def taxonomy(self) -> TaxonomyWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def rejections(self) -> RejectionWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def pairs(self) -> PairWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def marks(self) -> MarkWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def skills(self) -> SkillWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def associations(self) -> AssociationWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def documents(self) -> DocumentWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def roots(self) -> RootWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def idempotency(self) -> IdempotencyWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def jobs(self) -> JobWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def readings(self) -> ReadingWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def moments(self) -> MomentWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def owned(self) -> OwnedWrites: ...  # noqa: D102 - the class docstring says it
    @property
    def receipts(self) -> ReceiptWrites: ...  # noqa: D102 - the class docstring says it

    def event(self, kind: str, subject: str, payload: Mapping[str, Any]) -> None:
        """Append to the tenant's event log. Payloads hold ids, kinds, counts and times, never memory text."""
        ...

    def put_vectors(
        self,
        space: str,
        rows: Sequence[tuple[int, NDArray[np.float32]]],
        nodes: Mapping[int, TextNodes] | None = None,
    ) -> None:
        """Store vectors (key, vector) of this tenant, and nodes by key, with what else this transaction writes.

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

    def pending(self, space: str, limit: int) -> list[tuple[str, int, Phrase]]:
        """(tenant, key, what to embed) of entries without a vector in the space, oldest first."""
        ...

    def pending_count(self, space: str) -> int:
        """How many entries wait for a vector in the space."""
        ...

    def put(
        self,
        space: str,
        rows: Sequence[tuple[str, int, NDArray[np.float32]]],
        nodes: Mapping[tuple[str, int], TextNodes] | None = None,
    ) -> None:
        """Store vectors (tenant, key, vector), and nodes by (tenant, key), in one transaction.

        Raises:
            InvalidInput: a vector of another length, or holding NaN or infinity.
        """
        ...

    def pending_passages(self, space: str, limit: int) -> list[Unembedded]:
        """Passages of documents that have no vector in the space, with what to embed."""
        ...

    def put_passages(self, space: str, rows: Sequence[tuple[str, Cited, NDArray[np.float32]]]) -> None:
        """Store the vectors of passages (tenant, passage, a row for each window) in one transaction.

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
    @property
    def jobs(self) -> JobQueue: ...  # noqa: D102 - the class docstring says it

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

    def erase(self, tenant: str, ids: Sequence[str], at: datetime, *, deadline: float, more: bool = False) -> Erased:
        """Remove every copy of these records and turns from the truth: rows, index, vectors, answers, log pages.

        Where `more` follows, old pages are left to the last erase, or to `run_due_jobs`; it is not complete till then.
        """
        ...

    def purge(
        self,
        tenant: str,
        remove: Callable[[UnitOfWork], Mapping[str, int]],
        at: datetime,
        *,
        deadline: float,
        more: bool = False,
    ) -> Erased:
        """Remove rows as `remove` does and counts them, and every copy of their bytes within reach; as `erase`.

        Raises:
            StoreBusy, StoreReadOnly, StoreFull, DeadlineExceeded: nothing was removed.
        """
        ...

    def screen_anew(self, tenant: str) -> int:
        """Screen a tenant's texts that the rules of another version found clean; how many.

        Raises:
            StoreBusy, StoreReadOnly, StoreFull, DeadlineExceeded: what was done before stays.
        """
        ...

    def run_due_jobs(self, *, deadline: float) -> bool:
        """Finish what erasing left to do; whether nothing is left."""
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
