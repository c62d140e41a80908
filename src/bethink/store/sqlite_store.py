"""The store on SQLite: one file of truth, and the traces beside it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from bethink.errors import StoreError
from bethink.ports.clock import Clock
from bethink.ports.ids import Ids
from bethink.store.copying import Side
from bethink.store.index import SearchIndex
from bethink.store.sqlite import TRACES, TRUTH, FileOptions, SqliteFile
from bethink.store.store import DatabaseStore
from bethink.store.traces import PATIENCE, StoredTraces


class Limits(Protocol):
    """What of the settings a store needs."""

    @property
    def lock_timeout_ms(self) -> int: ...  # noqa: D102 - the class docstring says it


def open_sqlite(
    path: Path, *, settings: Limits, language: str, clock: Clock, ids: Ids
) -> tuple[SqliteStore, SqliteTraceStore]:
    """The store of a file and the traces beside it.

    Raises:
        StoreError: one of its kinds says why the file cannot be used.
    """
    options = FileOptions(lock_timeout=settings.lock_timeout_ms / 1000)
    store = SqliteStore(path, clock, ids, SearchIndex(language), options)
    return store, SqliteTraceStore(Path(f"{path}.traces"), clock, options)


@contextmanager
def sqlite_side(path: Path, *, settings: Limits, clock: Clock) -> Iterator[Side]:
    """The same as one side of a copy, closed on leaving.

    Raises:
        StoreError: one of its kinds says why the file cannot be used.
    """
    options = FileOptions(lock_timeout=settings.lock_timeout_ms / 1000)
    truth, traces = SqliteFile(path, TRUTH, clock, options), TraceFile(Path(f"{path}.traces"), clock, options)
    with closing(truth), closing(traces):
        yield Side(truth, traces, truth.writing)


class SqliteStore(DatabaseStore):
    """The `Store` port on one SQLite file."""

    def __init__(
        self, path: Path, clock: Clock, ids: Ids, index: SearchIndex, options: FileOptions | None = None
    ) -> None:
        """Open the store, or make it; where another analyser made its index of words, build that anew.

        Raises:
            StoreError: one of its kinds says why the file cannot be used.
        """
        self.file = SqliteFile(path, TRUTH, clock, options)
        super().__init__(self.file, clock, ids, index)


class SqliteTraceStore(StoredTraces):
    """The `TraceStore` port on one SQLite file."""

    def __init__(self, path: Path, clock: Clock, options: FileOptions | None = None) -> None:
        super().__init__(TraceFile(path, clock, options or FileOptions()), clock)


class TraceFile:
    """The file of traces, made on first use, and made again where somebody removed it."""

    def __init__(self, path: Path, clock: Clock, options: FileOptions) -> None:
        self._path = path
        self._clock = clock
        self._options = replace(options, lock_timeout=PATIENCE, busy_ms=int(PATIENCE * 1000))
        self._mutex = threading.Lock()
        self._file: SqliteFile | None = None
        self._closed = False

    def exists(self) -> bool:
        """Whether there is a file to read.

        Raises:
            StoreError: it was closed, and no file stands for no traces then.
        """
        self._check_open()
        return self._file is not None or self._path.exists()

    def opened(self) -> SqliteFile:
        """The file, opened or made.

        Raises:
            StoreError: it was closed, or cannot be used.
        """
        with self._mutex:
            self._check_open()
            if self._file is not None and not self._path.exists():
                self._file.close()
                self._file = None  # what is written there now would be lost without a word
            if self._file is None:
                self._file = SqliteFile(self._path, TRACES, self._clock, self._options)
            return self._file

    def close(self) -> None:
        """Close the file for good; closing twice is harmless."""
        with self._mutex:
            self._closed = True
            if self._file is not None:
                self._file.close()
                self._file = None

    def _check_open(self) -> None:
        """Refuse what comes after `close`, as the store itself does."""
        if self._closed:
            raise StoreError(f"{self._path} is closed.", remedy="Open the store again.")
