"""Which entries of a scope state that the user owns or uses something, kept up with what is written.

A version's words never change, so each is read once: of the types such a statement may be of, how the text begins. What
is kept is one bit a row. What an erase removes stays in it and is shut out by the mask of the columns.
"""

from __future__ import annotations

import json
import threading

import numpy as np
from numpy.typing import NDArray

from bethink.store.columns import Columns
from bethink.store.database import Connection
from bethink.store.growing import Growing
from bethink.text.owning import OWNING_TYPES, says_owning

_PAGE = 5_000
"""Statements read at once."""


class OwnedFeed:
    """One scope's bits, moved on under a lock. Rows are those of the scope's columns, in the order of keys."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant
        self._lock = threading.Lock()
        self._bits = Growing(np.uint8)

    def at(self, connection: Connection, columns: Columns, position: int) -> NDArray[np.bool_]:
        """A bit for each row of the columns; rows beyond the snapshot's position, which it cannot see, have none."""
        seen = int(np.searchsorted(columns.key, position, side="right"))
        with self._lock:
            first = len(self._bits.view)
            if first < seen:
                self._bits.add(self._read(connection, columns, first, seen))
            known = self._bits.publish()[:seen]
        bits = np.zeros(len(columns.key), dtype=np.bool_)
        bits[: len(known)] = known
        return bits

    def _read(self, connection: Connection, columns: Columns, first: int, last: int) -> NDArray[np.uint8]:
        """The bits of some rows that were not read before."""
        bits = np.zeros(last - first, dtype=np.uint8)
        rows = np.flatnonzero(columns.of_types(OWNING_TYPES)[first:last])
        keys = columns.key[first:last][rows]
        owning: list[int] = []
        for start in range(0, len(keys), _PAGE):
            listed = json.dumps(keys[start : start + _PAGE].tolist())
            found = connection.rows("read_openings", tenant=self._tenant, keys=listed)
            owning += [key for key, subject, text, polarity in found if says_owning(subject, text, polarity)]
        bits[np.searchsorted(columns.key[first:last], np.array(owning, dtype=np.int64))] = 1
        return bits
