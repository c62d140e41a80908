"""The six arms over one snapshot of a store. Every answer lies inside the fence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.hit import ArmHit
from bethink.domain.query import FieldWeights, Query, TimeSpan
from bethink.domain.time import from_micros, to_micros
from bethink.ports.search import Around, Matches, NamedEntity
from bethink.store import bm25f, names
from bethink.store.columns import Columns
from bethink.store.database import Connection
from bethink.store.posting_feed import Postings
from bethink.store.postings import ASKING, INSTRUCTING
from bethink.store.predicate import fence_values
from bethink.store.rooms import beside, room, term_list
from bethink.store.segments import Place, read_vectors
from bethink.store.vectors import Run, Survivors, estimates, nearest, survivors

Keys = NDArray[np.int64]
_NO_KEYS = np.empty(0, dtype=np.int64)
_NOTHING = Matches(_NO_KEYS, np.empty(0), np.empty(0), _NO_KEYS, _NO_KEYS, np.empty(0, dtype=np.bool_), total=0)
_PAGE, _PAGES = 512, 32


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """One readable scope: its columns, which rows the fence admits, and whether it admits all of them."""

    scope: str
    columns: Columns
    mask: NDArray[np.bool_]
    whole: bool

    def rows_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those of the keys that are inside."""
        rows = self.columns.rows_of(keys)
        return rows[(rows >= 0) & self.mask[rows]]

    def keep(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the keys that are inside."""
        return self.columns.key[self.rows_of(keys)]

    def rows_in(self, spans: Sequence[TimeSpan]) -> NDArray[np.int64]:
        """The rows inside whose own time lies in one of the windows."""
        own, within = self.columns.own, np.zeros(len(self.mask), dtype=np.bool_)
        for start, end in spans:
            within |= (own >= to_micros(start)) & (own < to_micros(end))
        return np.flatnonzero(within & self.mask)

    def sessions(self, besides: str | None) -> list[tuple[int, int]]:
        """The own times of the first and last turn inside of every session but one."""
        columns = self.columns
        without = columns.names.get(besides, 0) if besides else 0
        turns = self.mask & columns.of_types(("turn",)) & (columns.session != 0) & (columns.session != without)
        rows = np.flatnonzero(turns)
        if not len(rows):
            return []
        rows = rows[np.lexsort((columns.own[rows], columns.session[rows]))]
        begins = np.flatnonzero(np.diff(columns.session[rows], prepend=-1))
        ends = np.append(begins[1:], len(rows)) - 1
        return list(zip(columns.own[rows[begins]].tolist(), columns.own[rows[ends]].tolist(), strict=True))


class Feeds(Protocol):
    """What a search reads from memory, each brought up to its own snapshot first."""

    def outdated(self, connection: Connection) -> str:
        """Why the store's words do not answer to the query's terms; empty when they do."""
        ...

    def build(self, connection: Connection) -> str:
        """Which build of the words the snapshot holds."""
        ...

    def columns(self, connection: Connection, tenant: str, scope: str, position: int) -> Columns:
        """The fence's columns of a scope, at least as new as `position`."""
        ...

    def postings(
        self,
        connection: Connection,
        place: tuple[str, str],
        terms: Sequence[str],
        columns: Columns,
        state: tuple[int, str],
    ) -> Sequence[Postings]:
        """The posting list of each term in a (tenant, scope), as of a (position, build)."""
        ...

    def links(
        self,
        connection: Connection,
        place: tuple[str, str],
        entities: Sequence[str],
        columns: Columns,
        state: tuple[int, str],
    ) -> Sequence[Postings]:
        """The entries linked to each entity in a (tenant, scope), as of a (position, build)."""
        ...

    def owned(
        self, connection: Connection, place: tuple[str, str], columns: Columns, position: int
    ) -> NDArray[np.bool_]:
        """Which rows of a (tenant, scope) state that the user owns or uses something."""
        ...

    def vectors(self, connection: Connection, place: Place, columns: Columns) -> tuple[Run, ...]:
        """The vectors of a scope and space, placed in the scope's columns."""
        ...


class SnapshotSearch:
    """`ports.search.Search` over the snapshot of a connection. Made for one recall; not shared between threads."""

    def __init__(self, index: Feeds, connection: Connection, tenant: str, position: int) -> None:
        self._index = index
        self._connection = connection
        self._tenant = tenant
        self._position = position
        self._fence: Fence | None = None
        self._inside: tuple[Inside, ...] = ()
        self._rooms: dict[str, bm25f.Room] = {}
        self._built: str | None = None
        self._dense: tuple[Fence, str] | None = None
        self._parts: list[Survivors] = []
        self._asked: tuple[Fence, Query] | None = None
        self._held: list[tuple[Inside, list[bm25f.TermList]]] = []

    @property
    def outdated(self) -> str:
        """Why the index's words do not answer to the query's terms; empty when they do."""
        return self._index.outdated(self._connection)

    def structured(self, fence: Fence, query: Query, depth: int) -> tuple[ArmHit, ...]:
        """Lookup in the columns: 1.0 for a named subject, 0.5 for a statement of owning, 0.25 for a type alone.

        Statements of owning have their places before the depth is reached by others. A sweep gives all that the fence
        admits 0.15, of too many the latest.
        """
        if query.sweep:
            keys = [part.columns.key[part.mask] for part in self._inside_of(fence)]
            return tuple(ArmHit(key, rank, 0.15) for rank, key in enumerate(_latest(keys, depth), 1))
        named: list[NDArray[np.int64]] = []
        typed: list[NDArray[np.int64]] = []
        owned: tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]] = [], []
        for part in self._inside_of(fence):
            subject = part.columns.bearing(query.subjects) & part.mask
            owning = self._owned(part) if query.owned else np.zeros_like(part.mask)
            rest = part.columns.of_types(query.types) & part.mask & ~subject & ~owning
            for keys, rows in ((named, subject & ~owning), (typed, rest), (owned[0], owning & ~subject)):
                keys.append(part.columns.key[rows])
            owned[1].append(part.columns.key[owning & subject])
        both = _latest(owned[1], depth)
        held = _latest(owned[0], depth - len(both))
        first = sorted(both + _lowest(named, depth - len(both) - len(held)))
        best = [(key, 1.0) for key in first] + [(key, 0.5) for key in held]
        best += [(key, 0.25) for key in _latest(typed, depth - len(best))]
        return tuple(ArmHit(key, rank, raw) for rank, (key, raw) in enumerate(best, 1))

    def during(self, fence: Fence, spans: Sequence[TimeSpan]) -> NDArray[np.int64]:
        """The keys whose own time lies in a window, by that time, then key."""
        parts = self._inside_of(fence) if spans else ()
        found = [(part.columns, part.rows_in(spans)) for part in parts]
        keys = np.concatenate([_NO_KEYS, *(columns.key[rows] for columns, rows in found)])
        own = np.concatenate([_NO_KEYS, *(columns.own[rows] for columns, rows in found)])
        return keys[np.lexsort((keys, own))]

    def sessions(self, fence: Fence, besides: str | None = None) -> tuple[TimeSpan, ...]:
        """When each session's first and last turn was said, by the first, then the last."""
        found = sorted(ends for part in self._inside_of(fence) for ends in part.sessions(besides))
        return tuple(TimeSpan(from_micros(first), from_micros(last)) for first, last in found)

    def lexical(self, fence: Fence, query: Query, weights: FieldWeights) -> Matches:
        """BM25F in each readable scope, merged by normalised score."""
        scored = []
        for part, held in self._lists(fence, query):
            scores = bm25f.score(held, self._room(part), weights)
            scored.append((part.columns.key[scores.rows], scores))
        return bm25f.merged(scored, len(set(query.terms))) if scored else _NOTHING

    def covered(self, fence: Fence, query: Query, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Per key how much of the query is said in its session, as a share of the session that says most."""
        shares, lists = np.ones(len(keys)), self._lists(fence, query)
        said = [bm25f.covered(held, part.columns.session, len(part.columns.spelled)) for part, held in lists]
        most = max((float(one.max()) for one in said), default=0.0)
        for (part, _), one in zip(lists, said, strict=True) if most else ():
            rows = part.columns.rows_of(keys)
            session = np.where(rows >= 0, part.columns.session[rows], 0)
            here = session > 0
            shares[here] = one[session[here]] / most
        return shares

    def fuzzy(self, fence: Fence, query: Query, depth: int) -> tuple[ArmHit, ...]:
        """Bearers of names that resemble one of the query's."""
        parts = {part.scope: part for part in self._inside_of(fence)}
        wanted = dict.fromkeys((*query.names, *query.subjects))
        if not wanted or not parts:
            return ()
        best: dict[int, float] = {}
        for alike, scope, name in names.similar_names(self._connection, self._tenant, tuple(parts), wanted):
            for key in self._bearers(parts[scope], name, depth):
                best.setdefault(key, alike)
        ranked = sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))[:depth]
        return tuple(ArmHit(key, rank, raw) for rank, (key, raw) in enumerate(ranked, 1))

    def dense(self, fence: Fence, space: str, vector: NDArray[np.float32], depth: int) -> Matches:
        """The vectors most alike to the query's: all of them, or the nominated of many; see `vectors`."""
        parts = self._survivors(fence, space)
        found = nearest(parts, vector, depth)
        return Matches(
            found.keys,
            found.scores,
            np.empty(0),
            _NO_KEYS,
            _NO_KEYS,
            np.empty(0, dtype=np.bool_),
            total=sum(map(len, parts)),
            nominated=found.nominated,
        )

    def entity(self, fence: Fence, named: Sequence[NamedEntity], depth: int) -> tuple[ArmHit, ...]:
        """Entries linked to the entities, by their own time descending, then key."""
        parts = self._inside_of(fence)
        if not named or not parts:
            return ()
        entities = tuple(dict.fromkeys(entity.id for entity in named))
        found = [(part.columns, self._linked(part, entities)) for part in parts]
        keys = np.concatenate([columns.key[rows] for columns, rows in found])
        own = np.concatenate([columns.own[rows] for columns, rows in found])
        latest = keys[np.lexsort((keys, -own))[:depth]].tolist()
        return tuple(ArmHit(key, rank, 1.0) for rank, key in enumerate(latest, 1))

    def named_entities(self, fence: Fence, names: Sequence[str]) -> tuple[NamedEntity, ...]:
        """Entities with an alias exactly among the names, by id and alias."""
        return self._entities("find_named_entities", fence, names)

    def aliases(self, fence: Fence, entities: Sequence[str]) -> tuple[NamedEntity, ...]:
        """Every name of the entities in readable scopes, by id and alias."""
        return self._entities("find_aliases", fence, entities)

    def related(self, fence: Fence, entities: Sequence[str]) -> tuple[NamedEntity, ...]:
        """The other entities of the relationships inside the fence that name one of these, by id, at most 16."""
        if not entities or not fence.scopes or fence.tenant != self._tenant:
            return ()
        rows = self._connection.rows("find_related", entities=json.dumps(list(entities)), **fence_values(fence))
        return tuple(NamedEntity(id=entity, alias=entity, scope="") for (entity,) in rows)

    def beside(self, fence: Fence, keys: Keys) -> Around:
        """What stands around each key, from the columns and the lists of turns that ask and that instruct."""
        return beside([(part, self._room(part)) for part in self._inside_of(fence)], keys)

    def bearings(self, fence: Fence, keys: NDArray[np.int64]) -> tuple[list[str], list[str | None]]:
        """Whom the keys are about or by, and where they were said, from the columns."""
        subjects, sessions = [""] * len(keys), list[str | None]([None] * len(keys))
        for part in self._inside_of(fence):
            columns, rows = part.columns, part.columns.rows_of(keys)
            here = np.flatnonzero((rows >= 0) & part.mask[rows])
            rows = rows[here]
            about = np.where(columns.speaker[rows] > 0, columns.speaker[rows], columns.subject[rows]).tolist()
            for at, name, said in zip(here.tolist(), about, columns.session[rows].tolist(), strict=True):
                subjects[at], sessions[at] = columns.spelled[name], columns.spelled[said] or None
        return subjects, sessions

    def cosines(
        self, fence: Fence, space: str, vector: NDArray[np.float32], keys: Keys
    ) -> tuple[Keys, NDArray[np.float64]]:
        """Those of the ascending keys that have a vector inside the fence, with their cosines by int8 rows."""
        return estimates(self._survivors(fence, space), vector, keys)

    def _survivors(self, fence: Fence, space: str) -> list[Survivors]:
        """The vectors inside the fence, a part per scope and run; kept for the question that follows."""
        if (fence, space) != self._dense:
            self._parts = []
            for part in self._inside_of(fence):
                place = Place(self._tenant, space, part.scope)
                fetch = partial(self._fetch, place)
                runs = self._index.vectors(self._connection, place, part.columns)
                self._parts += [survivors(run, part.mask, fetch) for run in runs]
            self._dense = fence, space
        return self._parts

    def _inside_of(self, fence: Fence) -> tuple[Inside, ...]:
        """The readable scopes that hold anything, masked; kept for the arms that follow with the same fence."""
        if fence != self._fence:
            scopes = dict.fromkeys(scope.key for scope in fence.scopes) if fence.tenant == self._tenant else {}
            parts = []
            for scope in scopes:
                columns = self._index.columns(self._connection, self._tenant, scope, self._position)
                if len(columns.key):
                    mask = columns.mask(fence, self._position)
                    parts.append(Inside(scope, columns, mask, bool(mask.all())))
            self._inside, self._rooms = tuple(parts), {}
            self._fence = fence
        return self._inside

    def _room(self, part: Inside) -> bm25f.Room:
        """Where the entries of a scope stand, and which ask or instruct; kept for the arms that follow."""
        if part.scope not in self._rooms:
            place, state = (self._tenant, part.scope), (self._position, self._build())
            lists = self._index.postings(self._connection, place, (ASKING, INSTRUCTING), part.columns, state)
            self._rooms[part.scope] = room(part, *lists)
        return self._rooms[part.scope]

    def _lists(self, fence: Fence, query: Query) -> list[tuple[Inside, list[bm25f.TermList]]]:
        """The posting lists of the query's distinct terms in each scope that holds any; kept for the question."""
        if self._asked == (fence, query):
            return self._held
        terms = tuple(dict.fromkeys(query.terms))
        parts = self._inside_of(fence) if terms else ()
        state = self._position, self._build() if parts else ""
        self._held = []
        for part in parts:
            place = (self._tenant, part.scope)
            lists = self._index.postings(self._connection, place, terms, part.columns, state)
            held = [term_list(part, lists[at], distinctive=term in query.identifiers) for at, term in enumerate(terms)]
            if any(len(found.rows) for found in held):
                self._held.append((part, held))
        self._asked = fence, query
        return self._held

    def _entities(self, query: str, fence: Fence, names: Sequence[str]) -> tuple[NamedEntity, ...]:
        """The aliases that a statement finds for names, or ids, in readable scopes."""
        scopes = [scope.key for scope in fence.scopes] if fence.tenant == self._tenant else []
        if not names or not scopes:
            return ()
        listed = json.dumps(list(names))
        rows = self._connection.rows(query, tenant=self._tenant, scopes=json.dumps(scopes), names=listed)
        return tuple(NamedEntity(id=entity, alias=alias, scope=scope) for entity, alias, scope in rows)

    def _owned(self, part: Inside) -> NDArray[np.bool_]:
        """The rows inside the fence that state that the user owns or uses something."""
        place = self._tenant, part.scope
        return self._index.owned(self._connection, place, part.columns, self._position) & part.mask

    def _linked(self, part: Inside, entities: Sequence[str]) -> NDArray[np.int64]:
        """The rows inside the fence that are linked to any of the entities, each once."""
        place, state = (self._tenant, part.scope), (self._position, self._build())
        lists = self._index.links(self._connection, place, entities, part.columns, state)
        rows = [found.rows[: np.searchsorted(found.rows, len(part.mask))] for found in lists]
        linked = rows[0] if len(rows) == 1 else np.unique(np.concatenate(rows))
        return linked[part.mask[linked]]

    def _build(self) -> str:
        """Which build of the words the snapshot holds, asked once."""
        if self._built is None:
            self._built = self._index.build(self._connection)
        return self._built

    def _bearers(self, part: Inside, name: str, depth: int) -> list[int]:
        """Up to `depth` bearers of a name inside the fence, in key order, from a bounded number of rows."""
        found: list[int] = []
        after = -1
        for _ in range(_PAGES):
            rows = self._connection.rows(
                "read_bearers", tenant=self._tenant, scope=part.scope, name=name, after=after, limit=_PAGE
            )
            found += part.keep(np.array([key for (key,) in rows], dtype=np.int64)).tolist()
            if len(rows) < _PAGE or len(found) >= depth:
                break
            after = rows[-1][0]
        return found[:depth]

    def _fetch(self, place: Place, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Keys and float32 rows of vectors from the truth."""
        listed = json.dumps(keys.tolist())
        return read_vectors(self._connection.rows("read_vectors", keys=listed, **place.where) if len(keys) else [])


def _lowest(keys: list[NDArray[np.int64]], depth: int) -> list[int]:
    """The `depth` lowest of keys that are sorted within each part."""
    if not keys or depth <= 0:
        return []
    lowest: list[int] = np.sort(np.concatenate([part[:depth] for part in keys]))[:depth].tolist()
    return lowest


def _latest(keys: list[NDArray[np.int64]], depth: int) -> list[int]:
    """The `depth` highest of keys that are sorted within each part, ascending."""
    if not keys or depth <= 0:
        return []
    latest: list[int] = np.sort(np.concatenate([part[-depth:] for part in keys]))[-depth:].tolist()
    return latest
