"""The contract of a database driver: named queries on one connection. Everything above it is free of dialect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

    def run(self, name: str, /, **values: Any) -> int:
        """Run a statement; how many rows it changed."""
        ...

    def run_many(self, name: str, rows: Iterable[Mapping[str, Any]], /) -> None:
        """Run a statement once per mapping."""
        ...
