"""What the core asks of the records of a store. Every read of memory takes a `Fence`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bethink.domain.fence import Entry, Fence
from bethink.domain.hit import Body, Candidate
from bethink.domain.record import Content, NewRecord, Record, StatusSpan, Usage
from bethink.domain.scope import Scope
from bethink.domain.source import SourceKind


class RecordReads(Protocol):
    """Reading beliefs and written episodes, turns included where a key or an id may name one."""

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Record, ...]:
        """The records with these ids inside the fence, in the order of `ids`; others are left out alike."""
        ...

    def by_digest(self, fence: Fence, digest: str, type_name: str) -> tuple[Record, ...]:
        """Records saying exactly these words, oldest first."""
        ...

    def same_fact(self, fence: Fence, subject_key: str, attribute_key: str) -> tuple[Record, ...]:
        """Records of one subject and attribute, by valid_from then key."""
        ...

    def by_source(self, fence: Fence, ref: str, revision: str) -> tuple[Record, ...]:
        """Records that this source gave at a revision other than this one, by id."""
        ...

    def flagged(self, fence: Fence, flag: str, limit: int, before: int | None = None) -> tuple[Record, ...]:
        """Records with a flag, the newest version first; `before` is a key from which on none is wanted."""
        ...

    def written(self, fence: Fence, session: str, limit: int, before: int | None = None) -> tuple[Record, ...]:
        """Records learned in a session, the newest version first; `before` is a key from which on none is wanted."""
        ...

    def candidates(self, fence: Fence, keys: Sequence[int]) -> tuple[Candidate, ...]:
        """Slim values of the keys the truth admits, in key order: the check of what a derived index nominated."""
        ...

    def bodies(self, fence: Fence, keys: Sequence[int]) -> dict[int, Body]:
        """The texts of survivors."""
        ...

    def entries(self, fence: Fence, record_id: str) -> tuple[Entry, ...]:
        """What the fence looks at of every version of a record or turn, newest first, with its whole status history.

        Of the fence only tenant, scopes, channel and ceiling hold here, so that a reader can be told which other
        clause hides what is theirs. What lies outside those and what never was answer alike: nothing.
        """
        ...

    def find(self, fence: Fence, prefix: str) -> tuple[str, ...]:
        """Ids of records or turns whose id, or whose short id's hex, starts with `prefix` (at most 20)."""
        ...

    def profiles(self, fence: Fence, ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """(record id, index key of a profile) of entities that these records or turns are linked to, sorted.

        The ids are those that a fence admitted; the profiles lie inside this one.
        """
        ...

    def supports(self, record_id: str) -> tuple[str, ...]:
        """References of the independent sources that support a record, sorted."""
        ...

    def spent(self, fence: Fence, turn_ids: Sequence[str]) -> frozenset[str]:
        """Those of the turns that support superseded or ended records the reader may know of, and no live one."""
        ...

    def derived(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of records made from these records, whatever their scope: what an erase has to take along."""
        ...

    def quoting(self, turn_ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of records whose evidence stands in these turns, whatever their scope."""
        ...

    def owners(self, ids: Sequence[str]) -> tuple[Scope, ...]:
        """The scopes that own these records and turns, sorted: for what the owner of the store does to all of them."""
        ...

    def quoted(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of turns that evidence of these records stands in, that of earlier versions included, sorted."""
        ...


class RecordWrites(RecordReads, Protocol):
    """Writing records. Each call also keeps the index, the usage row and the vector queue in step."""

    def add(self, record: NewRecord, at: datetime) -> Record:
        """Store a new record with its first version, span and source; the caller closes what it supersedes."""
        ...

    def add_version(self, record_id: str, content: Content, at: datetime) -> Record:
        """Close the live version and insert the next; the index follows."""
        ...

    def set_status(self, record_id: str, span: StatusSpan) -> None:
        """Close the open span at ``span.recorded_from`` and open this one; works for turns too. Touches no index."""
        ...

    def set_usage(self, record_id: str, usage: Usage) -> None:
        """Replace the moving counters."""
        ...

    def add_support(self, record_id: str, source_ref: str, kind: SourceKind, at: datetime) -> bool:
        """Note one more source of a record; whether it is an independent one, not counted before."""
        ...

    def supporters(self, record_id: str) -> tuple[tuple[str, SourceKind], ...]:
        """The independent sources that support a record, each by its reference and kind, sorted."""
        ...

    def lapsed(self, at: datetime, limit: int) -> tuple[tuple[str, StatusSpan], ...]:
        """(id, open span) of live records whose span ended by `at`, in the order they ended, in every scope."""
        ...

    def due_for_review(self, at: datetime, limit: int) -> tuple[tuple[str, datetime, Usage], ...]:
        """(id, review date, counters) of live records whose review date has come and that are not flagged for it.

        Those due first in front, in every scope.
        """
        ...

    def link_conflict(self, first: str, second: str, at: datetime) -> None:
        """Record that two records disagree; linking twice is harmless."""
        ...
