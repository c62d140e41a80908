"""The store on SQLite: one file of truth, composed of the repositories."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bethink.ports.clock import Clock
from bethink.ports.ids import Ids
from bethink.store.index import SearchIndex
from bethink.store.snapshot import SqliteSnapshot
from bethink.store.spaces import Spaces
from bethink.store.sqlite import TRUTH, FileOptions, SqliteFile
from bethink.store.unit_of_work import SqliteUnitOfWork


class SqliteStore:
    """The `Store` port on one SQLite file, shared by threads and processes."""

    def __init__(
        self, path: Path, clock: Clock, ids: Ids, index: SearchIndex, options: FileOptions | None = None
    ) -> None:
        """Open the store, or make it.

        Raises:
            StoreError: one of its kinds says why the file cannot be used.
        """
        self.file = SqliteFile(path, TRUTH, clock, options)
        self.index = index
        self._clock = clock
        self._ids = ids
        self._vectors = Spaces(self.file, index)

    @property
    def vectors(self) -> Spaces:
        """Vectors and their spaces."""
        return self._vectors

    @contextmanager
    def snapshot(self, tenant: str, *, deadline: float | None = None) -> Iterator[SqliteSnapshot]:
        """Open one consistent read; past `deadline` seconds its statements end with `DeadlineExceeded`."""
        with self.file.reading(deadline) as connection:
            yield SqliteSnapshot(connection, tenant, self.index)

    @contextmanager
    def write(self, tenant: str, *, deadline: float | None = None) -> Iterator[SqliteUnitOfWork]:
        """Open one write transaction, waiting fairly for the lock.

        Raises:
            StoreBusy, StoreReadOnly, StoreFull: the write did not happen.
            DeadlineExceeded: the time ran out; nothing was committed.
        """
        done = False
        try:
            with self.file.writing(deadline) as connection:
                work = SqliteUnitOfWork(connection, tenant, self._clock.now(), self.index)
                yield work
                work.finish()
            done = True
        finally:
            if not done:
                self.index.forget_caches()

    def close(self) -> None:
        """Release files and locks; closing twice is harmless."""
        self.file.close()
        self.index.forget_caches()
