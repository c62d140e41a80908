"""A process that reads and writes one store until it is killed, and says what was acknowledged, a line each.

Lines: ``stored ID``, ``closed ID`` (its standing changed), ``wait MILLISECONDS`` (the longest so far), ``wrong TEXT``.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import numpy as np

from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import Status, StatusSpan
from bethink.domain.session import Session
from bethink.errors import BethinkError
from bethink.ports.embedder import EmbedSpec
from bethink.store.index import SearchIndex
from bethink.store.sqlite_store import SqliteStore
from bethink.system import RandomIds, SystemClock
from tests.store.things import ANN, TENANT, Things, content, new_record

SPEC = EmbedSpec("fake", "small", "1", None, "float32", 8, 64, "mean", True, "", "", "v1")


class Worker:
    """One open store, and a pipe to tell of."""

    def __init__(self, path: Path, pipe: int, seed: int) -> None:
        self._clock, self._ids = SystemClock(), RandomIds()
        self._store = SqliteStore(path, self._clock, self._ids, SearchIndex("english"))
        self._pipe = pipe
        self._chance = random.Random(seed)
        self._mine: list[str] = []
        self._worst = 0.0

    def run(self) -> None:
        """Until killed. Whatever is raised is said, and ends it."""
        try:
            while True:
                self._write()
                if self._chance.random() < 0.1:
                    self._read()
        except BethinkError as error:
            self._tell(f"wrong {error.code} {error.message}")

    def _write(self) -> None:
        """One write of some kind; only after its commit it is said."""
        began, kind = self._clock.elapsed(), self._chance.random()
        with self._store.write(TENANT) as work:
            self._worst = max(self._worst, self._clock.elapsed() - began)
            at = work.recorded_at
            if kind < 0.1 and self._mine:
                said = f"closed {self._mine[-1]}"
                work.records.set_status(self._mine.pop(), StatusSpan(Status.ARCHIVED, at))
            elif kind < 0.7:
                made = new_record(self._ids.new(at), content(self._words(), subject="Ann"), at)
                said = f"stored {work.records.add(made, at).id}"
                self._mine.append(made.id)
            else:
                session = Session(f"s{os.getpid()}", ANN, "ann", "cli", None, None, at)
                turn = Things(self._store, self._clock, ids=self._ids).turn(self._words(), session.id, at)
                said = f"stored {work.turns.append(session, [turn], at)[0].id}"
        self._tell(said)
        if kind < 0.2:
            self._embed()

    def _embed(self) -> None:
        """Give a few entries their vectors."""
        rows = self._store.vectors.pending(SPEC.space_id, 4)
        self._store.vectors.put(SPEC.space_id, [(tenant, key, np.ones(8, np.float32)) for tenant, key, _ in rows])

    def _read(self) -> None:
        """What was acknowledged is there, and a search answers."""
        things = Things(self._store, self._clock, ids=self._ids)
        with self._store.snapshot(TENANT) as snapshot:
            found = snapshot.records.get(things.fence(), self._mine[-5:])
            if len(found) != len(self._mine[-5:]):
                self._tell("wrong an acknowledged record is not readable")
            snapshot.search.lexical(things.fence(), Query("tea", terms=("tea",)), FieldWeights())
        self._tell(f"wait {self._worst * 1000:.1f}")

    def _words(self) -> str:
        """A few words."""
        words = ["tea", "coffee", "Lyon", "Nice", "meeting", "garden", "deploy.yml", "Tuesday"]
        return f"{self._chance.randrange(10**9)} " + " ".join(self._chance.choices(words, k=12))

    def _tell(self, line: str) -> None:
        """One line, whole: shorter than what a pipe takes at once."""
        os.write(self._pipe, line.encode() + b"\n")


def main() -> None:
    """Run one worker on the store named; used to try a worker by hand."""
    Worker(Path(sys.argv[1]), 1, int(sys.argv[2])).run()


if __name__ == "__main__":
    main()
