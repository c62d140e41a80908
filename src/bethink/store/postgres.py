"""A PostgreSQL database: its schema, one snapshot per reader, writers that take turns by tenant, deadlines.

A write locks its tenant for the length of its transaction, so positions are given and committed in one order, and
readers go on beside it. The locks are advisory: they need no row, no right and no connection of their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bethink.errors import DeadlineExceeded, InvalidInput, StoreError, StoreReadOnly
from bethink.store.database import Connection
from bethink.store.migrate import SQL, Migration, apply, migrations, missing
from bethink.store.postgres_connection import PostgresConnection
from bethink.store.postgres_failures import RIGHTS
from bethink.store.postgres_server import PostgresServer

_LOCK_SPARE = 0.05
"""Seconds a statement has beyond the time for locks, so that a lock waited for too long is told as that."""
NOBODY = "none"
"""The login keeps its own rights: the name PostgreSQL has for no other role."""


@dataclass(frozen=True, slots=True)
class SchemaSpec:
    """What a schema is: its name, its migrations' folder, a table that tells who may write, whether it must last.

    `stands` is whether its tenants have a standing that every transaction asks for first, and `first` is what a write
    asks first of a tenant where they have none.
    """

    name: str
    folder: str
    table: str
    durable: bool
    stands: bool
    first: str = ""


TRUTH = SchemaSpec("bethink", "migrations", "tenant", durable=True, stands=True)
TRACES = SchemaSpec("bethink_traces", "trace_migrations", "trace", durable=False, stands=False, first="any_erased")


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
            if tenant is not None and self.spec.stands:
                on.stand()
            else:
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
            elif self.spec.stands:
                on.post(lock, store=name, tenant=f"{name}/{tenant}")
                on.stand()
            else:
                on.post(lock, store=name, tenant=f"{name}/{tenant}")
                on.look_ahead(self.spec.first, tenant, tenant=tenant)

        with self.server.transaction((name, lock), patience, begin) as on:
            process = os.getpid()
            yield on
            if process != os.getpid():
                raise StoreError("The process was forked inside a write; nothing was committed here.")
            if left is not None and left() <= 0:
                raise DeadlineExceeded("The time given ran out before the write was committed.")
            on.commit(certain=self.spec.durable)

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
