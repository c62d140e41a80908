"""What was written of a scope between two positions, as the columns need it: arrays, and the words they number.

`read_delta` reads it from the tables, `encode` makes one blob of it, `decode` reads that. What is in a blob follows
from what the tables hold of those positions and nothing else: it can be compared with them, and a store copied to the
other database has the same. A blob is::

    4 bytes   length of the header, little-endian
    header    JSON: {"columns": [[lowest, bytes a value, values], ...], "words": [[...], [...], [...]]}
    columns   in the order of `COLUMNS`, each value less the lowest as an unsigned little-endian integer

A column whose values are all alike takes no byte a value, keys and places in a session two.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.domain.time import BEGINNING, FOREVER
from bethink.store.database import Connection
from bethink.store.postings import numbers

FIELD, ROW = "\x1f", "\x1e"
"""What parts the fields of an entry's labels, and entries: characters no stored name may hold."""

ENTRY = {
    "key": 0,
    "seq": 0,
    "valid_from": BEGINNING,
    "valid_until": FOREVER,
    "own": 0,
    "recorded_at": 0,
    "retired_at": FOREVER,
    "retired_position": 0,
}
"""The numbers of an entry in the order in which they are read, and what each is counted from."""

SPAN = {"span_key": 0, "span_from": 0, "span_ends": FOREVER, "span_position": 0}
"""The same of a status span."""

GONE = ("gone_key", "gone_at", "gone_position")
WORDS = ("label", "session", "status")
COLUMNS = (*ENTRY, *SPAN, *GONE, *WORDS)
_WIDTHS = (0, 1, 2, 4, 8)
_LENGTH = 4


@dataclass(frozen=True, slots=True, eq=False)
class Delta:
    """Entries in key order, status spans, and the versions known before that were retired.

    `columns` has the arrays, int64, by the names of `COLUMNS`; those named in `WORDS` number the `words` of that name.
    A row's spans are in the order of writing. `erased` says that of entries known before some are gone.
    """

    columns: Mapping[str, NDArray[np.int64]]
    words: Mapping[str, Sequence[str]]
    erased: bool = False

    @property
    def rows(self) -> int:
        """How many entries, spans and retirements it holds."""
        return sum(len(self.columns[name]) for name in ("key", "span_key", "gone_key"))


def read_delta(connection: Connection, place: tuple[str, str], after: int, upto: int = FOREVER) -> Delta:
    """What was written of a (tenant, scope) behind position `after`, up to `upto`; all of it when `after` is -1."""
    between = {"tenant": place[0], "scope": place[1], "last": after, "upto": upto}
    entries = connection.rows("read_entry_columns", **between)[0]
    status, *spans = connection.rows("read_span_columns", **between)[0]
    changes = connection.rows("read_status_changes", **between) if after >= 0 else []
    retired = connection.rows("read_retirements", **between) if after >= 0 else []
    changed = [row for row in changes if row[0] is not None]
    columns = {name: numbers(text or "") + ENTRY[name] for name, text in zip(ENTRY, entries[:8], strict=True)}
    for at, (name, text) in enumerate(zip(SPAN, spans, strict=True)):
        columns[name] = np.append(numbers(text or "") + SPAN[name], _integers(row[at] for row in changed))
    columns |= {name: _integers(row[at] for row in retired) for at, name in enumerate(GONE)}
    held = {"status": [*_parted(status, ","), *(row[4] for row in changed)]}
    held |= {name: _parted(text, ROW) for name, text in zip(WORDS[:2], entries[8:], strict=True)}
    words = {}
    for name in WORDS:
        known = {word: number for number, word in enumerate(dict.fromkeys(held[name]))}
        columns[name], words[name] = _looked_up(known, held[name]), tuple(known)
    return Delta(columns, words, erased=len(changed) < len(changes))


def encode(delta: Delta) -> bytes:
    """A delta as a blob."""
    parts, heads = [], []
    for name in COLUMNS:
        values = delta.columns[name]
        lowest = int(values.min()) if len(values) else 0
        above = values.view(np.uint64) - np.int64(lowest).view(np.uint64)
        most = int(above.max(initial=0))
        width = next(width for width in _WIDTHS if most < 1 << 8 * width)
        heads.append([lowest, width, len(values)])
        parts.append(above.astype(f"<u{width}").tobytes() if width else b"")
    header = {"columns": heads, "words": [list(delta.words[name]) for name in WORDS]}
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    return b"".join([len(text).to_bytes(_LENGTH, "little"), text, *parts])


def decode(blob: bytes) -> Delta:
    """What `encode` made a blob of."""
    header, begin = _header(blob)
    columns = {}
    for name, (lowest, width, count) in zip(COLUMNS, header["columns"], strict=True):
        above = np.frombuffer(blob, f"<u{width}", count, begin) if width else np.zeros(count, np.uint8)
        columns[name] = above.astype(np.uint64).view(np.int64) + lowest
        begin += width * count
    return Delta(columns, dict(zip(WORDS, header["words"], strict=True)))


def sizes(blob: bytes) -> tuple[int, int]:
    """How many entries and spans a blob holds, without reading them."""
    header, _ = _header(blob)
    entries, spans = (header["columns"][COLUMNS.index(name)][2] for name in ("key", "span_key"))
    return int(entries), int(spans)


def _header(blob: bytes) -> tuple[dict[str, Any], int]:
    """The header of a blob, and where its columns begin."""
    begin = _LENGTH + int.from_bytes(blob[:_LENGTH], "little")
    return json.loads(blob[_LENGTH:begin]), begin


def _looked_up(known: Mapping[str, int], words: Sequence[str]) -> NDArray[np.int64]:
    """What each word stands for: without a step of the interpreter a word, for a large scope has a million."""
    return np.fromiter(map(known.__getitem__, words), np.int64, len(words))


def _parted(text: str | None, mark: str) -> list[str]:
    """The parts of an aggregate; of no rows there are none."""
    return [] if text is None else text.split(mark)


def _integers(values: Iterable[int]) -> NDArray[np.int64]:
    """Integers as numpy's."""
    return np.fromiter(values, np.int64)
