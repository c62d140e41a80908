"""The vectors of one scope and space in memory, kept up with what is written.

Sealed segments keep their codes, loose vectors their codes and float32 rows. A published value stands; one look at the
state tells whether it is current.

The int8 rows are seven eighths of all that is read, and of a large scope a question needs a few of each segment. So
they are not waited for where there are more than `WOKEN` segments: the signs come first, the int8 rows of so many
segments with each later look, and what still sleeps is scored from the truth, to the same bits.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.store.columns import Columns
from bethink.store.database import Connection, Row
from bethink.store.failures import decoding
from bethink.store.growing import Growing
from bethink.store.segments import Codes, Place, asleep, encode, loose_keys, read_bytes, read_signs, read_vectors
from bethink.store.vectors import Run, rejoined

WOKEN = 16
"""Segments whose int8 rows are read at once: 131,072 vectors, 50 MB at 384 dimensions."""

Name = tuple[int, int]
"""What tells a segment from every other there ever was in its place: its first key, and the shape it was sealed at."""

Sealed = tuple[NDArray[np.int64], NDArray[np.int64], Codes]
"""A segment in memory: keys, their rows in the scope's columns, codes."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What is held of a place: its runs, and the state of the store (shape, count of vectors) they were read at."""

    state: tuple[int, int]
    runs: tuple[Run, ...]


class VectorFeed:
    """One place's vectors, moved on under a lock and read without one.

    A vector that was stored after a reader's snapshot may be scored by it; one that was removed is not. A vector is
    stored after its entry, so the columns of the snapshot that reads it know its key.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._sealed: dict[Name, Sealed] = {}
        self._groups: tuple[tuple[Name, ...], ...] = ()
        self._asleep: list[Name] = []
        self._joined: tuple[Run, ...] = ()
        self._loose: _Loose | None = None
        self._held = Held((0, 0), ())

    def at(self, connection: Connection, columns: Columns) -> tuple[Run, ...]:
        """The runs as this snapshot, or a later one, has them."""
        row = connection.row("read_vector_state", **self._place.where)
        state = (row[0], row[1]) if row else (0, 0)
        if state > self._held.state or (self._asleep and state == self._held.state):
            with self._lock:
                if state > self._held.state:
                    with decoding():
                        self._held = self._advanced(connection, state, columns)
                elif self._asleep and state == self._held.state:
                    self._wake(connection)
                    self._held = self._now(state)
        return self._held.runs

    def _advanced(self, connection: Connection, state: tuple[int, int], columns: Columns) -> Held:
        """Read what is new: vectors behind the known ones when the shape is the same, else what changed."""
        shape, count = self._held.state
        if state[0] > shape or not self._grow(connection, state[1] - count, columns):
            self._reload(connection, columns)
        return self._now(state)

    def _now(self, state: tuple[int, int]) -> Held:
        """What is held, as of a state."""
        loose = (self._loose.run(),) if self._loose is not None else ()
        return Held(state, (*self._joined, *loose))

    def _grow(self, connection: Connection, more: int, columns: Columns) -> bool:
        """Add vectors that came behind the known ones; False when others came too."""
        highest = max([-1, *(int(run.keys[-1]) for run in self._held.runs)])
        rows = connection.rows("read_vectors_beyond", after=highest, **self._place.where)
        if len(rows) != more:
            return False
        self._loose = self._loose or _Loose(len(rows[0][1]) // 4)
        self._loose.add(rows, columns)
        return True

    def _reload(self, connection: Connection, columns: Columns) -> None:
        """Read the signs of segments that are new, the int8 rows of some, and every loose vector."""
        groups = _in_sequence(connection.rows("list_segments", **self._place.where))
        found = [self._run(connection, columns, group) for group in groups]
        keys = loose_keys(connection, self._place)
        rows = connection.rows("read_vectors", keys=json.dumps(keys.tolist()), **self._place.where) if len(keys) else []
        self._groups = tuple(tuple(sealed) for _, sealed in found)
        self._joined = tuple(run for run, _ in found)
        self._sealed = {name: segment for _, sealed in found for name, segment in sealed.items()}
        self._asleep = [name for name, (_, _, codes) in self._sealed.items() if not codes.scales.all()]
        self._loose = None
        if rows:
            self._loose = _Loose(len(rows[0][1]) // 4)
            self._loose.add(rows, columns)
        if len(self._asleep) <= WOKEN:
            self._wake(connection)

    def _run(self, connection: Connection, columns: Columns, group: Sequence[Row]) -> tuple[Run, dict[Name, Sealed]]:
        """One run of segments, and each as a part of it: nothing is held twice."""
        total = sum(count for _, _, count, _ in group)
        keys, rows = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
        planes = np.empty((0, total), dtype=np.uint64)
        sealed: dict[Name, Sealed] = {}
        begin = 0
        for first_key, shape, count, _ in group:
            here = slice(begin, begin + count)
            known = self._sealed.get((first_key, shape))
            if known is None:
                held, signs = read_signs(connection, self._place, first_key)
                known = held, _rows_of(columns, held), asleep(signs)
            keys[here], rows[here], codes = known
            if not len(planes):
                planes = np.empty((len(codes.planes), total), dtype=np.uint64)
            planes[:, here] = codes.planes
            part = Codes(planes[:, here], codes.scales, codes.bytes)
            sealed[first_key, shape] = keys[here], rows[here], part
            begin += count
        scales = np.concatenate([codes.scales for *_, codes in sealed.values()])
        return Run(keys, rows, planes, scales, tuple(codes.bytes for *_, codes in sealed.values())), sealed

    def _wake(self, connection: Connection) -> None:
        """Read the int8 rows of some segments that sleep; the snapshot has to be of the state that is held."""
        some, rest = self._asleep[:WOKEN], self._asleep[WOKEN:]
        woken = dict(self._sealed)
        for name in some:
            keys, rows, codes = self._sealed[name]
            woken[name] = keys, rows, Codes(codes.planes, *read_bytes(connection, self._place, name[0], len(keys)))
        runs = zip(self._joined, self._groups, strict=True)
        self._joined = tuple(rejoined(run, [woken[name] for name in names]) for run, names in runs)
        self._sealed, self._asleep = woken, rest


def _rows_of(columns: Columns, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of a segment's keys. Mostly it has all of a stretch of the scope: then nothing is looked up."""
    first, end = np.searchsorted(columns.key, [keys[0], keys[-1] + 1])
    if end - first == len(keys) and np.array_equal(columns.key[first:end], keys):
        return np.arange(first, end)
    return columns.rows_of(keys)


class _Loose:
    """Loose vectors in memory, with room to grow."""

    def __init__(self, dims: int) -> None:
        self._keys = Growing(np.int64)
        self._rows = Growing(np.int64)
        self._floats = Growing(np.float32, (dims,))
        self._words = Growing(np.uint64, (-(-dims // 64),))
        self._scales = Growing(np.float32)
        self._bytes = Growing(np.int8, (dims,))

    def add(self, rows: Sequence[Row], columns: Columns) -> None:
        """Append stored vectors whose keys lie behind the known ones."""
        keys, vectors = read_vectors(rows)
        codes = encode(vectors)
        self._keys.add(keys)
        self._rows.add(columns.rows_of(keys))
        self._floats.add(vectors)
        self._words.add(codes.planes.T)
        self._scales.add(codes.scales)
        self._bytes.add(codes.bytes)

    def run(self) -> Run:
        """What is held now."""
        return Run(
            self._keys.publish(),
            self._rows.publish(),
            self._words.publish().T,
            self._scales.publish(),
            (self._bytes.publish(),),
            self._floats.publish(),
        )


def _in_sequence(segments: Iterable[Row]) -> list[list[Row]]:
    """Listed segments, by first key, in groups that follow one another by key; vectors out of order make several."""
    groups: list[list[Row]] = []
    for segment in segments:
        group = next((group for group in groups if group[-1][3] < segment[0]), None)
        if group is None:
            groups.append([segment])
        else:
            group.append(segment)
    return groups
