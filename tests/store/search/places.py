"""Where a store in small lies: bare connections to either database, whose transactions are the test's affair."""

from __future__ import annotations

import re
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import apsw
import psycopg

from bethink.store.connection import SqliteConnection
from bethink.store.migrate import SQL, migrations
from bethink.store.postgres_connection import PostgresConnection, adapt
from bethink.store.postgres_wire import Wire
from tests.databases import Database, Files, Place
from tests.postgres.template import SCHEMA

TENANT = "acme"
_WORDS = {
    "sqlite": ((r"\bnought\((\w+)\)", r"zeroblob(length(\1))"),),
    "postgres": (
        (r"\bnought\(vector\)", r"vector - vector"),
        (r"\bnought\((\w+)\)", r"decode(repeat('00', length(\1)), 'hex')"),
        (r"\?", r"%s"),
        (r"(?<![:\w]):([a-z]\w*)", r"%(\1)s"),
    ),
}
"""What a statement of a test's own says in a dialect; `nought(column)` is as many zeros as the column holds bytes."""


def spoken(sql: str, dialect: str) -> str:
    """A statement in the words of a dialect."""
    for mark, words in _WORDS[dialect]:
        sql = re.sub(mark, words, sql)
    return sql


@cache
def empty() -> bytes:
    """A file nobody wrote to."""
    handle = apsw.Connection(":memory:")
    for step in migrations(SQL / "migrations"):
        handle.execute(step.text).fetchall()
    return handle.serialize("main")


class BareFile(SqliteConnection):
    """A connection to a SQLite file."""

    def __init__(self, path: Path) -> None:
        super().__init__(apsw.Connection(str(path)), time.monotonic)
        self.place: Place = path
        self.handle.set_busy_timeout(5_000)
        self.do("pragma journal_mode = wal")
        self.do("pragma synchronous = off")

    def do(self, sql: str, values: Any = None) -> list[tuple[Any, ...]]:
        """Run a statement of one's own."""
        return self.handle.execute(spoken(sql, "sqlite"), values).fetchall()

    def begin_read(self) -> None:
        """Read one snapshot from here on."""
        self.do("begin")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write."""
        self.do("begin immediate")
        yield
        self.do("commit")


class BareServer(PostgresConnection):
    """A connection to a server as the login that owns nothing, as the one tenant there is."""

    def __init__(self, url: str) -> None:
        super().__init__(Wire(psycopg.connect(url, autocommit=True)), (SCHEMA, "lock_tenant"), time.monotonic)
        self.place: Place = url
        self.handle.execute(
            "select set_config('search_path', %s, false), set_config('app.tenant', %s, false)",
            [f"{SCHEMA}, public", TENANT],
        )
        ((oid,),) = self.rows("find_vector_type")
        adapt(self.handle, oid)

    def do(self, sql: str, values: Any = None) -> list[tuple[Any, ...]]:
        """Run a statement of one's own, behind those that wait to be sent."""
        if self._posted:
            self._together([])
        done = self.handle.execute(spoken(sql, "postgres"), values)
        return done.fetchall() if done.description else []

    def begin_read(self) -> None:
        """Read one snapshot from here on."""
        self.do("begin isolation level repeatable read read only")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write."""
        self.do("begin")
        yield
        self.commit(certain=True)


Bare = BareFile | BareServer


@dataclass
class Places:
    """Makes new, empty stores and connections to them; a store goes when its last connection is let go."""

    database: Database
    _ending: list[weakref.finalize[Any, Any]] = field(default_factory=list)

    def new(self) -> Bare:
        """A connection to a new store."""
        stack = ExitStack()
        place = stack.enter_context(self.database.passing())
        if isinstance(self.database, Files):
            Path(place).write_bytes(empty())
        return self._connected(place, stack.close)

    def beside(self, other: Bare) -> Bare:
        """Another connection to a store, used only as long as the first one."""
        return self._connected(other.place, lambda: None)

    def end(self) -> None:
        """Let every store go that is still there."""
        for ending in self._ending:
            ending()

    def _connected(self, place: Place, leave: Callable[[], Any]) -> Bare:
        made = BareFile(Path(place)) if isinstance(self.database, Files) else BareServer(str(place))
        self._ending = [ending for ending in self._ending if ending.alive]
        self._ending.append(weakref.finalize(made, _let_go, made.handle, leave))
        return made


def _let_go(handle: Any, leave: Callable[[], Any]) -> None:
    """Close a connection, then leave its store."""
    handle.close()
    leave()
