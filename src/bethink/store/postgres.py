"""A PostgreSQL database: its pool, one snapshot per reader, writers that take turns by tenant, deadlines, forks.

A write locks its tenant for the length of its transaction, so positions are given and committed in one order, and
readers go on beside it. The locks are advisory: they need no row, no right and no connection of their own.
"""

from __future__ import annotations

import math
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from bethink.errors import DeadlineExceeded, InvalidInput, StoreError, StoreReadOnly
from bethink.ports.clock import Clock
from bethink.store.database import Connection
from bethink.store.migrate import SQL, Migration, apply, migrations, missing
from bethink.store.postgres_connection import Handle, PostgresConnection, adapt
from bethink.store.postgres_failures import REACHING, RIGHTS, translate
from bethink.store.postgres_gate import check_server

_RETRY_SECONDS = 1.0
"""How long the pool goes on trying to reach a server that is away, and how often it is asked again."""
_PREPARED = 512
"""Statements a connection keeps prepared: more than there are queries."""
_PREPARE_AFTER = 2
_LOCK_SPARE = 0.05
"""Seconds a statement has beyond the time for locks, so that a lock waited for too long is told as that."""
NOBODY = "none"
"""The login keeps its own rights: the name PostgreSQL has for no other role."""


@dataclass(frozen=True, slots=True)
class SchemaSpec:
    """What a schema is: its name, its migrations' folder, a table that tells who may write, whether it must last."""

    name: str
    folder: str
    table: str
    durable: bool


TRUTH = SchemaSpec("bethink", "migrations", "tenant", durable=True)
TRACES = SchemaSpec("bethink_traces", "trace_migrations", "trace", durable=False)


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How many connections a store keeps and may open to each server, and how long a write waits for those before it.

    Times are seconds. `replica` is the URL of a server that follows this one; empty without one.
    """

    least: int = 1
    most: int = 10
    lock_timeout: float = 10.0
    connect_seconds: int = 10
    replica: str = ""


class PostgresServer:
    """A server as one store uses it: a pool of connections for its threads. A forked child starts with a new pool."""

    _adapted: weakref.WeakSet[Handle]

    def __init__(self, url: str, clock: Clock, options: PoolOptions | None = None) -> None:
        """Reach the server.

        Raises:
            StoreError: it cannot be reached, or does not let this role in.
            StoreUnsafe: its version does not keep tenants apart.
        """
        self.clock = clock
        self.options = options or PoolOptions()
        self.vector_type: int | None = None
        self._url = url
        try:
            with psycopg.connect(url, connect_timeout=self.options.connect_seconds) as handle:
                self.version = handle.info.server_version
        except psycopg.OperationalError as error:
            told = str(error).strip().splitlines()[-1]
            raise StoreError(f"The database cannot be reached: {told}", remedy=REACHING) from error
        except psycopg.ProgrammingError as error:
            raise InvalidInput(
                "The URL is no PostgreSQL URL.", remedy="Give postgresql://user@host/database."
            ) from error
        check_server(self.version)
        self._start()
        _SERVERS.add(self)

    @contextmanager
    def transaction(
        self, locks: tuple[str, str], patience: float, begin: Callable[[PostgresConnection], None]
    ) -> Iterator[PostgresConnection]:
        """A connection on which `begin` began a transaction; what is open on leaving is undone.

        Raises:
            StoreBusy: no connection came free within `patience` seconds.
        """
        connection = self._begun(locks, patience, begin)
        pool = self._pool
        try:
            yield connection
        finally:
            if pool is self._pool:
                try:
                    connection.end()
                finally:
                    pool.putconn(connection.handle)

    @contextmanager
    def session(self, patience: float) -> Iterator[PostgresConnection]:
        """A connection outside any transaction, for what cannot run inside one."""
        pool = self._pool
        connection = PostgresConnection(self._borrow(patience), ("", ""), self.clock.elapsed)
        try:
            yield connection
        finally:
            pool.putconn(connection.handle)

    def close(self) -> None:
        """Close every connection; closing twice is harmless."""
        self._pool.close()

    def _begun(
        self, locks: tuple[str, str], patience: float, begin: Callable[[PostgresConnection], None]
    ) -> PostgresConnection:
        """A connection with a transaction begun. One that broke while it was idle gives way to the next."""
        for _ in range(self.options.most):
            connection = PostgresConnection(self._borrow(patience), locks, self.clock.elapsed)
            with ExitStack() as undo:
                undo.callback(self._pool.putconn, connection.handle)
                undo.callback(connection.end)
                try:
                    begin(connection)
                except StoreError:
                    if not connection.handle.closed:
                        raise
                    continue
                undo.pop_all()
                return connection
        raise StoreError("The connection to the database failed.", remedy=REACHING)

    def _borrow(self, patience: float) -> Handle:
        """A connection nobody uses."""
        slices = max(1, math.ceil(patience / _RETRY_SECONDS))
        for left in range(slices - 1, -1, -1):
            # In slices, for each call makes the pool try a server anew that was away at the last.
            try:
                handle: Handle = self._pool.getconn(max(patience / slices, 0.001))
                break
            except PoolTimeout as error:
                if not left:
                    raise translate(error) from error
            except psycopg.Error as error:
                raise translate(error) from error
        if handle not in self._adapted:
            adapt(handle, self.vector_type)
            handle.prepared_max = _PREPARED
            self._adapted.add(handle)
        return handle

    def learn_vector_type(self, oid: int) -> None:
        """Note how vectors are stored; connections made before learn it when they are next used."""
        self.vector_type = oid
        self._adapted = weakref.WeakSet()

    def _start(self) -> None:
        """Begin with a new pool: at first, and in a forked child."""
        self._adapted = weakref.WeakSet()
        self._mutex = threading.Lock()
        self._pool: ConnectionPool[Handle] = ConnectionPool(
            self._url,
            kwargs={"autocommit": True, "prepare_threshold": _PREPARE_AFTER, "application_name": "bethink"},
            min_size=self.options.least,
            max_size=max(self.options.most, self.options.least),
            open=True,
            name="bethink",
            num_workers=1,
            reconnect_timeout=_RETRY_SECONDS,
        )

    def _after_fork(self) -> None:
        """Leave the parent's pool alone for ever: its connections are the parent's."""
        _INHERITED.append(self._pool)
        self._start()


class PostgresDatabase:
    """The `Database` of the contract: one schema of a server, brought up to date on opening."""

    def __init__(self, server: PostgresServer, spec: SchemaSpec, steps: tuple[Migration, ...] | None = None) -> None:
        """Take up the schema, make it where there is none.

        Raises:
            StoreError: one of its kinds says why it cannot be used.
        """
        self.server = server
        self.spec = spec
        self.steps = migrations(SQL / spec.folder, "postgres") if steps is None else steps
        self._writes = False
        self._role = NOBODY
        self._migrate()
        with self.reading() as on:
            found = on.row("find_role", schema=spec.name)
        self._role = found[0] if found else NOBODY

    @property
    def engine(self) -> str:
        """Name and version of the engine."""
        return f"PostgreSQL {self.server.version // 10_000}.{self.server.version % 10_000}"

    @property
    def schema(self) -> int:
        """The schema version this program knows."""
        return self.steps[-1].number

    @property
    def patience(self) -> float:
        """Seconds a write waits for those before it unless told otherwise."""
        return self.server.options.lock_timeout

    @property
    def beyond(self) -> tuple[str, ...]:
        """Where copies of erased bytes may lie that this program cannot reach."""
        return (
            "dead rows and unused space in the server's pages, until it vacuums and uses them again",
            "the server's write-ahead log and what is archived of it",
            "replicas and backups of the database",
        )

    @contextmanager
    def reading(self, deadline: float | None = None, *, tenant: str | None = None) -> Iterator[PostgresConnection]:
        """A connection inside one read of one snapshot; past `deadline` seconds its statements end."""
        left = self._left(deadline)
        patience = self.patience if deadline is None else deadline

        def begin(on: PostgresConnection) -> None:
            on.begin("begin_read", left, 0.0, **self._settings(tenant, patience, self._role))
            on.rows("touch")

        with self.server.transaction((self.spec.name, ""), patience, begin) as on:
            yield on

    @contextmanager
    def writing(
        self, deadline: float | None = None, *, tenant: str | None = None, shared: bool = False
    ) -> Iterator[PostgresConnection]:
        """A connection inside one write of a tenant, or alone in the store; committed on leaving.

        Raises:
            StoreBusy: those before it took longer than `deadline`, or than the lock timeout without one.
            DeadlineExceeded: the time ran out later; nothing was committed.
        """
        if not self.may_write():
            raise StoreReadOnly("The database cannot be written: it is a replica, or the role may only read.")
        lock = "share_tenant" if shared else "lock_tenant"
        with self._write(deadline, tenant, lock, self._role) as on:
            yield on

    def owning(self) -> AbstractContextManager[PostgresConnection]:
        """A write alone in the store, with the login's own rights: only the owner may set what the store itself is."""
        return self._write(None, None, "lock_tenant", NOBODY)

    @contextmanager
    def _write(self, deadline: float | None, tenant: str | None, lock: str, role: str) -> Iterator[PostgresConnection]:
        """A write with a tenant's lock, or the whole store's, as a role."""
        left = self._left(deadline)
        patience = self.patience if deadline is None else deadline
        name = self.spec.name

        def begin(on: PostgresConnection) -> None:
            on.begin("begin_write", left, _LOCK_SPARE, **self._settings(tenant, patience, role))
            if tenant is None:
                on.rows("lock_store", store=name)
            else:
                on.rows(lock, store=name, tenant=f"{name}/{tenant}")

        with self.server.transaction((name, lock), patience, begin) as on:
            process = os.getpid()
            yield on
            if process != os.getpid():
                raise StoreError("The process was forked inside a write; nothing was committed here.")
            if left is not None and left() <= 0:
                raise DeadlineExceeded("The time given ran out before the write was committed.")
            on.commit()

    def may_write(self) -> bool:
        """Whether server and role let it be written; asked again only as long as they do not."""
        if not self._writes:
            with self.reading() as on:
                row = on.row("may_write", named=f"{self.spec.name}.{self.spec.table}")
            self._writes = bool(row and row[0])
        return self._writes

    def damage(self, on: Connection) -> Iterator[str]:  # noqa: ARG002 - the server looks after its pages by its own tools
        """Nothing: a server's pages are checked by its own tools."""
        yield from ()

    def missing(self, on: Connection) -> tuple[str, ...]:
        """Names of the migrations the schema still needs."""
        return tuple(step.name for step in self._missing(on))

    def rewrite(self, deadline: float) -> bool:
        """Take deleted rows out of the pages, where the role owns the tables; readers never hold this up.

        Raises:
            DeadlineExceeded: it was not done in time.
        """
        with self.server.session(deadline) as on:
            on.rows("limit_session", timeout=str(max(1, int(deadline * 1000))))
            try:
                on.rows(f"vacuum_{self.spec.name}")
            finally:
                on.rows("limit_session", timeout="0")
        return True

    def backup(self, target: Path) -> None:
        """Refuse: a database is copied by its own tools.

        Raises:
            InvalidInput: always.
        """
        raise InvalidInput(
            f"A PostgreSQL store is not copied into {target.name!r}.",
            remedy="Use pg_dump on the schemas bethink and bethink_traces, or the server's own backups.",
        )

    def close(self) -> None:
        """Close the server's connections; closing twice is harmless."""
        self.server.close()

    def make_months(self) -> None:
        """See that the traces of the months to come have their partitions, where the login may make them."""
        with self.reading() as on:
            (count,) = on.rows("missing_trace_months")[0]
        if count and self.may_write():
            with self._write(None, None, "lock_tenant", NOBODY) as on:
                on.rows("make_trace_months")

    def _settings(self, tenant: str | None, patience: float, role: str) -> dict[str, object]:
        """What a transaction sets for itself."""
        return {
            "path": f"{self.spec.name}, pg_temp",
            "tenant": tenant or "",
            "upkeep": "list" if tenant is None else "",
            "role": role,
            "lock_timeout": str(max(1, int(patience * 1000))),
            "durable": int(self.spec.durable),
        }

    def _left(self, deadline: float | None) -> Callable[[], float] | None:
        """How many of `deadline` seconds from now are left, when asked."""
        if deadline is None:
            return None
        end, elapsed = self.server.clock.elapsed() + deadline, self.server.clock.elapsed
        return lambda: end - elapsed()

    def _missing(self, on: Connection) -> tuple[Migration, ...]:
        """The steps the schema still needs, all of them where it is not there."""
        ((usable, ledger),) = on.rows("find_ledger", schema=self.spec.name)
        if usable is False:
            raise StoreError(f"The role may not use the schema {self.spec.name}.", remedy=RIGHTS)
        return missing(on, self.steps) if ledger else self.steps

    def _migrate(self) -> None:
        """Apply what is missing, a transaction each; processes that open at once take turns."""
        with self.reading() as on:
            left = self._missing(on)
        while left:
            with self._write(None, None, "lock_tenant", NOBODY) as on:
                ((usable, _),) = on.rows("find_ledger", schema=self.spec.name)
                if usable is None:
                    on.rows("name_schema", schema=self.spec.name)
                    on.rows("make_schema")
                left = self._missing(on)
                if left:
                    apply(on, left[0])


_SERVERS: weakref.WeakSet[PostgresServer] = weakref.WeakSet()
_INHERITED: list[ConnectionPool[Handle]] = []


def _forked() -> None:
    """In the child: every server starts anew."""
    for server in list(_SERVERS):
        server._after_fork()  # noqa: SLF001 - a hook of the class, here because the interpreter wants a function


os.register_at_fork(after_in_child=_forked)
