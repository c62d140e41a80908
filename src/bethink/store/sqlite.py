"""A SQLite file: opening it, the one writer, a snapshot per reader, deadlines, forks.

WAL lets readers go on beside the writer. Writers of all threads and processes stand in one `FairLock` before they ask
the engine. A store is built beside its place and renamed into it, so a file at the path is always whole.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from bethink.errors import DeadlineExceeded, InvalidInput, StoreBusy, StoreError, StoreReadOnly
from bethink.ports.clock import Clock
from bethink.store.connection import SqliteConnection, configure
from bethink.store.database import Connection
from bethink.store.failures import typed
from bethink.store.lock import FairLock
from bethink.store.migrate import SQL, Migration, apply, migrations, missing
from bethink.store.place import (
    check_header,
    check_no_log,
    check_place,
    log_size,
    make_empty,
    put_in_place,
    read_header,
    stamp,
    writable,
)

_BUSY_MS = 5_000
"""How long the engine itself waits: for a recovery after a crash or a closing process. Writers queue before that."""
PAGE_BYTES = 8_192
"""Five vectors of 384 dimensions fit one page; at the usual 4,096 each takes an overflow page and the file doubles."""
_STATEMENTS = 512
_IDLE_READERS = 16


@dataclass(frozen=True, slots=True)
class FileSpec:
    """What a file is: the id that tells it from other databases, its migrations' folder, how hard it syncs."""

    application_id: int
    folder: str
    synchronous: str


TRUTH = FileSpec(0x62_65_74_6B, "migrations", "full")
TRACES = FileSpec(0x62_65_74_72, "trace_migrations", "normal")


@dataclass(frozen=True, slots=True)
class FileOptions:
    """How to use a file.

    `lock_timeout` is the longest wait in the writers' queue in seconds, `busy_ms` how long the engine itself waits in a
    write, `vfs` its file layer, `steps` the migrations (those of the file's kind unless given).
    """

    lock_timeout: float = 10.0
    busy_ms: int = _BUSY_MS
    vfs: str = ""
    steps: tuple[Migration, ...] | None = None


class SqliteFile:
    """One open file, safe to share between threads. A forked child starts with fresh connections."""

    _idle: list[SqliteConnection]
    _writer: SqliteConnection | None
    _closed: bool

    def __init__(self, path: Path, spec: FileSpec, clock: Clock, options: FileOptions | None = None) -> None:
        """Open the file, make it when it does not exist, bring its schema up to date.

        Raises:
            StoreError: one of its kinds says why the file cannot be used. The file is not touched then.
        """
        self.path = path
        self.spec = spec
        self.options = options or FileOptions()
        self.steps = migrations(SQL / spec.folder) if self.options.steps is None else self.options.steps
        self._clock = clock
        self._lock = FairLock(Path(f"{path}.lock"))
        self._start()
        _FILES.add(self)
        with typed(path):
            check_place(path)
            if not path.exists():
                self._create()
            check_header(path, read_header(path, self.options.vfs), spec.application_id)
            self._migrate()

    @contextmanager
    def reading(
        self,
        deadline: float | None = None,
        *,
        tenant: str | None = None,  # noqa: ARG002 - one file holds every tenant
    ) -> Iterator[SqliteConnection]:
        """A connection inside one read transaction; past `deadline` seconds its statements end."""
        expired = self._expiry(deadline)
        connection, generation = self._borrow()
        try:
            connection.limit(expired)
            connection.run("begin_read")
            yield connection
        finally:
            self._give_back(connection, generation)

    @contextmanager
    def writing(
        self,
        deadline: float | None = None,
        *,
        tenant: str | None = None,  # noqa: ARG002 - one file has one writer, whoever's
        shared: bool = False,  # noqa: ARG002 - and it writes alone
    ) -> Iterator[SqliteConnection]:
        """A connection inside one write transaction, committed on leaving, rolled back on an exception.

        Raises:
            StoreBusy: those ahead in the queue took longer than `deadline`, or the lock timeout without one.
            DeadlineExceeded: the time ran out later; nothing was committed.
        """
        expired = self._expiry(deadline)
        with self.holding(deadline) as connection:
            connection.limit(expired)
            connection.run("begin_write")
            yield connection
            if expired is not None and expired():
                raise DeadlineExceeded("The time given ran out before the write was committed.")
            if self._writer is not connection:
                raise StoreError("The process was forked inside a write; nothing was committed here.")
            connection.limit(None)
            connection.run("commit")

    @contextmanager
    def holding(self, deadline: float | None = None) -> Iterator[SqliteConnection]:
        """The writer's connection and the queue's lock, without a transaction; what is open on leaving is undone."""
        if not self.may_write():
            raise StoreReadOnly(f"{self.path} or its folder may not be written.")
        timeout = self.options.lock_timeout if deadline is None else deadline
        with ExitStack() as held:
            with typed(self.path):
                held.enter_context(self._lock.hold(timeout))
            connection = self._writer_connection()
            held.callback(self._settle_writer, connection)
            yield connection

    def rewrite(self, deadline: float) -> bool:
        """Write every page anew and cut the log, so that deleted bytes are nowhere; whether readers let the log go.

        Raises:
            DeadlineExceeded: the pages were not written in time; the file is as before.
        """
        expired = self._expiry(deadline)
        with self.holding(deadline) as connection:
            connection.limit(expired)
            connection.run("vacuum")
            connection.limit(None)
            return self._truncate(connection, deadline)

    def backup(self, target: Path) -> None:
        """Copy the file as one snapshot has it; the copy is whole or not there.

        Raises:
            InvalidInput: there is a file at `target`.
        """
        if target.exists():
            raise InvalidInput(f"There is a file at {target} already.")
        fresh = Path(f"{target}.new")
        with typed(target), self.reading() as connection:
            make_empty(fresh)
            copy = apsw.Connection(str(fresh), flags=apsw.SQLITE_OPEN_READWRITE)
            with copy.backup("main", connection.handle, "main") as steps:
                steps.step()
            copy.close()
            put_in_place(fresh, target)

    def close(self) -> None:
        """Close every connection; one in use closes when its reader ends. Closing twice is harmless."""
        with self._mutex:
            self._closed = True
            connections, self._idle = self._idle, []
            writer, self._writer = self._writer, None
        for connection in [*connections, *([writer] if writer else [])]:
            connection.close()

    def _start(self) -> None:
        """Begin without connections: at first, and in a forked child."""
        self._mutex = threading.Lock()
        self._idle = []
        self._writer = None
        self._closed = False
        self._generation = os.getpid()
        self._seen: tuple[object, ...] = ()
        self._writes = False

    def _after_fork(self) -> None:
        """Leave the parent's connections alone for ever: even closing them here would touch its locks."""
        _INHERITED.extend(self._idle + ([self._writer] if self._writer else []))
        closed = self._closed
        self._start()
        self._closed = closed

    @property
    def engine(self) -> str:
        """Name and version of the engine."""
        return f"SQLite {apsw.sqlite_lib_version()}"

    @property
    def schema(self) -> int:
        """The schema version this program knows."""
        return self.steps[-1].number

    @property
    def patience(self) -> float:
        """Seconds a write waits for those before it unless told otherwise."""
        return self.options.lock_timeout

    @property
    def beyond(self) -> tuple[str, ...]:
        """Nowhere: the file is written anew and its log cut."""
        return ()

    def damage(self, on: Connection) -> Iterator[str]:
        """What the engine finds wrong in its own pages."""
        try:
            told = [row[0] for row in on.rows("check_pages")]
        except StoreError as error:
            told = [error.message]
        yield from (line for line in told if line != "ok")

    def missing(self, on: Connection) -> tuple[str, ...]:
        """Names of the migrations the store still needs."""
        return tuple(step.name for step in missing(on, self.steps))

    def may_write(self) -> bool:
        """Whether the place may be written; asked again only as long as it may not."""
        self._writes = self._writes or writable(self.path)
        return self._writes

    def _expiry(self, deadline: float | None) -> Callable[[], bool] | None:
        """A test of whether `deadline` seconds from now have passed."""
        if deadline is None:
            return None
        end, elapsed = self._clock.elapsed() + deadline, self._clock.elapsed
        return lambda: elapsed() >= end

    def _borrow(self) -> tuple[SqliteConnection, int]:
        """A reader nobody uses, and the process it belongs to."""
        with self._mutex:
            if self._closed:
                raise StoreError(f"{self.path} is closed.", remedy="Open the store again.")
            self._forget_stale()
            connection = self._idle.pop() if self._idle else None
        return connection or self._connect(write=False), self._generation

    def _give_back(self, connection: SqliteConnection, generation: int) -> None:
        """End the reader's transaction and keep it for the next."""
        if generation != self._generation:
            _INHERITED.append(connection)
            return
        keep = False
        try:
            connection.end()
            with self._mutex:
                keep = not self._closed and len(self._idle) < _IDLE_READERS
                if keep:
                    self._idle.append(connection)
        finally:
            if not keep:
                connection.close()

    def _writer_connection(self) -> SqliteConnection:
        """The one writer; the caller holds the queue's lock."""
        if self._closed:
            raise StoreError(f"{self.path} is closed.", remedy="Open the store again.")
        if self._writer is None:
            self._writer = self._connect(write=True)
        return self._writer

    def _settle_writer(self, connection: SqliteConnection) -> None:
        """Undo what is open; a writer that cannot even do that is replaced."""
        if self._writer is not connection:
            return  # forked or closed inside the transaction
        self._writer = None
        connection.end()
        self._writer = connection

    def _truncate(self, connection: SqliteConnection, seconds: float) -> bool:
        """Checkpoint and truncate the log. The next write, which begins a new log, makes the cut durable."""
        connection.handle.set_busy_timeout(max(1, int(seconds * 1000)))
        try:
            with typed(self.path, connection.handle):
                connection.handle.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except StoreBusy:
            return False
        finally:
            connection.handle.set_busy_timeout(self.options.busy_ms)
        return True

    def _connect(self, *, write: bool) -> SqliteConnection:
        """A new connection. A file that may not be written is read in the way its log allows."""
        name, flags, vfs, alone = str(self.path), apsw.SQLITE_OPEN_READWRITE, self.options.vfs, False
        if not self.may_write():
            flags, index = apsw.SQLITE_OPEN_READONLY, Path(f"{name}-shm")
            if not index.exists() and not os.access(self.path.parent, os.W_OK):
                # Nobody has the file open, and the index of the log cannot be made here: without a log the file is
                # all there is; with one, the index is kept in memory, which needs locks that touch no file.
                alone = log_size(self.path) > 0
                vfs = "unix-none" if alone else vfs
                flags |= 0 if alone else apsw.SQLITE_OPEN_URI
                name = name if alone else f"{self.path.resolve().as_uri()}?immutable=1"
        with typed(self.path):
            handle = apsw.Connection(name, flags=flags, vfs=vfs or None, statementcachesize=_STATEMENTS)
        with typed(self.path, handle):
            # First of all: even a pragma reads the file, and may meet another process that is opening or leaving it.
            handle.set_busy_timeout(self.options.busy_ms if write else _BUSY_MS)
            if alone:
                handle.pragma("locking_mode", "exclusive")
            configure(handle, self.spec.synchronous, write=write)
        return SqliteConnection(handle, self._clock.elapsed)

    def _forget_stale(self) -> None:
        """In a place we cannot write, drop readers that may not have seen what its owner wrote since."""
        if self.may_write():
            return
        seen = tuple(stamp(Path(f"{self.path}{suffix}")) for suffix in ("", "-wal", "-shm"))
        if seen != self._seen:
            stale, self._idle, self._seen = self._idle, [], seen
            for connection in stale:
                connection.close()

    def _create(self) -> None:
        """Build the file beside its place, then rename it into it; whoever comes second finds it."""
        fresh = Path(f"{self.path}.new")
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not writable(self.path):
            raise StoreReadOnly(f"There is no store at {self.path} and none can be made there.")
        with self._lock.hold(self.options.lock_timeout):
            if self.path.exists():
                return
            check_no_log(self.path)
            make_empty(fresh)
            with typed(self.path):
                handle = apsw.Connection(str(fresh), flags=apsw.SQLITE_OPEN_READWRITE)
            with typed(self.path, handle), handle:
                handle.pragma("page_size", PAGE_BYTES)
                handle.pragma("application_id", self.spec.application_id)
                connection = SqliteConnection(handle, self._clock.elapsed)
                for step in self.steps:
                    apply(connection, step)
            with typed(self.path, handle):
                handle.pragma("journal_mode", "wal")
                handle.close()
            put_in_place(fresh, self.path)

    def _migrate(self) -> None:
        """Apply what is missing, a transaction each; processes that open at once take turns."""
        with self.reading() as connection:
            left = missing(connection, self.steps)
        while left:
            with self.writing() as connection:
                left = missing(connection, self.steps)
                if left:
                    apply(connection, left[0])


_FILES: weakref.WeakSet[SqliteFile] = weakref.WeakSet()
_INHERITED: list[SqliteConnection] = []


def _forked() -> None:
    """In the child: every open file starts anew."""
    for file in list(_FILES):
        file._after_fork()  # noqa: SLF001 - a hook of the class, here because the interpreter wants a function


os.register_at_fork(after_in_child=_forked)
