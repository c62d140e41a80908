"""Writing records: identity, versions, statuses, counters, and what the index is told."""

from __future__ import annotations

import json
from datetime import datetime

from bethink.domain.record import Content, NewRecord, Record, Status, StatusSpan, Usage, check_transition
from bethink.domain.source import SourceKind
from bethink.domain.time import FOREVER, from_micros, optional_instant, to_micros
from bethink.domain.types import Kind, type_rule
from bethink.errors import InvalidInput, NotFound
from bethink.store import codec
from bethink.store.cards import record_card
from bethink.store.context import Writing
from bethink.store.predicate import array
from bethink.store.records import Records


class RecordWriter(Records):
    """The `RecordWrites` port inside one write transaction."""

    def __init__(self, context: Writing) -> None:
        super().__init__(context)
        self._writing = context

    def add(self, record: NewRecord, at: datetime) -> Record:
        """Store a new record with its first version, status span and source; the caller closes what it supersedes."""
        content, key = record.content, self._writing.take()
        self._on.post(
            "add_record",
            tenant=self._tenant,
            id=record.id,
            key=key,
            kind=type_rule(content.type).kind,
            type=content.type,
            created_at=to_micros(record.created_at),
            supersedes=codec.canonical(list(record.supersedes)),
        )
        for entity, role in record.entities:
            self._on.post("add_link", tenant=self._tenant, id=record.id, entity_id=entity, role=role)
        self._insert(record.id, key, 1, content, (record.created_at, at))
        self.set_usage(record.id, record.usage)
        self.add_support(record.id, content.source.ref, content.source.kind, at)
        span = StatusSpan(record.status, at, ends_at=record.ends_at, successor=record.successor, reason=record.reason)
        self._add_span(record.id, content.scope.key, span)
        return Record(
            id=record.id,
            key=key,
            kind=type_rule(content.type).kind,
            version=1,
            content=content,
            usage=record.usage,
            status=record.status,
            created_at=record.created_at,
            recorded_at=at,
            ends_at=record.ends_at,
            supersedes=record.supersedes,
            superseded_by=record.successor,
            entities=tuple(sorted({entity for entity, _ in record.entities})),
            history=(span,),
        )

    def add_version(self, record_id: str, content: Content, at: datetime) -> Record:
        """Close the live version and insert the next; the index follows. A change of scope opens a span there.

        Words that did not change keep their vectors.

        Raises:
            NotFound: no such record.
            InvalidInput: the new type is of another kind.
        """
        row = self._on.row("head_of", tenant=self._tenant, id=record_id, forever=FOREVER)
        if row is None:
            raise NotFound(f"There is no record {record_id[:60]!r}.")
        live_key, versions, kind, scope, created_at, supersedes, status, ends_at, successor = row
        if type_rule(content.type).kind != kind:
            raise InvalidInput(f"A {kind} record cannot become a {content.type}.")
        key = self._writing.take()
        self._on.post("retire_entry", tenant=self._tenant, key=live_key, at=to_micros(at), position=key)
        self._on.post("set_head", tenant=self._tenant, id=record_id, key=key, versions=versions + 1, type=content.type)
        self._insert(record_id, key, versions + 1, content, (from_micros(created_at), at))
        words = self._on.row("words_of", tenant=self._tenant, key=live_key)
        if words == (content.subject, content.text):
            self._writing.keep_vectors(live_key, key, content.scope.key)
        ends = optional_instant(ends_at)
        if content.scope.key != scope:
            self._close_span(record_id, at)
            moved = StatusSpan(Status(status), at, ends_at=ends, successor=successor, reason="moved")
            self._add_span(record_id, content.scope.key, moved)
        about = {"tenant": self._tenant, "ids": array([record_id]), "known": FOREVER - 1}
        usage = self._on.row("usage_of", tenant=self._tenant, id=record_id)
        return Record(
            id=record_id,
            key=key,
            kind=Kind(kind),
            version=versions + 1,
            content=content,
            usage=codec.usage(usage or ()),
            status=Status(status),
            created_at=from_micros(created_at),
            recorded_at=at,
            ends_at=ends,
            supersedes=tuple(json.loads(supersedes)),
            superseded_by=successor,
            conflicts=tuple(r[1] for r in self._on.rows("conflicts_of", scopes=array([content.scope.key]), **about)),
            entities=tuple(
                dict.fromkeys(r[1] for r in self._on.rows("links_of", tenant=self._tenant, ids=about["ids"]))
            ),
            history=tuple(codec.span(r, FOREVER - 1) for r in self._on.rows("history_of", **about)),
        )

    def set_status(self, record_id: str, span: StatusSpan) -> None:
        """Close the open span at ``span.recorded_from`` and open this one; works for turns too. Touches no index.

        Raises:
            NotFound: no such record or turn.
            InvalidInput: the lifecycle does not allow the change, or time would run backwards.
        """
        status, scope = self._close_span(record_id, span.recorded_from)
        check_transition(status, span.status)
        self._add_span(record_id, scope, span)

    def set_usage(self, record_id: str, usage: Usage) -> None:
        """Replace the moving counters."""
        self._on.post("put_usage", tenant=self._tenant, id=record_id, **codec.usage_values(usage))

    def add_support(self, record_id: str, source_ref: str, kind: SourceKind, at: datetime) -> bool:
        """Note one more source of a record; whether it is an independent one, not counted before."""
        return bool(
            self._on.run(
                "add_support",
                tenant=self._tenant,
                id=record_id,
                source_ref=source_ref,
                source_kind=kind,
                at=to_micros(at),
            )
        )

    def supporters(self, record_id: str) -> tuple[tuple[str, SourceKind], ...]:
        """The independent sources that support a record, each by its reference and kind, sorted."""
        rows = self._on.rows("supporters_of", tenant=self._tenant, id=record_id)
        return tuple((ref, SourceKind(kind)) for ref, kind in rows)

    def lapsed(self, at: datetime, limit: int) -> tuple[tuple[str, StatusSpan], ...]:
        """(id, open span) of live records whose span ended by `at`, in the order they ended, in every scope."""
        rows = self._on.rows("lapsed", tenant=self._tenant, at=to_micros(at), limit=limit)
        return tuple((row[0], codec.span(row, FOREVER - 1)) for row in rows)

    def due_for_review(self, at: datetime, limit: int) -> tuple[tuple[str, datetime, Usage], ...]:
        """Live records whose review date has come and that are not flagged for it."""
        rows = self._on.rows("due_reviews", tenant=self._tenant, at=to_micros(at), limit=limit)
        return tuple((row[0], from_micros(row[1]), codec.usage(row[2:])) for row in rows)

    def link_conflict(self, first: str, second: str, at: datetime) -> None:
        """Record that two records disagree; linking twice is harmless.

        Raises:
            InvalidInput: a record cannot disagree with itself.
        """
        if first == second:
            raise InvalidInput("A record cannot be in conflict with itself.")
        low, high = sorted((first, second))
        self._on.post("add_conflict", tenant=self._tenant, first_id=low, second_id=high, at=to_micros(at))

    def _insert(
        self, record_id: str, key: int, number: int, content: Content, times: tuple[datetime, datetime]
    ) -> None:
        """One version: its entry, words, lineage and index card. `times` are (created, recorded)."""
        created, at = times
        self._writing.heads(record_id, number)
        self._on.post(
            "add_entry",
            tenant=self._tenant,
            key=key,
            record_id=record_id,
            kind=type_rule(content.type).kind,
            recorded_at=to_micros(at),
            retired_at=FOREVER,
            created_at=to_micros(created),
            id_hash=codec.id_hash(record_id),
            **codec.entry_values(content),
        )
        self._on.post(
            "add_version",
            tenant=self._tenant,
            key=key,
            record_id=record_id,
            number=number,
            **codec.version_values(content),
        )
        for parent in content.parents:
            self._on.post("add_lineage", tenant=self._tenant, id=record_id, source_id=parent, role="parent")
        evidence = content.source.evidence
        if evidence is not None and evidence.turn_id is not None:
            self._on.post("add_lineage", tenant=self._tenant, id=record_id, source_id=evidence.turn_id, role="evidence")
        self._writing.index(record_card(self._on, self._tenant, record_id, (key, content, at)))

    def _close_span(self, record_id: str, at: datetime) -> tuple[Status, str]:
        """End the open span; its status and scope."""
        row = self._on.row("open_span", tenant=self._tenant, id=record_id, forever=FOREVER)
        if row is None:
            raise NotFound(f"There is no record {record_id[:60]!r}.")
        position, status, recorded_from, _, _, scope = row
        if to_micros(at) < recorded_from:
            raise InvalidInput("A status cannot begin before the one it follows.")
        self._on.post("close_span", tenant=self._tenant, id=record_id, position=position, at=to_micros(at))
        return Status(status), scope

    def _add_span(self, record_id: str, scope: str, span: StatusSpan) -> None:
        """Begin a status at a fresh position."""
        ends_at = codec.optional_micros(span.ends_at)
        self._writing.stands(record_id, span.status, ends_at, span.successor)
        self._on.post(
            "add_span",
            tenant=self._tenant,
            id=record_id,
            position=self._writing.take(),
            scope=scope,
            **codec.span_values(span),
        )
