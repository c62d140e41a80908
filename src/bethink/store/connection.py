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


class SqliteConnection:
    """The `Connection` of the database contract, on SQLite."""

    def __init__(self, handle: apsw.Connection) -> None:
        self.handle = handle
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

    def run(self, name: str, /, **values: Any) -> int:
        """Run a statement; how many rows it changed."""
        self.rows(name, **values)
        return self.handle.changes()

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
