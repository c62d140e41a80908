"""Reading records inside a fence."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bethink.domain.fence import Entry, Fence
from bethink.domain.hit import Body, Candidate
from bethink.domain.record import LIVE, Record
from bethink.domain.scope import Scope
from bethink.domain.source import TURN_REF
from bethink.domain.time import FOREVER
from bethink.domain.types import Kind
from bethink.store import codec
from bethink.store.context import Reading, Writing
from bethink.store.database import Row
from bethink.store.failures import decoding
from bethink.store.predicate import array, fence_values


class Records:
    """The `RecordReads` port over one connection."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Record, ...]:
        """The records with these ids inside the fence, in the order of `ids`; others are left out alike."""
        values = self._values(fence)
        found = {row[1]: row for row in self._on.rows("get_records", ids=array(ids), **values)}
        if not found:
            return ()
        history, conflicts, links = self._grouped(("history_of", "conflicts_of", "links_of"), found, values)
        known = values["known"]
        with decoding():
            return tuple(
                codec.record(
                    found[item],
                    known,
                    [codec.span(row, known) for row in history[item]],
                    [other for _, other in conflicts[item]],
                    list(dict.fromkeys(entity for _, entity in links[item])),
                )
                for item in dict.fromkeys(ids)
                if item in found
            )

    def by_digest(self, fence: Fence, digest: str, type_name: str) -> tuple[Record, ...]:
        """Records saying exactly these words, oldest first."""
        rows = self._on.rows("ids_by_digest", digest=digest, type=type_name, **self._values(fence))
        return self.get(fence, [row[0] for row in rows])

    def same_fact(self, fence: Fence, subject_key: str, attribute_key: str) -> tuple[Record, ...]:
        """Records of one subject and attribute, by valid_from then key."""
        rows = self._on.rows("ids_of_fact", subject_key=subject_key, attribute_key=attribute_key, **self._values(fence))
        return self.get(fence, [row[0] for row in rows])

    def by_source(self, fence: Fence, ref: str, revision: str) -> tuple[Record, ...]:
        """Records that this source gave at a revision other than this one, by id."""
        rows = self._on.rows("ids_by_source", source_ref=ref, revision=revision, **self._values(fence))
        return self.get(fence, [row[0] for row in rows])

    def flagged(self, fence: Fence, flag: str, limit: int, before: int | None = None) -> tuple[Record, ...]:
        """Records with a flag, the newest version first; `before` is a key from which on none is wanted."""
        held, below = f'%"{flag}"%', FOREVER if before is None else before
        rows = self._on.rows("ids_flagged", flag=held, before=below, limit=limit, **self._values(fence))
        return self.get(fence, [row[0] for row in rows])

    def written(self, fence: Fence, session: str, limit: int, before: int | None = None) -> tuple[Record, ...]:
        """Records learned in a session, the newest version first; `before` is a key from which on none is wanted."""
        about = {"session_id": session, "before": FOREVER if before is None else before, "limit": limit}
        return self.get(fence, [row[0] for row in self._on.rows("ids_of_session", **about, **self._values(fence))])

    def candidates(self, fence: Fence, keys: Sequence[int]) -> tuple[Candidate, ...]:
        """Slim values of the keys the truth admits, in key order: the check of what a derived index nominated."""
        values = self._values(fence)
        rows = self._on.rows("candidates", keys=array(keys), **values)
        scopes = {scope.key: scope for scope in fence.scopes}
        with decoding():
            found = [codec.candidate(row, scopes) for row in rows]
        beliefs = [item.id for item in found if item.kind is not Kind.EPISODIC]
        conflicts, replaced = self._grouped(("conflicts_of", "supersessions_of"), beliefs, values)
        with decoding():
            return tuple(
                item._replace(
                    conflicts=tuple(other for _, other in conflicts[item.id]),
                    supersedes=tuple(json.loads(replaced[item.id][0][1])) if item.id in replaced else (),
                )
                if item.id in conflicts or item.id in replaced
                else item
                for item in found
            )

    def bodies(self, fence: Fence, keys: Sequence[int]) -> dict[int, Body]:
        """The texts of survivors."""
        if not keys:
            return {}
        values = self._values(fence) | {"keys": array(keys)}
        beliefs, turns = self._on.ask_all((name, values) for name in ("record_bodies", "turn_bodies"))
        (names,) = self._grouped(("entity_names_of",), [row[1] for row in beliefs], values)
        with decoding():
            found = {row[0]: codec.record_body(row, [name for _, name in names[row[1]]]) for row in beliefs}
            return found | {row[0]: codec.turn_body(row) for row in turns}

    def entries(self, fence: Fence, record_id: str) -> tuple[Entry, ...]:
        """What the fence looks at of every version of a record or turn, newest first, with its whole status history.

        Of the fence only tenant, scopes, channel and ceiling hold here, so that a reader can be told which other
        clause hides what is theirs. What lies outside those and what never was answer alike: nothing.
        """
        values = self._values(fence)
        about = {name: values[name] for name in ("tenant", "scopes", "channel", "ceiling")}
        rows = self._on.rows("entries_of", record_id=record_id, **about)
        if not rows:
            return ()
        history = self._on.rows("history_of", tenant=self._tenant, ids=array([record_id]), known=FOREVER - 1)
        with decoding():
            spans = tuple(codec.span(row, FOREVER - 1) for row in history)
            return tuple(codec.entry(row, spans, [row[7] for row in history]) for row in rows)

    def profiles(self, fence: Fence, ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """(record id, index key of a profile) of entities that these records or turns are linked to, sorted."""
        rows = self._on.rows("profiles_beside", **(self._values(fence) | {"ids": array(ids)})) if ids else ()
        return tuple((row[0], row[1]) for row in rows)

    def supports(self, record_id: str) -> tuple[str, ...]:
        """References of the independent sources that support a record, sorted."""
        return tuple(row[0] for row in self._on.rows("supports_of", tenant=self._tenant, record_id=record_id))

    def find(self, fence: Fence, prefix: str) -> tuple[str, ...]:
        """Ids of records or turns whose id, or whose short id's hex, starts with `prefix` (at most 20)."""
        prefix = prefix.removeprefix("m:")
        if not prefix:
            return ()
        values = self._values(fence)
        asked = (("find_by_id", values | {"prefix": prefix}), ("find_by_hash", values | {"prefix": prefix[:16]}))
        by_id, by_hash = self._on.ask_all(asked)
        found = [row[0] for row in by_id]
        for (item,) in by_hash:
            if hashlib.sha256(item.encode()).hexdigest().startswith(prefix):
                found.append(item)
        return tuple(sorted(set(found)))[:20]

    def spent(self, fence: Fence, turn_ids: Sequence[str]) -> frozenset[str]:
        """Those of the turns that support superseded records the reader may know of, and none that still holds."""
        listed = list(turn_ids)
        if not listed:
            return frozenset()
        values = self._values(fence)
        about = {name: values[name] for name in ("tenant", "scopes", "known", "instant")}
        refs = array(f"{TURN_REF}{item}" for item in listed)
        rows = self._on.rows("spent_turns", ids=array(listed), refs=refs, live=array(sorted(LIVE)), **about)
        return frozenset(row[0] for row in rows)

    def derived(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of records made from these records, whatever their scope: what an erase has to take along."""
        return self._lineage(ids, "parent")

    def quoting(self, turn_ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of records whose evidence stands in these turns."""
        return self._lineage(turn_ids, "evidence")

    def owners(self, ids: Sequence[str]) -> tuple[Scope, ...]:
        """The scopes that own these records and turns, sorted."""
        rows = self._on.rows("owners_of", tenant=self._tenant, ids=array(ids))
        with decoding():
            return tuple(Scope.parse(row[0]) for row in rows)

    def quoted(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of turns that evidence of these records stands in, that of earlier versions included, sorted."""
        return tuple(row[0] for row in self._on.rows("quoted_by", tenant=self._tenant, ids=array(ids)))

    def _lineage(self, ids: Sequence[str], role: str) -> tuple[str, ...]:
        """Ids made from others in one role."""
        rows = self._on.rows("derived_from", tenant=self._tenant, ids=array(ids), roles=array([role]))
        return tuple(row[0] for row in rows)

    def _values(self, fence: Fence) -> dict[str, Any]:
        """The fence's values, its tenant being the connection's own."""
        return fence_values(fence) | {"tenant": self._tenant}

    def _grouped(
        self, queries: Sequence[str], ids: Iterable[str], values: Mapping[str, Any]
    ) -> list[dict[str, list[Row]]]:
        """For each of the queries about records its rows, by record id."""
        listed = array(ids)
        asked = [(name, {**values, "ids": listed}) for name in queries] if listed != "[]" else []
        found: list[dict[str, list[Row]]] = [defaultdict(list) for _ in queries]
        for grouped, rows in zip(found, self._on.ask_all(asked), strict=False):
            for row in rows:
                grouped[row[0]].append(row)
        return found
