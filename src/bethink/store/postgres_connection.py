"""One PostgreSQL connection that runs named queries and speaks in bethink's errors."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np
import psycopg
from psycopg import postgres
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format, TransactionStatus
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper

from bethink.store.database import Row
from bethink.store.postgres_failures import translate, unknown_outcome
from bethink.store.postgres_wire import Handle, Statement, Told, Wire, named
from bethink.store.queries import queries, vectors_of

_BYTES = postgres.types["bytea"].oid
_TIGHT = 0.75
"""The share of the last limit below which the next statement gets a new one."""
ASKED_OF_META = ("analyser", "words")
"""What of the store itself a search asks; see `analyser.py`."""
_TOGETHER = 500
"""Statements sent at once at most."""
_LEAST = 0.01
"""Seconds any statement may take, however late it is: what was found by the deadline can still be told."""


@cache
def _texts() -> dict[str, bytes]:
    """The queries as the driver takes them."""
    return {name: text.encode() for name, text in queries("postgres").items()}


class Floats(bytes):
    """A vector as float32 little-endian bytes, bound in the type of its column."""

    __slots__ = ()


class PostgresConnection:
    """The `Connection` of the database contract, on PostgreSQL, inside the transaction its database opened."""

    def __init__(self, wire: Wire, locks: tuple[str, str], elapsed: Callable[[], float]) -> None:
        """Wrap a connection.

        Args:
            wire: the way to the server.
            locks: the names of the store's lock and of the query that locks a tenant.
            elapsed: the stopwatch that deadlines go by, in seconds.
        """
        self.handle = wire.handle
        self._wire = wire
        self._queries = _texts()
        self._vectors = vectors_of("postgres")
        self._store, self._lock = locks
        self._elapsed = elapsed
        self._left: Callable[[], float] | None = None
        self._limit = 0.0
        self._tenant = ""
        self._marked = False
        self._posted: list[Statement] = []
        self._ahead: dict[tuple[str, str], list[Row]] = {}  # by query and its one value

    def rows(self, name: str, /, **values: Any) -> list[Row]:
        """Every row of a query."""
        if self._ahead and len(values) == 1:
            known = self._ahead.pop((name, next(iter(values.values()))), None)
            if known is not None:
                return known
        return self._run(name, values).rows

    def row(self, name: str, /, **values: Any) -> Row | None:
        """The first row of a query, None without one."""
        rows = self.rows(name, **values)
        return rows[0] if rows else None

    def ask(self, name: str, asked: Iterable[Mapping[str, Any]], /) -> list[list[Row]]:
        """The rows of a query once per mapping, in their order: one statement where there is a text for many.

        Such a text gets what differs between the mappings as JSON, and gives the number of its mapping before each row.
        """
        items = list(asked)
        each = self._queries.get(f"{name}_each") if len(items) > 1 else None
        if each is None:
            return self.ask_all((name, item) for item in items)
        same = {value: items[0][value] for value in named(each) if value != "rows"}
        differing = [{value: item[value] for value in item if value not in same} for item in items]
        told = self._together([(each, {**same, "rows": json.dumps(differing, ensure_ascii=False)})])[-1]
        found: list[list[Row]] = [[] for _ in items]
        for at, *row in told.rows:
            found[at].append(tuple(row))
        return found

    def ask_all(self, asked: Iterable[tuple[str, Mapping[str, Any]]], /) -> list[list[Row]]:
        """The rows of each query with its values, in their order, in one round trip."""
        statements = [(self._queries[name], self._bound(name, values)) for name, values in asked]
        return [told.rows for told in self._together(statements)] if statements else []

    def run(self, name: str, /, **values: Any) -> int:
        """Run a statement; how many rows it changed."""
        return self._run(name, values).touched

    def post(self, name: str, /, **values: Any) -> None:
        """Send a statement with those that follow it, before the next answer or the commit; a read sends it at once."""
        if not self._lock:
            self.rows(name, **values)
            return
        self._posted.append((self._queries[name], self._bound(name, values)))
        if len(self._posted) >= _TOGETHER:
            self._together([])

    def run_many(self, name: str, rows: Iterable[Mapping[str, Any]], /) -> None:
        """Run a statement once per mapping, as one statement where there is a text for many."""
        whole = self._queries.get(f"{name}_many")
        if whole is not None:
            self._posted.append((whole, {"rows": json.dumps(list(rows), ensure_ascii=False)}))
            return
        for values in rows:
            self.post(name, **values)

    def script(self, text: str) -> None:
        """Run the statements of a migration."""
        if self._posted:
            self._together([])
        try:
            self.handle.execute(text.encode())
        except psycopg.Error as error:
            raise translate(error) from error

    def enter(self, tenant: str) -> None:
        """Speak of this tenant from here on; in a write, when its other writers are done."""
        if tenant == self._tenant:
            return
        self._ahead.clear()
        self.rows("enter_tenant", tenant=tenant)
        if self._lock:
            self.rows(self._lock, store=self._store, tenant=f"{self._store}/{tenant}")
        self._tenant = tenant

    def begin(self, query: str, left: Callable[[], float] | None, spare: float, **settings: Any) -> None:
        """Begin a transaction, together with the first statement after it.

        `left` says how many seconds its statements have, None for no limit; the first ones may take `spare` longer.
        """
        self._left = None
        self._tenant = settings["tenant"]
        self._posted.append((self._queries[query], {}))
        self._left = left
        self._limit = 0.0 if left is None else max(left(), _LEAST)
        settings["timeout"] = _milliseconds(0.0 if left is None else self._limit + spare)
        self._posted.append((self._queries["open_transaction"], settings))

    def stand(self, *also: str) -> list[list[Row]]:
        """Ask ahead what every transaction of a tenant asks first; each answer is given once, to whoever asks for it.

        Nobody can change them meanwhile: a read has its snapshot, a write the locks of its tenant and of the store.
        What is asked beside them, queries without values, is answered here.
        """
        rows, *others = self.ask_all([("read_standing", {"tenant": self._tenant}), *((name, {}) for name in also)])
        self._ahead = {("read_tenant", self._tenant): [row[2:] for row in rows if row[0] == "tenant"]}
        for name in ASKED_OF_META:
            self._ahead["read_meta", name] = [(row[1],) for row in rows if row[0] == name]
        return others

    def look_ahead(self, name: str, value: str, /, **values: str) -> None:
        """Ask what a write asks first, in one go with the lock before it; the answer is given once."""
        self._ahead[name, value] = self.rows(name, **values)

    def allow(self, seconds: float) -> None:
        """Give the statements of a read so many seconds from now; from here on one that fails is undone by the next."""
        end = self._elapsed() + seconds
        if not self._marked:
            self._marked = True
            self._posted.append((self._queries["mark_statement"], {}))
        self._left, self._limit = lambda: end - self._elapsed(), max(seconds, _LEAST)
        self._posted.append((self._queries["limit_statement"], {"timeout": _milliseconds(self._limit)}))

    def commit(self, *, certain: bool) -> None:
        """Commit, in one go with what was posted unless a connection that is lost until then is to be told apart.

        Raises:
            StoreError: the connection broke meanwhile, and nobody knows here what became of the write.
        """
        if self._posted and certain:
            self._together([])
        self._left = None
        self._posted.append((self._queries["commit"], {}))
        try:
            self._send([])
        except psycopg.OperationalError as error:
            raise (unknown_outcome(error) if self.handle.closed else translate(error)) from error
        except psycopg.Error as error:
            raise translate(error) from error

    def end(self) -> None:
        """Roll back whatever is open; a connection that is broken is left alone."""
        self._left = None
        self._posted.clear()
        self._ahead.clear()
        if self.handle.closed:
            return
        if self.handle.info.transaction_status is not TransactionStatus.IDLE:
            self.rows("rollback")

    def _run(self, name: str, values: Mapping[str, Any]) -> Told:
        """Run one statement, in one go with those that were posted."""
        (told,) = self._together([(self._queries[name], self._bound(name, values))])
        return told

    def _together(self, statements: list[Statement]) -> list[Told]:
        """Run statements behind those that were posted, in one round trip and within what is left of the time."""
        self._keep_time()
        try:
            return self._send(statements)
        except psycopg.Error as error:
            raise translate(error) from error

    def _send(self, statements: list[Statement]) -> list[Told]:
        """Send what was posted and the statements; what the latter gave, the driver's error when one failed."""
        posted, self._posted = self._posted, []
        return self._wire.send([*posted, *statements])[len(posted) :]

    def _bound(self, name: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values with their vectors marked."""
        marked = self._vectors.get(name)
        return {**values, **{item: Floats(values[item]) for item in marked}} if marked else values

    def _keep_time(self) -> None:
        """Give the next statement no more than what is left, or the least there is; undo one that failed.

        What begins a transaction limits it itself.
        """
        if self._left is None or self.handle.pgconn.transaction_status == TransactionStatus.IDLE:
            return
        left, first = max(self._left(), _LEAST), list[Statement]()
        failed = self._marked and self.handle.pgconn.transaction_status == TransactionStatus.INERROR
        if failed:
            first.append((self._queries["undo_statement"], {}))
        if failed or left < _TIGHT * self._limit:
            self._limit = left
            first.append((self._queries["limit_statement"], {"timeout": _milliseconds(left)}))
        self._posted[:0] = first


def _milliseconds(seconds: float) -> str:
    """A time as the server's settings take it, where 0 is no limit."""
    return str(math.ceil(seconds * 1000))


def adapt(handle: Handle, vector_type: int | None) -> None:
    """Make a fresh connection speak as the queries expect.

    Texts and whole numbers have one type each, whatever their value, so that a query is prepared once; vectors travel
    in the type their column has (`vector_type`; None before there is one).
    """
    handle.adapters.register_dumper(str, StrDumper)
    handle.adapters.register_dumper(int, Int8Dumper)
    if vector_type not in {None, _BYTES}:
        handle.adapters.register_dumper(Floats, type("VectorDumper", (_VectorDumper,), {"oid": vector_type}))
        handle.adapters.register_loader(vector_type, _VectorLoader)


class _VectorDumper(Dumper):
    """float32 bytes as pgvector receives them: the count, a reserved field, then big-endian floats."""

    format = Format.BINARY

    def dump(self, obj: Floats) -> bytes:
        """The wire form."""
        floats = np.frombuffer(obj, dtype="<f4")
        return struct.pack(">HH", len(floats), 0) + floats.astype(">f4").tobytes()


class _VectorLoader(Loader):
    """What pgvector sends as float32 bytes."""

    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        """The bytes a SQLite store would hold."""
        return np.frombuffer(bytes(data), dtype=">f4", offset=4).astype("<f4").tobytes()
