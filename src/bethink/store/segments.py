"""Segments: sealed runs of vectors in small forms that a scan can afford, derived from the float32 rows of the truth.

A segment holds, for up to 8,192 vectors of one tenant, space and scope:

- `keys`: int64;
- `bits`: the signs of the components as planes, uint64 of shape (words, rows), word w holding components 64*w and on,
  so that a distance costs one pass per word over contiguous memory;
- `bytes`: float32 scales of shape (rows,), then int8 rows of shape (rows, dims): component = scale * int8.

All little-endian. Which vectors are in a segment is said by its keys alone: ranges of segments may overlap, since
vectors can arrive out of order. A vector in no segment is loose. Removing or replacing a sealed vector drops its
segment, which makes the rest of it loose until there is enough for the next sealing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.store.database import Connection
from bethink.store.postings import numbers

SEALED = 8_192
"""Rows of a segment: 3 MB of int8 at 384 dimensions, and few enough to be scored exactly."""

_FURTHER = 4
"""How many times as many segments are looked through for loose vectors when the latest are not enough."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where vectors belong: nothing of one place ever meets another's."""

    tenant: str
    space: str
    scope: str

    @property
    def where(self) -> dict[str, Any]:
        """The values that select it."""
        return {"tenant": self.tenant, "space": self.space, "scope": self.scope}


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """Vectors in small forms: `planes` uint64 (words, rows), `scales` float32 (rows,), `bytes` int8 (rows, dims)."""

    planes: NDArray[np.uint64]
    scales: NDArray[np.float32]
    bytes: NDArray[np.int8]


def encode(vectors: NDArray[np.float32]) -> Codes:
    """The small forms of float32 rows."""
    rows, dims = vectors.shape
    packed = np.packbits(vectors > 0, axis=1)
    words = np.zeros((rows, -(-dims // 64) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float32)
    scales[scales == 0] = 1
    small = np.rint(vectors / scales[:, None]).astype(np.int8)
    return Codes(np.ascontiguousarray(words.view("<u8").T), scales, small)


def asleep(planes: NDArray[np.uint64]) -> Codes:
    """The codes of vectors whose int8 rows were not read, by their signs.

    The rows have no components, and the scales are nought, which those of no vector are.
    """
    rows = planes.shape[1]
    return Codes(planes, np.zeros(rows, dtype=np.float32), np.empty((rows, 0), dtype=np.int8))


def read_segment(connection: Connection, place: Place, first_key: int) -> tuple[NDArray[np.int64], Codes]:
    """Keys and codes of a stored segment."""
    keys, planes = read_signs(connection, place, first_key)
    return keys, Codes(planes, *read_bytes(connection, place, first_key, len(keys)))


def read_signs(connection: Connection, place: Place, first_key: int) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Keys and sign bits of a stored segment, an eighth of it."""
    keys, bits = connection.rows("read_segment_signs", first_key=first_key, **place.where)[0]
    held = np.frombuffer(keys, dtype="<i8")
    return held, np.frombuffer(bits, dtype="<u8").reshape(-1, len(held))


def read_bytes(
    connection: Connection, place: Place, first_key: int, rows: int
) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Scales and int8 rows of a stored segment that has so many."""
    (small,) = connection.rows("read_segment_bytes", first_key=first_key, **place.where)[0]
    scales = np.frombuffer(small, dtype="<f4", count=rows)
    return scales, np.frombuffer(small, dtype=np.int8, offset=4 * rows).reshape(rows, -1)


def read_vectors(rows: Sequence[tuple[int, bytes]]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Keys and float32 rows of stored vectors; no rows give shape (0, 0)."""
    keys = np.array([key for key, _ in rows], dtype=np.int64)
    if not rows:
        return keys, np.empty((0, 0), dtype=np.float32)
    return keys, np.frombuffer(b"".join(blob for _, blob in rows), dtype="<f4").reshape(len(rows), -1)


def loose_count(connection: Connection, place: Place) -> int:
    """How many vectors are in no segment."""
    state = connection.row("read_vector_state", **place.where)
    sealed: int = sum(rows for _, _, rows, _ in connection.rows("list_segments", **place.where))
    return (int(state[1]) if state else 0) - sealed


def loose_keys(connection: Connection, place: Place) -> NDArray[np.int64]:
    """The keys of the vectors in no segment, ascending.

    Mostly they lie beyond every segment, or within the latest: it is looked further and further back until all are
    found, so that no more keys are read.
    """
    segments = connection.rows("list_segments", **place.where)
    count = loose_count(connection, place)
    firsts = sorted((first for first, *_ in segments), reverse=True)
    back, after = 1, max((last for *_, last in segments), default=-1)
    while True:
        sealed = [np.frombuffer(keys, dtype="<i8") for _, keys in _segments_with(connection, place, after + 1, 2**62)]
        found = np.setdiff1d(
            _keys(connection, place, after), np.concatenate([np.empty(0, np.int64), *sealed]), assume_unique=True
        )
        if len(found) == count or after < 0:
            return found
        after = firsts[back - 1] - 1 if back <= len(firsts) else -1
        back *= _FURTHER


def seal(connection: Connection, place: Place) -> int:
    """Seal loose vectors, the lowest keys first, as long as they fill a segment; how many segments came of it."""
    loose = loose_keys(connection, place)
    made = 0
    while len(loose) - made * SEALED >= SEALED:
        keys = loose[made * SEALED : (made + 1) * SEALED]
        _, vectors = read_vectors(connection.rows("read_vectors", keys=json.dumps(keys.tolist()), **place.where))
        codes = encode(vectors)
        connection.run("put_vector_state", shape=1, rows=0, **place.where)
        state = connection.rows("read_vector_state", **place.where)[0]
        connection.run(
            "insert_segment",
            first_key=int(keys[0]),
            last_key=int(keys[-1]),
            shape=state[0],
            rows=len(keys),
            keys=keys.astype("<i8").tobytes(),
            bits=codes.planes.astype("<u8").tobytes(),
            bytes=codes.scales.astype("<f4").tobytes() + codes.bytes.tobytes(),
            **place.where,
        )
        made += 1
    return made


def unseal(connection: Connection, place: Place, keys: Sequence[int]) -> int:
    """Drop the segments that hold any of the keys; how many."""
    gone = 0
    for first_key, held in _segments_with(connection, place, min(keys), max(keys)):
        if np.isin(np.frombuffer(held, dtype="<i8"), list(keys)).any():
            gone += connection.run("delete_segment", first_key=first_key, **place.where)
    return gone


def _segments_with(connection: Connection, place: Place, lowest: int, highest: int) -> list[Any]:
    """First key and keys of the segments whose range meets another."""
    return connection.rows("read_segment_keys", lowest=lowest, highest=highest, **place.where)


def _keys(connection: Connection, place: Place, after: int) -> NDArray[np.int64]:
    """The keys of a place's vectors beyond one."""
    return numbers(connection.rows("list_vector_keys", after=after, **place.where)[0][0] or "")
