"""The vectors of one scope and space in memory, kept up with what is written.

Sealed segments keep their codes, loose vectors their codes and float32 rows. A published value stands; one look at the
state tells whether it is current.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bethink.store.columns import Columns
from bethink.store.database import Connection
from bethink.store.growing import Growing
from bethink.store.segments import Codes, Place, encode, loose_keys, read_segment, read_vectors
from bethink.store.vectors import Run


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What is held of a place: the state it was read at, its runs, and how far the columns knew their keys.

    `mapped` is the columns' position when rows were looked up; `complete` whether every key was there.
    """

    shape: int
    count: int
    runs: tuple[Run, ...]
    mapped: int
    complete: bool


class VectorFeed:
    """One place's vectors, moved on under a lock and read without one.

    A vector that was stored after a reader's snapshot may be scored by it; one that was removed is not.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._sealed: dict[tuple[int, int], Run] = {}
        self._loose: _Loose | None = None
        self._published = Held(0, 0, (), -1, complete=True)

    def at(self, connection: Connection, columns: Columns) -> tuple[Run, ...]:
        """The runs as this snapshot, or a later one, has them."""
        row = connection.row("read_vector_state", **self._place.where)
        state = (row[0], row[1]) if row else (0, 0)
        held = self._published
        if not _current(held, state, columns):
            with self._lock:
                held = self._published
                if not _current(held, state, columns):
                    held = self._published = self._advanced(connection, state, columns)
        return held.runs

    def _advanced(self, connection: Connection, state: tuple[int, int], columns: Columns) -> Held:
        """Read what is new, and find the rows of keys the columns did not know before."""
        held = self._published
        if state > (held.shape, held.count):
            if state[0] > held.shape or not self._grow(connection, state[1] - held.count):
                self._reload(connection)
        else:
            state = held.shape, held.count
        self._sealed = {name: _placed(run, columns) for name, run in self._sealed.items()}
        runs = list(self._sealed.values())
        if self._loose is not None:
            runs.append(self._loose.run(columns))
        complete = all(bool((run.rows >= 0).all()) for run in runs)
        return Held(*state, tuple(runs), columns.position, complete)

    def _grow(self, connection: Connection, more: int) -> bool:
        """Add vectors that came behind the known ones; False when others came too."""
        highest = max([-1, *(int(run.keys[-1]) for run in self._published.runs)])
        rows = connection.rows("read_vectors_beyond", after=highest, **self._place.where)
        if len(rows) != more:
            return False
        self._loose = self._loose or _Loose(len(rows[0][1]) // 4)
        self._loose.add(*read_vectors(rows))
        return True

    def _reload(self, connection: Connection) -> None:
        """Read segments that are new, and every loose vector."""
        sealed = {}
        for first_key, shape, _, _ in connection.rows("list_segments", **self._place.where):
            known = self._sealed.get((first_key, shape))
            if known is None:
                keys, codes = read_segment(connection, self._place, first_key)
                known = Run(keys, np.full(len(keys), -1), codes)
            sealed[first_key, shape] = known
        keys = loose_keys(connection, self._place)
        rows = connection.rows("read_vectors", keys=json.dumps(keys.tolist()), **self._place.where) if len(keys) else []
        self._sealed = sealed
        self._loose = None
        if rows:
            self._loose = _Loose(len(rows[0][1]) // 4)
            self._loose.add(*read_vectors(rows))


def _current(held: Held, state: tuple[int, int], columns: Columns) -> bool:
    """Whether nothing new is to be read, for vectors or for their rows in the columns."""
    return state <= (held.shape, held.count) and (held.complete or columns.position <= held.mapped)


def _placed(run: Run, columns: Columns) -> Run:
    """The run with the rows of its keys, looked up once they are all there."""
    return run if run.rows[-1] >= 0 and (run.rows >= 0).all() else replace(run, rows=columns.rows_of(run.keys))


class _Loose:
    """Loose vectors in memory, with room to grow."""

    def __init__(self, dims: int) -> None:
        self._keys = Growing(np.int64)
        self._rows = Growing(np.int64)
        self._floats = Growing(np.float32, (dims,))
        self._words = Growing(np.uint64, (-(-dims // 64),))
        self._scales = Growing(np.float32)
        self._bytes = Growing(np.int8, (dims,))

    def add(self, keys: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Append vectors whose keys lie behind the known ones."""
        codes = encode(vectors)
        self._keys.add(keys)
        self._floats.add(vectors)
        self._words.add(codes.planes.T)
        self._scales.add(codes.scales)
        self._bytes.add(codes.bytes)

    def run(self, columns: Columns) -> Run:
        """What is held now, with the rows of the keys."""
        lost = np.flatnonzero(self._rows.view < 0)
        self._rows.put(lost, columns.rows_of(self._keys.view[lost]))
        self._rows.add(columns.rows_of(self._keys.view[len(self._rows.view) :]))
        codes = Codes(self._words.publish().T, self._scales.publish(), self._bytes.publish())
        return Run(self._keys.publish(), self._rows.publish(), codes, self._floats.publish())
