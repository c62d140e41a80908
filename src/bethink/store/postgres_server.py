"""A PostgreSQL server as one store uses it: a pool of connections, given to one transaction at a time, and forks."""

from __future__ import annotations

import math
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from bethink.errors import InvalidInput, StoreError
from bethink.ports.clock import Clock
from bethink.store.postgres_connection import PostgresConnection, adapt
from bethink.store.postgres_failures import REACHING, translate
from bethink.store.postgres_gate import check_server
from bethink.store.postgres_wire import Handle, Wire

_RETRY_SECONDS = 1.0
"""How long the pool goes on trying to reach a server that is away, and how often it is asked again."""


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How many connections a store keeps and may open to each server, and how long a write waits for those before it.

    Times are seconds. `connect_seconds` is how long the server may take to let the first connection in, unless the URL
    says (`connect_timeout`). `replica` is the URL of a server that follows this one; empty without one.
    """

    least: int = 1
    most: int = 10
    lock_timeout: float = 10.0
    connect_seconds: int = 10
    replica: str = ""


class PostgresServer:
    """A server as one store uses it: a pool of connections for its threads. A forked child starts with a new pool."""

    _wires: dict[Handle, Wire]

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
            with psycopg.connect(patient(url, self.options.connect_seconds)) as handle:
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
        with suppress(PoolTimeout):  # who asks before the pool is filled makes it grow: two would serve one caller
            self._pool.wait(self.options.connect_seconds)
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

    def _borrow(self, patience: float) -> Wire:
        """The way over a connection nobody uses."""
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
        return self._wires.get(handle) or self._wired(handle)

    def _wired(self, handle: Handle) -> Wire:
        """The way over a connection that is new here, or from before vectors had a type; the closed ones go."""
        for other in [other for other in list(self._wires) if other.closed]:
            self._wires.pop(other, None)
        adapt(handle, self.vector_type)
        wire = self._wires[handle] = Wire(handle)
        return wire

    def learn_vector_type(self, oid: int) -> None:
        """Note how vectors are stored; connections made before learn it when they are next used."""
        self.vector_type = oid
        self._wires = {}

    def _start(self) -> None:
        """Begin with a new pool: at first, and in a forked child."""
        self._wires = {}
        self._mutex = threading.Lock()
        self._pool: ConnectionPool[Handle] = ConnectionPool(
            self._url,
            kwargs={"autocommit": True, "prepare_threshold": None, "application_name": "bethink"},
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


def patient(url: str, seconds: int) -> str:
    """A URL that says how long the server may take to let a connection in."""
    said = "connect_timeout" in conninfo_to_dict(url)
    return url if said else make_conninfo(url, connect_timeout=seconds)


_SERVERS: weakref.WeakSet[PostgresServer] = weakref.WeakSet()
_INHERITED: list[ConnectionPool[Handle]] = []


def _forked() -> None:
    """In the child: every server starts anew."""
    for server in list(_SERVERS):
        server._after_fork()  # noqa: SLF001 - a hook of the class, here because the interpreter wants a function


os.register_at_fork(after_in_child=_forked)
