"""A streaming replica that answers reads: as new as what this store wrote, or left aside for the primary.

What a tenant's reader must see is told by the tenant's own counter, compared inside the replica's snapshot, so it is
exact and costs no round trip. Writes that move no counter (vectors, repairs) leave a mark in the primary's log.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.errors import DeadlineExceeded, InvalidInput, StoreError
from bethink.ports.embedder import EmbedSpec
from bethink.ports.nodes import TextNodes
from bethink.store.index import SearchIndex
from bethink.store.postgres import TRUTH, PostgresDatabase
from bethink.store.postgres_connection import PostgresConnection
from bethink.store.postgres_server import PostgresServer
from bethink.store.snapshot import StoreSnapshot
from bethink.store.spaces import Spaces

_PATIENCE = 0.1
"""Seconds to wait for one of the replica's connections; the primary answers sooner than a longer wait."""
_WAITS = (0.0, 0.001, 0.002, 0.004)
"""Seconds before each look whether the replica has caught up."""
_SHARE = 0.1
"""The share of a reader's time that one of those may take."""
_AWAY = 1.0
"""Seconds a replica that failed is left alone, so that not every read waits for it."""
_UNOPENED = 10.0
"""The same for one that was never reached, which takes as long as a connection may take."""
_CONNECT_SECONDS = 2
_TENANTS = 10_000
"""Tenants whose last write is remembered."""


class ReplicaDatabase(PostgresDatabase):
    """The truth as a server holds it that plays back the primary's log. Nothing is ever written through it."""

    @contextmanager
    def reading(self, deadline: float | None = None, *, tenant: str | None = None) -> Iterator[PostgresConnection]:
        """A connection inside one read of one snapshot.

        Raises:
            StoreError: the server is no replica any more, and may have parted from the primary.
        """
        left = self._left(deadline)
        patience = _PATIENCE if deadline is None else min(_PATIENCE, deadline)

        def begin(on: PostgresConnection) -> None:
            on.begin("begin_read", left, 0.0, **self._settings(tenant, patience, self._role))
            ((follows,),) = on.rows("is_replica") if tenant is None else on.stand("is_replica")[0]
            if not follows:
                raise StoreError("The server named as replica follows no primary.", remedy="Name one that does.")

        with self.server.transaction((self.spec.name, ""), patience, begin) as on:
            yield on


class Replica:
    """The replica of one store: who may be answered from it, and how often it was."""

    def __init__(self, primary: PostgresServer, index: SearchIndex) -> None:
        """Reach the replica that the primary's options name; one that is away is tried again by later reads.

        Raises:
            InvalidInput: the URL is none, or its server follows another primary.
        """
        self._primary = primary
        self._index = index
        self._database: ReplicaDatabase | None = None
        self._lock = threading.Lock()
        self._pause = threading.Event()
        self._positions: OrderedDict[str, int] = OrderedDict()
        self._unmarked = True  # what was committed before the store was opened is seen too
        self._mark: str | None = None
        self._rested = 0.0
        self._reads: Counter[str] = Counter()
        try:
            self._database = self._opened()
        except StoreError:
            self._rest(_UNOPENED)

    @property
    def reads(self) -> dict[str, int]:
        """How many reads each server answered: `replica`, `primary`, and for what reason, `behind` or `away`."""
        with self._lock:
            return {name: self._reads[name] for name in ("replica", "primary", "behind", "away")}

    def wrote(self, tenant: str, position: int) -> None:
        """Let the tenant's next readers see what was committed at this position."""
        with self._lock:
            self._positions[tenant] = max(position, self._positions.pop(tenant, 0))
            if len(self._positions) > _TENANTS:
                self._positions.popitem(last=False)
                self._unmarked = True

    def changed(self) -> None:
        """Let the next readers of every tenant see what was committed until now."""
        with self._lock:
            self._unmarked = True

    def enter(self, stack: ExitStack, tenant: str, deadline: float | None) -> StoreSnapshot | None:
        """A snapshot of the replica, left with `stack`; None when the primary is to answer."""
        try:
            database = self._reachable()
            snapshot = None if database is None else self._newest(database, stack, tenant, deadline)
            reason = "away" if database is None else "behind"
        except (StoreError, DeadlineExceeded):
            self._rest(_AWAY)
            snapshot, reason = None, "away"
        with self._lock:
            self._reads.update(("primary", reason) if snapshot is None else ("replica",))
        return snapshot

    def close(self) -> None:
        """Close its connections; closing twice is harmless."""
        if self._database is not None:
            self._database.close()

    def _newest(
        self, database: ReplicaDatabase, stack: ExitStack, tenant: str, deadline: float | None
    ) -> StoreSnapshot | None:
        """A snapshot that holds all this store wrote of the tenant; None when it was not there in time."""
        with self._lock:
            least = self._positions.get(tenant, 0)
        for seconds in _WAITS:
            if deadline is not None and seconds > _SHARE * deadline:
                break
            self._pause.wait(seconds)
            if not self._played(database):
                continue
            with ExitStack() as undo:
                on = undo.enter_context(database.reading(deadline, tenant=tenant))
                snapshot = StoreSnapshot(on, tenant, self._index)
                if snapshot.position >= least:
                    stack.enter_context(undo.pop_all())
                    return snapshot
        return None

    def _played(self, database: ReplicaDatabase) -> bool:
        """Whether the replica has played back the writes that move no counter.

        It is asked before the snapshot is taken: inside, the answer could be newer than what is seen.
        """
        with self._lock:
            if self._unmarked:
                with self._primary.session(_PATIENCE) as on:
                    self._mark = on.rows("log_end")[0][0]
                self._unmarked = False
            mark = self._mark
        if mark is None:
            return True
        with database.server.session(_PATIENCE) as on:
            played = bool(on.rows("log_played", upto=mark)[0][0])
        with self._lock:
            if played and self._mark == mark:
                self._mark = None
        return played

    def _reachable(self) -> ReplicaDatabase | None:
        """The replica, unless it failed a short while ago."""
        with self._lock:
            if self._primary.clock.elapsed() < self._rested:
                return None
            if self._database is None:
                # The others read from the primary meanwhile; so does this reader when it does not answer.
                self._rested = self._primary.clock.elapsed() + _UNOPENED
        if self._database is None:
            try:
                self._database = self._opened()
            except (StoreError, InvalidInput):
                return None
            self._rest(0.0)
        return self._database

    def _rest(self, seconds: float) -> None:
        """Leave the replica alone so long."""
        with self._lock:
            self._rested = self._primary.clock.elapsed() + seconds

    def _opened(self) -> ReplicaDatabase:
        """The replica's database, seen to be one of the primary's."""
        primary = self._primary
        options = replace(primary.options, connect_seconds=_CONNECT_SECONDS)
        server = PostgresServer(primary.options.replica, primary.clock, options)
        with ExitStack() as undo:
            undo.callback(server.close)
            with server.session(_PATIENCE) as there, primary.session(primary.options.lock_timeout) as here:
                if there.rows("which_database") != here.rows("which_database"):
                    raise InvalidInput(
                        "The server named as replica does not follow this primary.",
                        remedy="Set store.replica to a streaming replica of this server, and name the same database.",
                    )
            database = ReplicaDatabase(server, TRUTH)
            if primary.vector_type is not None:
                server.learn_vector_type(primary.vector_type)
            undo.pop_all()
        return database


class FollowedSpaces(Spaces):
    """Vectors and their spaces in a store with a replica: what is written here moves no tenant's counter."""

    def __init__(self, database: PostgresDatabase, index: SearchIndex, replica: Replica) -> None:
        super().__init__(database, index)
        self._replica = replica

    def register(self, spec: EmbedSpec, canary: NDArray[np.float32], at: datetime) -> None:
        """As `Spaces.register`."""
        super().register(spec, canary, at)
        self._replica.changed()

    def put(self, space: str, rows: Any, nodes: Mapping[tuple[str, int], TextNodes] | None = None) -> None:
        """As `Spaces.put`."""
        super().put(space, rows, nodes)
        self._replica.changed()

    def put_passages(self, space: str, rows: Any) -> None:
        """As `Spaces.put_passages`."""
        super().put_passages(space, rows)
        self._replica.changed()

    def flip(self, space: str) -> None:
        """As `Spaces.flip`."""
        super().flip(space)
        self._replica.changed()
