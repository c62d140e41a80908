"""The contract of a database driver: named queries inside transactions. Everything above it is free of dialect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

Row = tuple[Any, ...]


class Connection(Protocol):
    """One connection inside one transaction. `name` is a query of `store/sql`, values are always bound."""

    def rows(self, name: str, /, **values: Any) -> list[Row]:
        """Every row of a query."""
        ...

    def row(self, name: str, /, **values: Any) -> Row | None:
        """The first row of a query, None without one."""
        ...

    def ask(self, name: str, asked: Iterable[Mapping[str, Any]], /) -> list[list[Row]]:
        """The rows of a query once per mapping, in their order; a server is asked for all of them at once."""
        ...

    def ask_all(self, asked: Iterable[tuple[str, Mapping[str, Any]]], /) -> list[list[Row]]:
        """The rows of each query with its values, in their order; a server is asked for all of them at once."""
        ...

    def run(self, name: str, /, **values: Any) -> int:
        """Run a statement; how many rows it changed."""
        ...

    def post(self, name: str, /, **values: Any) -> None:
        """Run a statement whose count nobody needs.

        It may be sent together with later ones, before the next answer or the commit; its error comes then.
        """
        ...

    def run_many(self, name: str, rows: Iterable[Mapping[str, Any]], /) -> None:
        """Run a statement once per mapping."""
        ...

    def allow(self, seconds: float) -> None:
        """Give the statements of a read so many seconds from now, in place of what they had left.

        From here on a statement that ran out of time leaves the read as it was.
        """
        ...

    def script(self, text: str) -> None:
        """Run the statements of a migration."""
        ...

    def enter(self, tenant: str) -> None:
        """Speak of this tenant from here on; in a write, when its other writers are done.

        A transaction that enters several does so in ascending order, or two could wait for each other.
        """
        ...


class Database(Protocol):
    """One open database, shared by threads and processes.

    A transaction is one tenant's, or the whole store's when no tenant is named. A transaction of the whole store sees
    what names no memory (`list_tenants`, jobs, what waits for a vector) and enters tenants to see theirs.
    """

    @property
    def engine(self) -> str:
        """Name and version of the engine."""
        ...

    @property
    def schema(self) -> int:
        """The schema version this program knows."""
        ...

    @property
    def patience(self) -> float:
        """Seconds a write waits for those before it unless told otherwise."""
        ...

    @property
    def beyond(self) -> tuple[str, ...]:
        """Where copies of erased bytes may lie that this program cannot reach."""
        ...

    def reading(
        self, deadline: float | None = None, *, tenant: str | None = None
    ) -> AbstractContextManager[Connection]:
        """A connection inside one read of one snapshot; past `deadline` seconds its statements end."""
        ...

    def writing(
        self, deadline: float | None = None, *, tenant: str | None = None, shared: bool = False
    ) -> AbstractContextManager[Connection]:
        """A connection inside one write, committed on leaving, rolled back on an exception.

        Writes of a tenant follow one another, so what one of them numbers is committed in that order; `shared` ones go
        beside each other and never beside one that is not.

        Raises:
            StoreBusy: those before it took longer than `deadline`, or than the database's patience without one.
            StoreReadOnly: it cannot be written here.
            DeadlineExceeded: the time ran out later; nothing was committed.
        """
        ...

    def may_write(self) -> bool:
        """Whether it may be written here."""
        ...

    def damage(self, on: Connection) -> Iterator[str]:
        """What the engine finds wrong inside itself, in words."""
        ...

    def missing(self, on: Connection) -> tuple[str, ...]:
        """Names of the migrations the store still needs.

        Raises:
            StoreNewer, StoreCorrupt: it went through others than this program knows.
        """
        ...

    def rewrite(self, deadline: float) -> bool:
        """Leave as few bytes of deleted rows as the engine can; whether readers let them go.

        Raises:
            DeadlineExceeded: it was not done in time; the store is as before.
        """
        ...

    def backup(self, target: Path) -> None:
        """Copy the store as it is now into a new file.

        Raises:
            InvalidInput: there is a file at `target`, or this database is copied by its own tools.
        """
        ...

    def close(self) -> None:
        """Release connections, files and locks; closing twice is harmless."""
        ...
