"""The lists of one scope in memory, of terms or of entities: those asked for lately, kept up with what is written.

A list is read whole once, then only beyond the position it was read at: postings come with their entry, and links with
their record, before any version of it is read; neither ever changes. What an erase removes stays in a list and is shut
out by the mask of the columns. Lists are read anew when the store's words were built anew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.store.columns import Columns
from bethink.store.database import Connection
from bethink.store.postings import numbers

HELD = 4
"""Postings held per row of a large scope, 16 bytes each: less than the columns take."""

HELD_ANYWAY = 1_000_000
"""Postings held whatever the scope's size: 16 MB, which is most of what 50,000 entries have."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """One list as of `position`: the rows of the entries in the scope's columns, ascending, and their packed counts."""

    position: int
    rows: NDArray[np.int64]
    packed: NDArray[np.int64]


_NOTHING = Postings(-1, np.empty(0, np.int64), np.empty(0, np.int64))


class PostingFeed:
    """The lists of one scope, the most recently asked for last. May be asked by many threads.

    `query` names what reads the list of a term, or an entity, beyond a key: two aligned lists, keys in ascending order
    and packed counts.
    """

    def __init__(self, tenant: str, scope: str, query: str = "read_postings") -> None:
        self._query = query
        self._where = {"tenant": tenant, "scope": scope}
        self._lock = threading.Lock()
        self._lists: OrderedDict[str, Postings] = OrderedDict()
        self._build = ""
        self._total = 0

    def at(
        self, connection: Connection, terms: Sequence[str], columns: Columns, state: tuple[int, str]
    ) -> tuple[Postings, ...]:
        """The lists of distinct terms, in their order, with at least all that a snapshot sees.

        `state` is the snapshot's position and which build of the words it holds. A list may go beyond the columns,
        where another thread asked for it later.
        """
        position, build = state
        known = dict(zip(terms, self._known(terms, build), strict=True))
        behind = [term for term, held in known.items() if held.position < position]
        asked = [{"term": term, "after": known[term].position, **self._where} for term in behind]
        for term, ((keys, packed),) in zip(behind, connection.ask(self._query, asked), strict=True):
            known[term] = _advanced(known[term], position, columns.rows_of(numbers(keys or "")), numbers(packed or ""))
        found = [known[term] for term in terms]
        self._keep(dict(zip(terms, found, strict=True)), build, max(HELD_ANYWAY, HELD * len(columns.key)))
        return tuple(found)

    def _known(self, terms: Sequence[str], build: str) -> list[Postings]:
        """What is held of the lists."""
        with self._lock:
            if build != self._build:
                self._lists.clear()
                self._total = 0
                self._build = build
            return [self._lists.get(term, _NOTHING) for term in terms]

    def _keep(self, found: dict[str, Postings], build: str, room: int) -> None:
        """Hold the lists, and drop those not asked for the longest while all are too many."""
        with self._lock:
            if build != self._build:
                return
            for term, fresh in found.items():
                held = self._lists.get(term, _NOTHING)
                kept = fresh if fresh.position >= held.position else held
                self._total += len(kept.rows) - len(held.rows)
                self._lists[term] = kept
                self._lists.move_to_end(term)
            while self._total > room and self._lists:
                self._total -= len(self._lists.popitem(last=False)[1].rows)


def _advanced(held: Postings, position: int, rows: NDArray[np.int64], packed: NDArray[np.int64]) -> Postings:
    """The list with what was written since."""
    if not len(rows):
        return Postings(position, held.rows, held.packed)
    return Postings(position, np.concatenate([held.rows, rows]), np.concatenate([held.packed, packed]))
