"""The store on PostgreSQL: the truth in one schema, the traces in another, one pool for both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from typing import Protocol

from bethink.errors import InvalidInput, StoreReadOnly
from bethink.operations.upkeep import CheckResult, RepairResult
from bethink.ports.clock import Clock
from bethink.ports.ids import Ids
from bethink.store.copying import Side
from bethink.store.index import SearchIndex
from bethink.store.postgres import TRACES, TRUTH, PostgresDatabase
from bethink.store.postgres_replica import FollowedSpaces, Replica
from bethink.store.postgres_server import PoolOptions, PostgresServer
from bethink.store.snapshot import StoreSnapshot
from bethink.store.store import DatabaseStore
from bethink.store.traces import StoredTraces
from bethink.store.unit_of_work import StoreUnitOfWork


class Limits(Protocol):
    """What of the settings a store needs."""

    @property
    def lock_timeout_ms(self) -> int: ...  # noqa: D102 - the class docstring says it
    @property
    def pool_min(self) -> int: ...  # noqa: D102 - the class docstring says it
    @property
    def pool_max(self) -> int: ...  # noqa: D102 - the class docstring says it
    @property
    def replica(self) -> str: ...  # noqa: D102 - the class docstring says it


def open_postgres(
    url: str, *, settings: Limits, language: str, clock: Clock, ids: Ids
) -> tuple[PostgresStore, StoredTraces]:
    """The store of a database and its traces.

    Raises:
        StoreError: one of its kinds says why the database cannot be used.
    """
    options = PoolOptions(
        settings.pool_min, settings.pool_max, settings.lock_timeout_ms / 1000, replica=settings.replica
    )
    store = PostgresStore(url, clock, ids, SearchIndex(language), options)
    place = TraceSchema(store.server)
    with suppress(StoreReadOnly):  # each recall says then why its trace is not kept
        place.opened()
    return store, StoredTraces(place, clock)


@contextmanager
def postgres_side(url: str, *, settings: Limits, clock: Clock, made: bool) -> Iterator[Side]:
    """The same as one side of a copy, closed on leaving; `made` says that the store has to be there.

    Raises:
        StoreError: one of its kinds says why the database cannot be used.
        InvalidInput: there is no store.
    """
    options = PoolOptions(settings.pool_min, settings.pool_max, settings.lock_timeout_ms / 1000)
    with closing(PostgresServer(url, clock, options)) as server:
        with server.session(options.lock_timeout) as on:
            if made and not on.rows("find_ledger", schema=TRUTH.name)[0][1]:
                raise InvalidInput("The database holds no store.", remedy="Name one that does.")
        truth = _truth(server)
        yield Side(truth, TraceSchema(server), truth.owning)


def _truth(server: PostgresServer) -> PostgresDatabase:
    """The schema of the truth, the server told how it stores vectors."""
    database = PostgresDatabase(server, TRUTH)
    with database.reading() as on:
        server.learn_vector_type(on.rows("find_vector_type")[0][0])
    return database


class PostgresStore(DatabaseStore):
    """The `Store` port on one PostgreSQL database."""

    def __init__(
        self, url: str, clock: Clock, ids: Ids, index: SearchIndex, options: PoolOptions | None = None
    ) -> None:
        """Open the store, or make it; where another analyser made its index of words, build that anew.

        Raises:
            StoreError: one of its kinds says why the database cannot be used.
        """
        self.server = PostgresServer(url, clock, options)
        with ExitStack() as undo:
            undo.callback(self.server.close)
            truth = _truth(self.server)
            super().__init__(truth, clock, ids, index)
            self._replica = Replica(self.server, index) if self.server.options.replica else None
            if self._replica is not None:
                self._vectors = FollowedSpaces(truth, index, self._replica)
            undo.pop_all()

    @contextmanager
    def snapshot(self, tenant: str, *, deadline: float | None = None, may_lag: bool = False) -> Iterator[StoreSnapshot]:
        """Open one consistent read, of the replica where there is one, it may lag, and it has what was written here.

        Past `deadline` seconds its statements end with `DeadlineExceeded`.
        """
        began = self._clock.elapsed()
        with ExitStack() as stack:
            found = self._replica.enter(stack, tenant, deadline) if may_lag and self._replica is not None else None
            if found is None:
                left = None if deadline is None else max(0.0, deadline - (self._clock.elapsed() - began))
                found = stack.enter_context(super().snapshot(tenant, deadline=left))
            yield found

    @contextmanager
    def write(self, tenant: str, *, deadline: float | None = None) -> Iterator[StoreUnitOfWork]:
        """Open one write transaction; what it commits is seen by every later snapshot of this store."""
        with super().write(tenant, deadline=deadline) as work:
            before = work.position
            yield work
        if self._replica is not None:
            if work.position > before:
                self._replica.wrote(tenant, work.position)
            else:
                self._replica.changed()

    def check(self) -> CheckResult:
        """Compare the store with its own rules, every tenant; changes nothing."""
        found = super().check()
        return found if self._replica is None else replace(found, reads=self._replica.reads)

    def repair(self) -> RepairResult:
        """Rebuild derived state from the records, and finish what erasing left; never drops a record."""
        try:
            return super().repair()
        finally:
            if self._replica is not None:
                self._replica.changed()

    def close(self) -> None:
        """Release connections; closing twice is harmless."""
        if self._replica is not None:
            self._replica.close()
        super().close()


class TraceSchema:
    """The schema of traces, made on first use."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._database: PostgresDatabase | None = None

    def exists(self) -> bool:
        """Whether there is anything to read: always, once it could be made."""
        return True

    def opened(self) -> PostgresDatabase:
        """The schema, made where there is none."""
        if self._database is None:
            database = PostgresDatabase(self._server, TRACES)
            database.make_months()
            self._database = database
        return self._database

    def close(self) -> None:
        """Nothing to do: the store closes the pool."""
