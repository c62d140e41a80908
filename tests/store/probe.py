"""A process that may not write: it opens a store as nobody and answers, a line a question.

Usage: ``python -m tests.store.probe PATH``; lines ``open``, ``read``, ``write``, ``trace``, ``check``, ``close``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bethink.errors import BethinkError
from bethink.store.index import SearchIndex
from bethink.store.sqlite_store import SqliteStore, SqliteTraceStore
from bethink.system import RandomIds, SystemClock
from bethink.testing.fakes import ManualClock
from tests.store.things import TENANT, Things
from tests.store.trace_things import trace

NOBODY = 65534


class Probe:
    """One open store."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._store: SqliteStore | None = None

    def answer(self, question: str) -> str:
        """What came of it, an error by its code."""
        try:
            return str(getattr(self, f"_{question}")())
        except BethinkError as error:
            return error.code

    def _open(self) -> str:
        self._store = SqliteStore(self._path, SystemClock(), RandomIds(), SearchIndex("english"))
        return "read_only" if self._store.read_only else "writable"

    def _read(self) -> str:
        with self._store.snapshot(TENANT) as snapshot:
            things = Things(self._store, ManualClock())
            turns = snapshot.turns.of_session(things.fence(timeless=True), "s1", limit=99)
        return ",".join(turn.text for turn in turns)

    def _write(self) -> str:
        with self._store.write(TENANT):
            return "written"

    def _trace(self) -> str:
        traces = SqliteTraceStore(Path(f"{self._path}.traces"), SystemClock())
        return traces.record(trace(ManualClock()))[0]

    def _check(self) -> str:
        return str(len(self._store.check().findings))

    def _close(self) -> str:
        self._store.close()
        return "closed"


def main() -> None:
    """Become nobody, then answer."""
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    probe = Probe(Path(sys.argv[1]))
    for line in sys.stdin:
        sys.stdout.write(probe.answer(line.strip()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
