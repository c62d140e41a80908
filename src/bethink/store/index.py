"""The search index of an open store: what writing keeps in step and reading is served from.

One per open store, shared by its threads. All of it is derived: columns and vectors in memory are read through the
snapshot that asks, postings, names and segments stand in the file and can be rebuilt from the truth.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from bethink.operations.upkeep import Finding
from bethink.ports.search import Search
from bethink.store.analyser import add_words, build, outdated, set_made_by
from bethink.store.card import IndexCard
from bethink.store.column_feed import ColumnFeed
from bethink.store.column_segments import reseal_columns, seal_columns
from bethink.store.columns import Columns
from bethink.store.database import Connection
from bethink.store.index_repair import check_index, rebuild_index, rebuild_words
from bethink.store.names import add_names, remove_names
from bethink.store.owned_feed import OwnedFeed
from bethink.store.posting_feed import PostingFeed, Postings
from bethink.store.postings import posting_rows
from bethink.store.search import SnapshotSearch
from bethink.store.segments import SEALED, Place, loose_count, seal, unseal
from bethink.store.vector_feed import VectorFeed
from bethink.store.vectors import Run
from bethink.text.analyse import analyser_id

MAX_ROWS = 2_000_000
"""Rows of columns kept in memory over all scopes: about 0.25 GB, half as much for posting lists, 0.9 GB for vectors."""


class ScopeCache:
    """What is held in memory of one scope."""

    def __init__(self, tenant: str, scope: str) -> None:
        self.columns = ColumnFeed(tenant, scope)
        self.postings = PostingFeed(tenant, scope)
        self.links = PostingFeed(tenant, scope, "read_links")
        self.owned = OwnedFeed(tenant)
        self.vectors: dict[str, VectorFeed] = {}
        self.rows = 0


class SearchIndex:
    """Columns, postings, names and vectors of one store. `language` is the analyser's.

    Writes happen inside the caller's transaction. Vectors passed in are float32 rows of length 1.
    """

    def __init__(self, language: str) -> None:
        """Choose the analyser.

        Raises:
            InvalidInput: no such language.
        """
        self.analyser = analyser_id(language)
        self.language = language
        self._lock = threading.Lock()
        self._scopes: OrderedDict[tuple[str, str], ScopeCache] = OrderedDict()

    def search(self, connection: Connection, tenant: str, position: int) -> Search:
        """The arms over this connection's snapshot.

        `position` is the tenant's write counter in that snapshot. The snapshot must be of committed data: what a
        transaction could still take back must not reach memory that others read.
        """
        return SnapshotSearch(self, connection, tenant, position)

    def outdated(self, connection: Connection) -> str:
        """Why the store's words do not answer to this analyser's terms; empty when they do."""
        return outdated(connection, self.analyser)

    def begin(self, connection: Connection) -> None:
        """Before a transaction's first entry: words that another analyser made are several analysers' from here on."""
        add_words(connection, self.analyser)

    def columns(self, connection: Connection, tenant: str, scope: str, position: int) -> Columns:
        """The fence's columns of a scope, at least as new as `position`."""
        cache = self._cache(tenant, scope)
        columns = cache.columns.at(connection, position)
        if cache.rows != len(columns.key):
            self._make_room(cache, len(columns.key))
        return columns

    def build(self, connection: Connection) -> str:
        """Which build of the words the snapshot holds."""
        return build(connection)

    def postings(
        self,
        connection: Connection,
        place: tuple[str, str],
        terms: Sequence[str],
        columns: Columns,
        state: tuple[int, str],
    ) -> tuple[Postings, ...]:
        """The posting lists of terms in a (tenant, scope), placed in its columns; see `PostingFeed.at`."""
        return self._cache(*place).postings.at(connection, terms, columns, state)

    def links(
        self,
        connection: Connection,
        place: tuple[str, str],
        entities: Sequence[str],
        columns: Columns,
        state: tuple[int, str],
    ) -> tuple[Postings, ...]:
        """The entries of a (tenant, scope) linked to each entity, placed in its columns."""
        return self._cache(*place).links.at(connection, entities, columns, state)

    def owned(
        self, connection: Connection, place: tuple[str, str], columns: Columns, position: int
    ) -> NDArray[np.bool_]:
        """Which rows of a (tenant, scope) state, as far as a snapshot sees, that the user owns or uses something."""
        return self._cache(*place).owned.at(connection, columns, position)

    def vectors(self, connection: Connection, place: Place, columns: Columns) -> tuple[Run, ...]:
        """The vectors of a scope and space, placed in the scope's columns."""
        feeds = self._cache(place.tenant, place.scope).vectors
        feed = feeds.get(place.space)
        if feed is None:
            with self._lock:
                feed = feeds.setdefault(place.space, VectorFeed(place))
        return feed.at(connection, columns)

    def add(
        self,
        connection: Connection,
        tenant: str,
        cards: Sequence[IndexCard],
        noted: set[tuple[str, str]] | None = None,
    ) -> None:
        """Index entries, in the transaction that writes them; see `add_names` for `noted`."""
        connection.run_many("insert_posting", posting_rows(tenant, cards, self.language))
        for card in cards:
            add_names(connection, tenant, card, noted)

    def remove(self, connection: Connection, tenant: str, scope: str, keys: Sequence[int]) -> None:
        """Take erased entries of a scope out of postings and names, whatever words they were indexed under.

        One pass over the scope's index, however many the keys: pass them together.
        """
        if keys:
            connection.run("delete_postings", tenant=tenant, scope=scope, keys=json.dumps(list(keys)))
            remove_names(connection, tenant, scope, keys)

    def seal(self, connection: Connection, place: tuple[str, str], moved: int) -> None:
        """Seal the columns of a (tenant, scope), at the end of a transaction that moved the counter so far."""
        seal_columns(connection, place, moved)

    def reseal(self, connection: Connection, place: tuple[str, str], positions: Sequence[int]) -> None:
        """Make anew what was sealed of a (tenant, scope) at positions that erased entries had; when they are gone."""
        reseal_columns(connection, place, positions)

    def put_vectors(
        self, connection: Connection, space: str, rows: Sequence[tuple[str, str, int, NDArray[np.float32]]]
    ) -> None:
        """Store vectors (tenant, scope, key, vector) and take their entries off the waiting list.

        Enough new ones are sealed into a segment; a vector that replaces a sealed one opens its segment again.
        """
        for (tenant, scope), group in groupby(sorted(rows, key=lambda row: row[:3]), key=lambda row: row[:2]):
            place = Place(tenant, space, scope)
            replaced = []
            added = 0
            for _, _, key, vector in group:
                blob = np.ascontiguousarray(vector, dtype="<f4").tobytes()
                if connection.run("insert_vector", key=key, vector=blob, **place.where):
                    added += 1
                else:
                    connection.post("update_vector", key=key, vector=blob, **place.where)
                    replaced.append(key)
                connection.post("delete_pending", tenant=tenant, space=space, key=key)
            if replaced:
                unseal(connection, place, replaced)
            connection.run("put_vector_state", shape=1 if replaced else 0, rows=added, **place.where)
            if loose_count(connection, place) >= SEALED:
                seal(connection, place)

    def copy_vectors(self, connection: Connection, place: tuple[str, str], old: int, new: int) -> None:
        """Give entry `new` of a (tenant, scope) the vectors entry `old` has, with their nodes, in every space."""
        for space, blob in connection.rows("vectors_of_entry", tenant=place[0], key=old):
            self.put_vectors(connection, space, [(*place, new, np.frombuffer(blob, dtype="<f4"))])
        connection.post("copy_nodes", tenant=place[0], old=old, new=new)

    def remove_vectors(self, connection: Connection, tenant: str, scope: str, keys: Sequence[int]) -> None:
        """Remove the vectors of erased entries of a scope in every space, and what was derived from them."""
        if not keys:
            return
        listed = json.dumps(list(keys))
        for (space,) in connection.rows("read_vector_spaces", tenant=tenant, scope=scope):
            place = Place(tenant, space, scope)
            gone = connection.run("delete_vectors", keys=listed, **place.where)
            if gone:
                unseal(connection, place, keys)
                connection.run("put_vector_state", shape=1, rows=-gone, **place.where)
        connection.run("delete_pending_entries", tenant=tenant, keys=listed)

    def drop_space(self, connection: Connection, tenant: str, space: str) -> None:
        """Remove a tenant's vectors and nodes in a space, and what was derived from them."""
        connection.run("drop_space_vectors", tenant=tenant, space=space)
        connection.run("drop_space_segments", tenant=tenant, space=space)
        connection.run("drop_space_states", tenant=tenant, space=space)
        connection.run("drop_space_nodes", tenant=tenant, space=space)
        connection.run("drop_space_passages", tenant=tenant, space=space)

    def check(self, connection: Connection, tenant: str, cards: Iterable[IndexCard]) -> list[Finding]:
        """What in a tenant's index does not follow from its entries' cards and its vectors; `rebuild` mends it."""
        return check_index(connection, tenant, cards, self.language)

    def rebuild(self, connection: Connection, tenant: str, cards: Iterable[IndexCard]) -> dict[str, int]:
        """Derive a tenant's index anew from the cards of its entries and its vectors; how many rows of each part."""
        built = rebuild_index(connection, tenant, cards, self.language)
        self.forget_caches()
        return built

    def rebuild_words(self, connection: Connection, tenant: str, cards: Iterable[IndexCard]) -> dict[str, int]:
        """Derive a tenant's postings and names anew under this analyser; how many rows of each."""
        return rebuild_words(connection, tenant, cards, self.language)

    def finish_rebuild(self, connection: Connection) -> None:
        """Note that the words of every tenant are this analyser's."""
        set_made_by(connection, self.analyser)

    def forget_caches(self) -> None:
        """Drop everything held in memory; the next search reads it anew."""
        with self._lock:
            self._scopes = OrderedDict()

    def _cache(self, tenant: str, scope: str) -> ScopeCache:
        """The memory of a scope, now the most recently used."""
        with self._lock:
            cache = self._scopes.get((tenant, scope))
            if cache is None:
                cache = self._scopes[tenant, scope] = ScopeCache(tenant, scope)
            else:
                self._scopes.move_to_end((tenant, scope))
        return cache

    def _make_room(self, cache: ScopeCache, rows: int) -> None:
        """Note how large a scope is, and drop the least recently used ones while all are too large together."""
        with self._lock:
            cache.rows = rows
            total = sum(other.rows for other in self._scopes.values())
            while total > MAX_ROWS and len(self._scopes) > 1:
                _, dropped = self._scopes.popitem(last=False)
                total -= dropped.rows
