"""What only an operator sees of a trace, packed: names once, numbers as one binary column, the rest as JSON.

A recall has a thousand numbers to keep, and writing them as text took longer than anything else about its trace. The
packed form is the length of the JSON (u32), the JSON, and the numbers, compressed together. Numbers are whole
billionths in int32 where all of them are such, as scores are, else float64: each is read back as it was. An absent
number is NaN.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.domain.trace import Cut, Trace
from bethink.store.codec import canonical

_BILLION = 1_000_000_000
_ABSENT = -(2**31)
_FAST = 1
"""Compression level: most of what the usual one saves, in a third of its time."""

_SCORES = ("score", "match", "text", "cosine")
_LENGTH = 4
"""Bytes of the length of the JSON, little-endian."""


def pack(trace: Trace) -> bytes:
    """The operator's part of a trace as bytes; `unpack` gives its fields back."""
    place = {row["id"]: at for at, row in enumerate(trace.pool)}
    parts = tuple(dict.fromkeys(chain.from_iterable(row["parts"] for row in trace.pool)))
    reasons = tuple(dict.fromkeys((cut.stage, cut.reason) for cut in trace.cuts))
    kind = {reason: at for at, reason in enumerate(reasons)}
    numbers = [
        *([row[name] for row in trace.pool] for name in _SCORES),
        *([row["parts"].get(name) for row in trace.pool] for name in parts),
        *([hit[2] for hit in arm["hits"]] for arm in trace.arms),
        [cut.value for cut in trace.cuts],
        [cut.bound for cut in trace.cuts],
    ]
    column, billionths = _column(numbers)
    head = {
        "ids": [row["id"] for row in trace.pool],
        "types": [row["type"] for row in trace.pool],
        "matched": [row["matched"] for row in trace.pool],
        "parts": parts,
        "arms": [_packed_arm(arm, place) for arm in trace.arms],
        "reasons": reasons,
        "cuts": [[place.get(cut.id, cut.id), kind[cut.stage, cut.reason]] for cut in trace.cuts],
        "passed_over": trace.passed_over,
        "stages_ms": dict(trace.stages_ms),
        "billionths": billionths,
    }
    told = canonical(head).encode()
    return zlib.compress(len(told).to_bytes(_LENGTH, "little") + told + column.tobytes(), _FAST)


def unpack(packed: bytes) -> dict[str, Any]:
    """The fields of `Trace` that were packed, by name.

    Raises:
        ValueError, KeyError, IndexError, TypeError, zlib.error: the bytes are damaged.
    """
    raw = zlib.decompress(packed)
    end = _LENGTH + int.from_bytes(raw[:_LENGTH], "little")
    head = json.loads(raw[_LENGTH:end])
    numbers = _Numbers(raw[end:], billionths=head["billionths"])
    ids, count = head["ids"], len(head["ids"])
    scores = [numbers.take(count) for _ in _SCORES]
    parts = [numbers.take(count) for _ in head["parts"]]
    arms = tuple(_read_arm(arm, ids, numbers) for arm in head["arms"])
    values, bounds = numbers.take(len(head["cuts"])), numbers.take(len(head["cuts"]))
    pool = tuple(
        {
            "id": ids[at],
            "type": head["types"][at],
            **{name: column[at] for name, column in zip(_SCORES, scores, strict=True)},
            "matched": head["matched"][at],
            "parts": {
                name: column[at] for name, column in zip(head["parts"], parts, strict=True) if column[at] is not None
            },
        }
        for at in range(count)
    )
    cuts = tuple(
        Cut(head["reasons"][why][0], _id(item, ids), head["reasons"][why][1], value, bound)
        for (item, why), value, bound in zip(head["cuts"], values, bounds, strict=True)
    )
    return {
        "arms": arms,
        "pool": pool,
        "cuts": cuts,
        "passed_over": head["passed_over"],
        "stages_ms": head["stages_ms"],
    }


def _packed_arm(arm: Mapping[str, Any], place: Mapping[str, int]) -> dict[str, Any]:
    """An arm's report without the raw scores; hits of the pool go by their place there."""
    hits = [[place.get(hit[0], hit[0]) for hit in arm["hits"]], [hit[1] for hit in arm["hits"]]]
    return {**arm, "hits": hits}


def _read_arm(arm: dict[str, Any], ids: list[str], numbers: _Numbers) -> dict[str, Any]:
    """An arm's report with its hits as (id, rank, raw score)."""
    items, ranks = arm["hits"]
    raws = numbers.take(len(items))
    return {**arm, "hits": [[_id(item, ids), rank, raw] for item, rank, raw in zip(items, ranks, raws, strict=True)]}


def _id(item: int | str, ids: list[str]) -> str:
    """An id that was packed as its place in the pool, or as itself."""
    return ids[item] if isinstance(item, int) else item


def _column(numbers: Iterable[Iterable[float | None]]) -> tuple[NDArray[Any], bool]:
    """The numbers as one column, and whether it holds billionths."""
    values = np.array(list(chain.from_iterable(numbers)), dtype=np.float64)
    absent = np.isnan(values)
    known = np.where(absent, 0.0, values)
    if np.abs(known).max(initial=0.0) < -_ABSENT / _BILLION:
        scaled = np.rint(known * _BILLION)
        if np.array_equal(scaled / _BILLION, known):
            return np.where(absent, _ABSENT, scaled).astype("<i4"), True
    return values.astype("<f8"), False


class _Numbers:
    """The column, read from the front."""

    def __init__(self, raw: bytes, *, billionths: bool) -> None:
        column = np.frombuffer(raw, dtype="<i4" if billionths else "<f8")
        absent = column == _ABSENT if billionths else np.isnan(column)
        values = (column / _BILLION if billionths else column).tolist()
        self._values = [None if gone else value for value, gone in zip(values, absent.tolist(), strict=True)]
        self._at = 0

    def take(self, count: int) -> list[float | None]:
        """The next numbers."""
        self._at += count
        return self._values[self._at - count : self._at]
