"""What of a scope the fence admits, as scoring by words takes it: posting lists, and where the entries stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.ports.search import Around
from bethink.store.bm25f import Room, TermList
from bethink.store.columns import Columns
from bethink.store.posting_feed import Postings


class Part(Protocol):
    """A readable scope: which of its rows the fence admits, and whether it admits all of them."""

    @property
    def mask(self) -> NDArray[np.bool_]: ...  # noqa: D102 - the class docstring says it
    @property
    def whole(self) -> bool: ...  # noqa: D102 - the class docstring says it
    @property
    def columns(self) -> Columns: ...  # noqa: D102 - as above, of all its rows


def term_list(part: Part, postings: Postings, *, distinctive: bool) -> TermList:
    """A posting list inside the fence; it may go beyond the columns, which another thread has moved on."""
    known = np.searchsorted(postings.rows, len(part.mask))
    rows, packed = postings.rows[:known], postings.packed[:known]
    if part.whole:
        return TermList(rows, packed, distinctive)
    kept = part.mask[rows]
    return TermList(rows[kept], packed[kept], distinctive)


def room(part: Part, asking: Postings, instructing: Postings) -> Room:
    """Where the entries of a scope stand; those that ask and that instruct are listed, maybe beyond the columns too."""
    asks, instructs = _among(part, asking), _among(part, instructing)
    columns = part.columns
    return Room(part.mask, columns.previous, columns.following, part.whole, asks, columns.speaker, instructs)


def _among(part: Part, listed: Postings) -> NDArray[np.bool_]:
    """Which rows are on a list, as far as the columns go."""
    held = np.zeros(len(part.mask), dtype=np.bool_)
    held[listed.rows[: np.searchsorted(listed.rows, len(held))]] = True
    return held


def beside(parts: Sequence[tuple[Part, Room]], keys: NDArray[np.int64]) -> Around:
    """What stands around each key: the turns right before and after it, as far as they are inside, and what it is."""
    lone, no = np.full(len(keys), -1), np.zeros(len(keys), dtype=np.bool_)
    around = Around(lone, lone.copy(), no, no.copy())
    for part, room in parts:
        rows = part.columns.rows_of(keys)
        here = np.flatnonzero(rows >= 0)
        rows = rows[here]
        before, after = (column[rows].astype(np.int64) for column in (room.previous, room.following))
        before, after = np.where(room.inside[before], before, -1), np.where(room.inside[after], after, -1)
        around.replies[here[room.answered(before, np.where(before >= 0, rows, -1))]] = True
        if room.instructing is not None:
            around.instructs[here] = room.instructing[rows]
        for found, other in ((around.before, before), (around.after, after)):
            found[here] = np.where(other >= 0, part.columns.key[other], -1)
    return around
