"""A store in small: rows written as the store writes them, and the same as values, one position per change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from bethink.domain.fence import Entry
from bethink.domain.record import Status, StatusSpan
from bethink.domain.scope import Scope, ScopeKind
from bethink.domain.time import FOREVER, lower_micros, to_micros, upper_micros
from bethink.domain.types import Kind, type_rule
from bethink.ports.search import Search
from bethink.store.card import IndexCard
from bethink.store.column_segments import seal_columns
from bethink.store.index import SearchIndex
from tests.store.search.places import TENANT, Bare

ANN, BOB = Scope(ScopeKind.USER, "ann"), Scope(ScopeKind.USER, "bob")


@dataclass(frozen=True)
class Said:
    """What was written beside the fence's entry."""

    card: IndexCard
    session: str | None = None
    seq: int = 0


@dataclass
class World:
    """`entries` is the model: what `Fence.admits` is asked about. `said` holds the words by key."""

    connection: Bare
    index: SearchIndex = field(default_factory=lambda: SearchIndex("english"))
    entries: dict[int, Entry] = field(default_factory=dict)
    said: dict[int, Said] = field(default_factory=dict)
    position: int = 0

    def search(self, connection: Bare | None = None, position: int | None = None) -> Search:
        return self.index.search(connection or self.connection, TENANT, self.position if position is None else position)

    def add(self, entry: Entry, card: IndexCard | None = None, *, session: str | None = None, seq: int = 0) -> int:
        """Write an entry with its spans, whatever key and positions it came with; returns its key."""
        self.position += 1
        key = self.position
        fresh = not any(other.record == entry.record for other in self.entries.values())
        spans = entry.statuses if fresh else next(e.statuses for e in self.entries.values() if e.record == entry.record)
        entry = replace(entry, key=key, statuses=spans)
        with self.writing():
            speaker = (card.speaker or None) if card else None
            self.connection.run("add_entry", **_cells(entry, session, seq) | {"speaker_key": speaker})
            for span in spans if fresh else ():
                self.position += 1
                self._insert_span(entry, span)
            card = replace(card or IndexCard(0, "", ""), key=key, scope=entry.scope.key)
            self.index.add(self.connection, TENANT, [card])
        self.entries[key] = entry
        self.said[key] = Said(card, session, seq)
        return key

    def say(self, text: str, at: datetime, *, session: str = "s", seq: int = 0, **cells: Any) -> int:
        """Write a turn that stands and holds for ever; `cells` are of its card or its entry."""
        card = {
            name: cells.pop(name)
            for name in ("subject", "aliases", "speaker", "date", "asks", "instructs")
            if name in cells
        }
        cells = {"scope": ANN, "kind": Kind.EPISODIC, "type": "turn", "recorded_at": at, "event_at": at, **cells}
        span = StatusSpan(cells.pop("status", Status.ACTIVE), at)
        entry = Entry(key=0, record=f"r{self.position}", statuses=(span,), **cells)
        return self.add(entry, IndexCard(0, "", text, **card), session=session, seq=seq)

    def fill(self, count: int, at: datetime, *, scope: Scope = ANN, step: timedelta = timedelta(0)) -> list[int]:
        """Write wordless turns at once, `step` apart; the model does not follow. Returns their keys."""
        first = self.position
        self.position += 2 * count
        span = StatusSpan(Status.ACTIVE, at)
        made = [
            Entry(
                first + 2 * n + 1, f"bulk{first + n}", Kind.EPISODIC, "turn", scope, at, (span,), event_at=at + n * step
            )
            for n in range(count)
        ]
        with self.writing():
            self.connection.run_many("add_entry", (_cells(entry, None, 0) for entry in made))
            self.connection.run_many("add_span", (_span_cells(entry, span, entry.key + 1) for entry in made))
        return [entry.key for entry in made]

    def link(self, entity: str, key: int) -> None:
        """Link an entry's record to an entity."""
        record = self.entries[key].record
        self.connection.do(f"insert into entity_link values ('{TENANT}', '{record}', '{entity}', 'about')")

    def alias(self, entity: str, alias: str, scope: Scope = ANN) -> None:
        """Give an entity an alias."""
        self.connection.do(
            "insert into entity_alias (tenant, scope, alias_key, entity_id, alias)"
            f" values ('{TENANT}', '{scope.key}', '{alias}', '{entity}', '{alias.upper()}')"
        )

    def set_status(self, key: int, span: StatusSpan) -> None:
        """Close the open span where this one begins."""
        self.position += 1
        record = self.entries[key].record
        with self.writing():
            self.connection.do(
                "update status_event set recorded_to = :at where tenant = :tenant and record_id = :record"
                " and recorded_to = :open",
                {"at": to_micros(span.recorded_from), "tenant": TENANT, "record": record, "open": FOREVER},
            )
            self._insert_span(self.entries[key], span)
        for other, entry in self.entries.items():
            if entry.record == record:
                closed = replace(entry.statuses[-1], recorded_to=span.recorded_from)
                self.entries[other] = replace(entry, statuses=(*entry.statuses[:-1], closed, span))

    def retire(self, key: int, at: datetime) -> None:
        """Close a version."""
        self.position += 1
        with self.writing():
            self.connection.do(
                "update entry set retired_at = :at, retired_position = :position where tenant = :tenant and key = :key",
                {"at": to_micros(at), "position": self.position, "tenant": TENANT, "key": key},
            )
        self.entries[key] = replace(self.entries[key], retired_at=at)

    def erase(self, key: int, at: datetime) -> set[int]:
        """Remove a record with all its versions; only the event of its deletion stays. Returns the keys that went."""
        gone = {other for other, entry in self.entries.items() if entry.record == self.entries[key].record}
        self.position += 1
        entry = self.entries[key]
        with self.writing():
            known = self.connection.rows("erased_positions", tenant=TENANT, ids=f'["{entry.record}"]')
            for table in ("entry", "status_event"):
                self.connection.do(f"delete from {table} where tenant = '{TENANT}' and record_id = '{entry.record}'")
            self._insert_span(entry, StatusSpan(Status.DELETED, at))
            self.index.remove(self.connection, TENANT, entry.scope.key, sorted(gone))
            self.index.reseal(self.connection, (TENANT, entry.scope.key), [position for (position,) in known])
        for other in gone:
            del self.entries[other], self.said[other]
        return gone

    def seal(self, scope: Scope = ANN) -> int:
        """Seal the columns of a scope as far as they fill segments; how many came of it."""
        with self.writing():
            return seal_columns(self.connection, (TENANT, scope.key))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write, and with it how far the tenant's counter came."""
        with self.connection.writing():
            yield
            self.connection.run("write_tenant", tenant=TENANT, position=self.position, latest=0)

    def _insert_span(self, entry: Entry, span: StatusSpan) -> None:
        self.connection.run("add_span", **_span_cells(entry, span, self.position))


def _span_cells(entry: Entry, span: StatusSpan, position: int) -> dict[str, Any]:
    return {
        "tenant": TENANT,
        "id": entry.record,
        "position": position,
        "scope": entry.scope.key,
        "status": span.status.value,
        "recorded_from": to_micros(span.recorded_from),
        "recorded_to": upper_micros(span.recorded_to),
        "ends_at": upper_micros(span.ends_at),
        "successor": None,
        "reason": "",
    }


def _cells(entry: Entry, session: str | None, seq: int) -> dict[str, Any]:
    return {
        "tenant": TENANT,
        "key": entry.key,
        "record_id": entry.record,
        "kind": type_rule(entry.type).kind.value,
        "type": entry.type,
        "scope": entry.scope.key,
        "channel": entry.channel,
        "sensitivity": int(entry.sensitivity),
        "portability": int(entry.portability),
        "project": entry.project,
        "subject_key": entry.subject_key,
        "attribute_key": "",
        "digest": "",
        "session_id": session,
        "seq": seq,
        "valid_from": lower_micros(entry.valid_from),
        "valid_until": upper_micros(entry.valid_until),
        "event_at": None if entry.event_at is None else to_micros(entry.event_at),
        "recorded_at": to_micros(entry.recorded_at),
        "retired_at": upper_micros(entry.retired_at),
        "created_at": to_micros(entry.recorded_at),
        "source_kind": entry.source.value,
        "subject_entity": None,
        "speaker_key": None,
        "flags": "[]",
        "id_hash": "",
    }
