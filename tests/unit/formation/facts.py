"""Records as values: statements about one fact, decided one after another without a database."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bethink.domain.fence import Entry, Fence
from bethink.domain.record import HISTORICAL, LIVE, Content, NewRecord, Record, Status, StatusSpan, check_transition
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.source import Source, SourceKind
from bethink.domain.types import type_rule
from bethink.formation.decide import decide
from bethink.formation.proposal import Decision, Neighbours, Proposal

START = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = Scope(ScopeKind.USER, "ana")
USER, TOOL, AGENT = SourceKind.USER_STATEMENT, SourceKind.TOOL_RESULT, SourceKind.AGENT_INFERENCE


def day(number: float) -> datetime:
    """Midnight of a day counted from the start."""
    return START + timedelta(days=number)


def says(text: str, source: SourceKind = USER, **fields: Any) -> Content:
    """A statement about where Ana lives, unless the fields say otherwise."""
    given = {"type": "fact", "scope": SCOPE, "subject": "Ana", "attribute": "city"} | fields
    creator = given.pop("creator", "bot")
    return Content(text=text, source=Source(source, given.pop("ref", f"{source}:{text}"), creator), **given)


@dataclass
class Ledger:
    """Everything decided so far, kept the way the store keeps it: the last span of each record counts."""

    records: dict[str, Record] = field(default_factory=dict)
    supports: dict[str, set[str]] = field(default_factory=dict)
    conflicts: set[tuple[str, str]] = field(default_factory=set)

    def tell(
        self, content: Content, at: datetime, *, support: str = "", expires_at: datetime | None = None
    ) -> Decision:
        """Decide about a statement and keep what came of it."""
        item = f"r{len(self.records) + 1}"
        support = support or f"s{len(self.records) + 1}@{at.isoformat()}"
        proposal = Proposal(item, content, at, support, expires_at)
        decision = decide(proposal, self.near(proposal))
        self._keep(decision, at)
        if decision.support is not None or decision.record is not None:
            self.supports.setdefault(decision.id, set()).add(support)
        return decision

    def near(self, proposal: Proposal) -> Neighbours:
        """What the store would answer about a statement."""
        content, known = proposal.content, list(self.records.values())
        twins = [
            r
            for r in known
            if r.status in LIVE and r.content.digest == content.digest and r.content.type == content.type
        ]
        track = [
            r
            for r in known
            if r.status in LIVE | {Status.SUPERSEDED}
            and (r.content.subject_key, r.content.attribute_key) == (content.subject_key, content.attribute_key)
        ]
        return Neighbours(
            tuple(twins), tuple(track) if proposal.keyed else (), {k: frozenset(v) for k, v in self.supports.items()}
        )

    def _keep(self, decision: Decision, at: datetime) -> None:
        if decision.record is not None:
            self.records[decision.id] = stored(decision.record, at)
        for item, span in decision.spans:
            self.move(item, span)
        known = self.records[decision.id]
        if decision.usage is not None:
            known = replace(known, usage=decision.usage)
        if decision.restated is not None:
            known = replace(known, content=decision.restated)
        self.records[decision.id] = known
        self.conflicts |= {tuple(sorted((decision.id, other))) for other in decision.conflicts}

    def move(self, item: str, span: StatusSpan) -> None:
        """Give a record its next span, as far as the lifecycle allows it."""
        known = self.records[item]
        check_transition(known.status, span.status)
        closed = replace(known.history[-1], recorded_to=span.recorded_from)
        self.records[item] = replace(
            known,
            status=span.status,
            ends_at=span.ends_at,
            superseded_by=span.successor,
            history=(*known.history[:-1], closed, span),
        )

    def shown(self, instant: datetime, statuses: frozenset[Status] = HISTORICAL) -> list[Record]:
        """What a recall at that instant could show, by the fence's own rule."""
        fence = Fence("t", (SCOPE,), Sensitivity.SECRET, statuses, instant)
        return [record for record in self.records.values() if fence.admits(entry(record))]

    def live(self, instant: datetime) -> list[str]:
        """The texts a live recall could show."""
        return [record.content.text for record in self.shown(instant, LIVE)]


def stored(new: NewRecord, at: datetime) -> Record:
    """A new record as it reads back."""
    return Record(
        id=new.id,
        key=int(new.id[1:]),
        kind=type_rule(new.content.type).kind,
        version=1,
        content=new.content,
        usage=new.usage,
        status=new.status,
        created_at=new.created_at,
        recorded_at=at,
        ends_at=new.ends_at,
        supersedes=new.supersedes,
        superseded_by=new.successor,
        history=(StatusSpan(new.status, at, ends_at=new.ends_at, successor=new.successor, reason=new.reason),),
    )


def entry(record: Record) -> Entry:
    """What the fence looks at of a record."""
    content = record.content
    return Entry(
        key=record.key,
        record=record.id,
        kind=record.kind,
        type=content.type,
        scope=content.scope,
        recorded_at=record.recorded_at,
        statuses=record.history,
        source=content.source.kind,
        valid_from=content.valid_from,
        valid_until=content.valid_until,
        event_at=content.event_at,
    )
