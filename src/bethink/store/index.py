"""The search index of an open store: what writing keeps in step and reading is served from.

One per open store, shared by its threads. All of it is derived: columns and vectors in memory are read through the
snapshot that asks, postings, names and segments stand in the file and can be rebuilt from the truth.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bethink.ports.search import Search
from bethink.store.card import IndexCard
from bethink.store.columns import ColumnFeed, Columns
from bethink.store.database import Connection
from bethink.store.names import add_names, remove_names
from bethink.store.postings import posting_rows
from bethink.store.search_sqlite import SqliteSearch


class SearchIndex:
    """Columns, postings, names and vectors of one store. `language` is the analyser's."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._lock = threading.Lock()
        self._feeds: dict[tuple[str, str], ColumnFeed] = {}

    def search(self, connection: Connection, tenant: str, position: int) -> Search:
        """The arms over this connection's snapshot.

        `position` is the tenant's write counter in that snapshot. The snapshot must be of committed data: what a
        transaction could still take back must not reach the columns.
        """
        return SqliteSearch(self, connection, tenant, position)

    def columns(self, connection: Connection, tenant: str, scope: str, position: int) -> Columns:
        """The fence's columns of a scope, at least as new as `position`."""
        feed = self._feeds.get((tenant, scope))
        if feed is None:
            with self._lock:
                feed = self._feeds.setdefault((tenant, scope), ColumnFeed(tenant, scope))
        return feed.at(connection, position)

    def add(self, connection: Connection, tenant: str, card: IndexCard) -> None:
        """Index an entry, in the transaction that writes it."""
        connection.run_many("insert_posting", posting_rows(tenant, card, self._language))
        add_names(connection, tenant, card)

    def remove(self, connection: Connection, tenant: str, scope: str, keys: Sequence[int]) -> None:
        """Take erased entries of a scope out of postings and names, whatever words they were indexed under."""
        connection.run("delete_postings", tenant=tenant, scope=scope, keys=json.dumps(list(keys)))
        remove_names(connection, tenant, scope, keys)

    def put_vectors(
        self, connection: Connection, space: str, rows: Sequence[tuple[str, str, int, NDArray[np.float32]]]
    ) -> None:
        """Store vectors (tenant, scope, key, vector) and take their entries off the waiting list."""
        places = [{"tenant": tenant, "space": space, "key": key} for tenant, _, key, _ in rows]
        connection.run_many(
            "upsert_vector",
            (
                {**place, "scope": scope, "vector": np.ascontiguousarray(vector, dtype="<f4").tobytes()}
                for place, (_, scope, _, vector) in zip(places, rows, strict=True)
            ),
        )
        connection.run_many("delete_pending", places)

    def forget_caches(self) -> None:
        """Drop everything held in memory; the next search reads it anew."""
        with self._lock:
            self._feeds = {}
