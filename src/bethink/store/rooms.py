"""What of a scope the fence admits, as scoring by words takes it: posting lists, and where the entries stand."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

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


def room(part: Part, asking: Postings) -> Room:
    """Where the entries of a scope stand; `asking` lists those that ask, and may go beyond the columns too."""
    asks = np.zeros(len(part.mask), dtype=np.bool_)
    asks[asking.rows[: np.searchsorted(asking.rows, len(asks))]] = True
    columns = part.columns
    return Room(part.mask, columns.previous, columns.following, part.whole, asks, columns.speaker)


def beside(room: Room, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """The rows of the turns right before and right after each row, -1 where none is inside, and which are replies."""
    before, after = (column[rows].astype(np.int64) for column in (room.previous, room.following))
    before, after = np.where(room.inside[before], before, -1), np.where(room.inside[after], after, -1)
    replies = np.zeros(len(rows), dtype=np.bool_)
    replies[room.answered(before, np.where(before >= 0, rows, -1))] = True
    return before, after, replies
