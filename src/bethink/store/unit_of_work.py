"""One write transaction of one tenant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.domain.record import Status, StatusSpan
from bethink.domain.time import from_micros, to_micros
from bethink.ports.nodes import TextNodes
from bethink.store.associations import Associations
from bethink.store.context import Writing
from bethink.store.database import Connection
from bethink.store.documents import Documents
from bethink.store.entities import Entities
from bethink.store.erase import digests, erase_rows
from bethink.store.events import Events
from bethink.store.grants import Grants
from bethink.store.idempotency import Idempotency
from bethink.store.index import SearchIndex
from bethink.store.jobs import Jobs
from bethink.store.marks import Marks
from bethink.store.moments import Moments
from bethink.store.owned import Owned
from bethink.store.pairs import Pairs
from bethink.store.readings import Readings
from bethink.store.receipts import ReceiptWriter
from bethink.store.record_writes import RecordWriter
from bethink.store.rejections import Rejections
from bethink.store.roots import Roots
from bethink.store.sessions import Sessions
from bethink.store.skills import Skills
from bethink.store.spaces import put_vectors
from bethink.store.taxonomy import Taxonomy
from bethink.store.tombstones import keyed_hash, was_erased
from bethink.store.turns import TurnWriter

_STEP = timedelta(microseconds=1)


class StoreUnitOfWork:
    """The `UnitOfWork` port, made inside an open transaction; `finish` is its last statement."""

    def __init__(self, connection: Connection, tenant: str, now: datetime, index: SearchIndex) -> None:
        row = connection.row("read_tenant", tenant=tenant)
        position, latest = (row[0], from_micros(row[1])) if row else (0, None)
        self._on = connection
        self._writing = Writing(connection, tenant, position, index)
        self.recorded_at: datetime = now if latest is None else max(now, latest + _STEP)
        self.records = RecordWriter(self._writing)
        self.turns = TurnWriter(self._writing)
        self.sessions = Sessions(self._writing)
        self.entities = Entities(self._writing)
        self.grants = Grants(self._writing)
        self.taxonomy = Taxonomy(self._writing)
        self.pairs = Pairs(self._writing)
        self.marks = Marks(self._writing)
        self.roots = Roots(self._writing)
        self.skills = Skills(self._writing)
        self.owned = Owned(self._writing)
        self.associations = Associations(self._writing)
        self.documents = Documents(self._writing, index.language)
        self.rejections = Rejections(self._writing)
        self.idempotency = Idempotency(self._writing, self.recorded_at)
        self.jobs = Jobs(self._writing)
        self.readings = Readings(self._writing, self.recorded_at)
        self.moments = Moments(self._writing)
        self._index = index
        self._events = Events(self._writing, self.recorded_at)
        self.receipts = ReceiptWriter(self._writing, self._events)

    @property
    def connection(self) -> Connection:
        """The connection of the transaction."""
        return self._on

    @property
    def position(self) -> int:
        """The tenant's write counter, as far as this transaction has moved it."""
        return self._writing.position

    def event(self, kind: str, subject: str, payload: Mapping[str, Any]) -> None:
        """Append to the tenant's event log. Payloads hold ids, kinds, counts and times, never memory text."""
        self._events.append(kind, subject, payload)

    def put_vectors(
        self,
        space: str,
        rows: Sequence[tuple[int, NDArray[np.float32]]],
        nodes: Mapping[int, TextNodes] | None = None,
    ) -> None:
        """Store vectors (key, vector) of this tenant, and nodes by key, with what else this transaction writes.

        Raises:
            EmbeddingMismatch: the store has no such space.
            InvalidInput: a vector of another length, or holding NaN or infinity.
        """
        tenant = self._writing.tenant
        placed = {(tenant, key): found for key, found in (nodes or {}).items()}
        put_vectors(self._on, self._index, space, [(tenant, key, vector) for key, vector in rows], placed)

    def tombstone(self, digest: str) -> None:
        """Remember, by a keyed hash, that this content was erased and must not come back by import."""
        self._on.post(
            "add_tombstone",
            tenant=self._writing.tenant,
            digest=keyed_hash(self._on, digest),
            at=to_micros(self.recorded_at),
        )

    def is_erased(self, digest: str) -> bool:
        """Whether that content was erased before."""
        return was_erased(self._on, self._writing.tenant, digest)

    def erase(self, ids: Sequence[str]) -> dict[str, int]:
        """Remove the rows of records and turns, remembering by keyed hashes what they said; how many rows, by kind."""
        self._writing.flush()
        span = StatusSpan(Status.DELETED, self.recorded_at, reason="erased")
        for digest in digests(self._writing, ids):
            self.tombstone(digest)
        return erase_rows(self._writing, self._index, ids, span)

    def finish(self) -> None:
        """Index, seal and log what was not yet; write the counter and the clock, when anything took a position."""
        self._writing.flush()
        self._writing.seal()
        self._events.finish()
        if self._writing.moved:
            self._on.post(
                "write_tenant",
                tenant=self._writing.tenant,
                position=self._writing.position,
                latest=to_micros(self.recorded_at),
            )
