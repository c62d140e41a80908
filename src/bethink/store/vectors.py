"""The dense arm: cosines inside the fence, exact where that is cheap, nominated by small codes where it is not.

Up to 8,192 survivors of the fence are scored directly: vectors in memory exactly, sealed ones by their int8 rows, of
which the best are scored again exactly. Beyond that sign bits nominate `max(1000, 0.4 % of survivors)`, int8 rows order
those, and the best hundred are scored exactly. Measured recall of the true first ten inside the fence: at least 0.995.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.store.order import best_first, leading
from bethink.store.segments import Codes

EXACT = 8_192
"""Survivors up to which no bits are asked."""

NOMINEES, NOMINEE_SHARE = 1_000, 0.004
"""How many rows the bits nominate: at least so many, and this share of the survivors."""

RESCORED = 100
"""Rows scored exactly after bits and int8; more when the caller looks deeper."""

RESCORED_INT8 = 256
"""Rows scored exactly after int8 alone; up to so many sealed survivors are scored exactly at once."""

_BLOCK, _NARROW = 256, 24
"""Rows summed at a time, and the width from which on sums are turned on their side: few long rows add faster."""

_WORDS = 3
"""Words whose differing bits, at most 64 each, are counted in one byte."""

_NO_ROWS = np.empty(0, dtype=np.int64)

Fetch = Callable[[NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.float32]]]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Vectors of one scope that are scanned together.

    `rows` are the places of `keys` in the scope's columns, -1 for one that is not there; `floats` are the vectors
    themselves, for those kept whole in memory.
    """

    keys: NDArray[np.int64]
    rows: NDArray[np.int64]
    codes: Codes
    floats: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Survivors:
    """The vectors of a run that lie inside the fence, by their places in it; all of them when `places` is None.

    `fetch` reads keys and float32 rows of the run's scope from the truth; a vector that is gone is left out.
    """

    run: Run
    places: NDArray[np.int64] | None
    fetch: Fetch

    def __len__(self) -> int:
        return len(self.run.keys) if self.places is None else len(self.places)

    def at(self, which: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """Places in the run of some of the survivors, of all when `which` is None."""
        if self.places is None:
            return np.arange(len(self.run.keys)) if which is None else which
        return self.places if which is None else self.places[which]


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Exactly scored keys, best first, ties by key; `nominated` says whether other survivors went unscored."""

    keys: NDArray[np.int64]
    scores: NDArray[np.float64]
    nominated: bool


def survivors(run: Run, mask: NDArray[np.bool_], fetch: Fetch) -> Survivors:
    """What the fence leaves of a run. Its keys ascend, so rows as many as their span follow one another."""
    rows = run.rows
    first, last = (int(rows[0]), int(rows[-1])) if len(rows) else (0, -1)
    if first >= 0 and last - first + 1 == len(rows) and last < len(mask) and rows.min() >= 0:
        inside = mask[first : last + 1]
    else:
        inside = (rows >= 0) & (rows < len(mask))
        inside[inside] = mask[rows[inside]]
    places = None if inside.all() else np.flatnonzero(inside)
    return Survivors(run, places, fetch)


def nearest(parts: Sequence[Survivors], query: NDArray[np.float32], depth: int) -> Nearest:
    """The survivors most alike to the query: at least `depth` of them, if there are so many."""
    parts = [part for part in parts if len(part)]
    total = sum(map(len, parts))
    if total > EXACT:
        chosen = _by_bits(parts, query, max(NOMINEES, math.ceil(NOMINEE_SHARE * total)))
        chosen = _by_bytes(parts, chosen, query, max(RESCORED, depth))
    else:
        sealed = [part for part in parts if part.run.floats is None]
        whole = [part for part in parts if part.run.floats is not None]
        taken: list[NDArray[np.int64] | None] = [None] * len(sealed)
        if sum(map(len, sealed)) > RESCORED_INT8:
            taken = _by_bytes(sealed, taken, query, max(RESCORED_INT8, depth))
        parts, chosen = [*sealed, *whole], [*taken, *([None] * len(whole))]
    keys, scores = _exactly(parts, chosen, query)
    order = best_first(np.rint(scores * 1e6).astype(np.int64), keys)
    return Nearest(keys[order], scores[order], nominated=len(keys) < total)


def cosines(rows: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float64]:
    """The cosine of each row to the query, both of length 1, rounded to 1e-6.

    Products are float32 and summed in halves, the last half of the components onto the first until one is left. So a
    cosine depends neither on the machine nor on which rows are scored together.
    """
    found = np.empty(len(rows), dtype=np.float32)
    for start in range(0, len(rows), _BLOCK):
        sums = rows[start : start + _BLOCK] * query
        while sums.shape[1] > _NARROW:
            sums = _halved(sums.T).T
        sums = np.ascontiguousarray(sums.T)
        while len(sums) > 1:
            sums = _halved(sums)
        found[start : start + _BLOCK] = sums[0]
    return found.astype(np.float64).round(6)


def _halved(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    """The last half of the rows added onto the first; a middle one is carried over."""
    half = len(sums) // 2
    folded = sums[:half] + sums[len(sums) - half :]
    return folded if len(sums) % 2 == 0 else np.concatenate([folded, sums[half : half + 1]])


def _by_bits(parts: Sequence[Survivors], query: NDArray[np.float32], wanted: int) -> list[NDArray[np.int64] | None]:
    """Per part the survivors whose signs differ least from the query's, at least `wanted` in all, ties included."""
    signs = query_signs(query)
    distances = [_distances(part, signs) for part in parts]
    counts = np.zeros(len(query) + 1, dtype=np.int64)
    for found in distances:
        counts += np.bincount(found, minlength=len(counts))
    limit = int(np.searchsorted(np.cumsum(counts), wanted))
    return [np.flatnonzero(found <= limit) for found in distances]


def query_signs(query: NDArray[np.float32]) -> NDArray[np.uint64]:
    """The query's sign bits in words, laid out as in a segment."""
    packed = np.packbits(query > 0)
    words = np.zeros(-(-len(query) // 64) * 8, dtype=np.uint8)
    words[: len(packed)] = packed
    return words.view("<u8")


def _distances(part: Survivors, signs: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """In how many signs each survivor differs from the query."""
    count = len(part)
    total = np.zeros(count, dtype=np.uint16)
    mixed = np.empty(count, dtype=np.uint64)
    ones, some = np.empty(count, dtype=np.uint8), np.empty(count, dtype=np.uint8)
    words = list(zip(part.run.codes.planes, signs, strict=True))
    for start in range(0, len(words), _WORDS):
        for at, (plane, word) in enumerate(words[start : start + _WORDS]):
            np.bitwise_xor(plane if part.places is None else plane[part.places], word, out=mixed)
            np.bitwise_count(mixed, out=ones if at else some)
            if at:
                some += ones
        total += some
    return total


def _by_bytes(
    parts: Sequence[Survivors], chosen: Sequence[NDArray[np.int64] | None], query: NDArray[np.float32], wanted: int
) -> list[NDArray[np.int64] | None]:
    """Per part the `wanted` best of the chosen survivors by their int8 rows, ties by key.

    The query is scaled to whole numbers so small that every partial sum stays below 2**24: float32 holds them exactly,
    so the order is the same on every machine. No BLAS: its threads would wait for each other on a busy machine.
    """
    dims = len(query)
    whole = np.rint(query * np.float32(2**24 / (127 * math.sqrt(dims)))).astype(np.float32)
    places = [part.at(which) for part, which in zip(parts, chosen, strict=True)]
    raw = [_estimates(part.run.codes, at, whole) for part, at in zip(parts, places, strict=True)]
    keys = [part.run.keys[at] for part, at in zip(parts, places, strict=True)]
    best = np.zeros(sum(map(len, raw)), dtype=np.bool_)
    best[leading(np.concatenate(raw), np.concatenate(keys), wanted)] = True
    ends = np.cumsum([0, *map(len, raw)])
    kept: list[NDArray[np.int64] | None] = []
    for which, start, end in zip(chosen, ends[:-1], ends[1:], strict=True):
        found = np.flatnonzero(best[start:end])
        kept.append(found if which is None else which[found])
    return kept


def _estimates(codes: Codes, places: NDArray[np.int64], whole: NDArray[np.float32]) -> NDArray[np.float32]:
    """The int8 rows at `places` times the whole-numbered query."""
    found = np.empty(len(places), dtype=np.float32)
    for start in range(0, len(places), _BLOCK):
        rows = codes.bytes[places[start : start + _BLOCK]].astype(np.float32)
        np.einsum("ij,j->i", rows, whole, out=found[start : start + _BLOCK])
    return found * codes.scales[places]


def _exactly(
    parts: Sequence[Survivors], chosen: Sequence[NDArray[np.int64] | None], query: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Keys and cosines of the chosen survivors, from memory or, one read per scope, from the truth."""
    keys: list[NDArray[np.int64]] = []
    scores: list[NDArray[np.float64]] = []
    wanted: dict[Fetch, list[NDArray[np.int64]]] = {}
    for part, which in zip(parts, chosen, strict=True):
        run = part.run
        places = None if which is None and part.places is None else part.at(which)
        if run.floats is None:
            wanted.setdefault(part.fetch, []).append(run.keys if places is None else run.keys[places])
        else:
            keys.append(run.keys if places is None else run.keys[places])
            scores.append(cosines(run.floats if places is None else run.floats[places], query))
    for fetch, sealed in wanted.items():
        found, rows = fetch(np.concatenate(sealed))
        keys.append(found)
        scores.append(cosines(rows, query))
    return np.concatenate([_NO_ROWS, *keys]), np.concatenate([np.empty(0), *scores])
