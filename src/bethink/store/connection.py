"""One SQLite connection that runs named queries and speaks in bethink's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import apsw

from bethink.errors import StoreCorrupt
from bethink.store.database import Row
from bethink.store.failures import translate
from bethink.store.queries import queries

_STEPS_BETWEEN_CHECKS = 2_000
"""Instructions of the engine between two looks at the clock, about 20 µs: a deadline is kept closely and cheaply."""


_CACHE_KIB = -32_768


class SqliteConnection:
    """The `Connection` of the database contract, on SQLite."""

    def __init__(self, handle: apsw.Connection, elapsed: Callable[[], float]) -> None:
        """Wrap a connection; `elapsed` is the stopwatch that deadlines go by, in seconds."""
        self.handle = handle
        self._elapsed = elapsed
        self._queries = queries("sqlite")

    def rows(self, name: str, /, **values: Any) -> list[Row]:
        """Every row of a query."""
        try:
            return self.handle.execute(self._queries[name], values).fetchall()
        except apsw.Error as error:
            raise translate(error, self.handle) from error
        except UnicodeDecodeError as error:
            raise StoreCorrupt("A stored text is damaged: it is no longer UTF-8.") from error

    def row(self, name: str, /, **values: Any) -> Row | None:
        """The first row of a query, None without one."""
        rows = self.rows(name, **values)
        return rows[0] if rows else None

    def ask(self, name: str, asked: Iterable[Mapping[str, Any]], /) -> list[list[Row]]:
        """The rows of a query once per mapping, in their order."""
        return [self.rows(name, **values) for values in asked]

    def ask_all(self, asked: Iterable[tuple[str, Mapping[str, Any]]], /) -> list[list[Row]]:
        """The rows of each query with its values, in their order."""
        return [self.rows(name, **values) for name, values in asked]

    def run(self, name: str, /, **values: Any) -> int:
        """Run a statement; how many rows it changed."""
        self.rows(name, **values)
        return self.handle.changes()

    def post(self, name: str, /, **values: Any) -> None:
        """Run a statement whose count nobody needs."""
        self.rows(name, **values)

    def run_many(self, name: str, rows: Iterable[Mapping[str, Any]], /) -> None:
        """Run a statement once per mapping."""
        try:
            self.handle.executemany(self._queries[name], rows)
        except apsw.Error as error:
            raise translate(error, self.handle) from error

    def script(self, text: str) -> None:
        """Run the statements of a migration."""
        try:
            self.handle.execute(text)
        except apsw.Error as error:
            raise translate(error, self.handle) from error

    def enter(self, tenant: str) -> None:
        """Nothing to do: the file is one for every tenant, and its one writer waits for nobody."""

    def allow(self, seconds: float) -> None:
        """Give the statements of a read so many seconds from now, in place of what they had left."""
        end = self._elapsed() + seconds
        self.limit(lambda: self._elapsed() >= end)

    def limit(self, expired: Callable[[], bool] | None) -> None:
        """End running statements with `DeadlineExceeded` once `expired` says so; None lifts the limit."""
        self.handle.set_progress_handler(expired, _STEPS_BETWEEN_CHECKS)

    def end(self) -> None:
        """Roll back whatever is open, and lift the limit."""
        self.limit(None)
        if self.handle.in_transaction:
            self.run("rollback")

    def close(self) -> None:
        """Close it; closing twice is harmless."""
        self.handle.close()


def configure(handle: apsw.Connection, synchronous: str, *, write: bool) -> None:
    """What holds on every connection.

    The planner's guarantee of stability is on: without it SQLite prepares a statement anew whenever a bound value could
    change its plan, which made `get` four times slower. The statistics are constants anyway.
    """
    handle.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    handle.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    handle.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    handle.pragma("synchronous", synchronous)
    handle.pragma("secure_delete", 1)
    handle.pragma("cache_size", _CACHE_KIB)
    handle.pragma("cell_size_check", 1)
    if not write:
        handle.pragma("query_only", 1)
