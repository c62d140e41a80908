"""Apply: the only writer. It stores what was decided, whole, inside the transaction it is handed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bethink.domain.entity import Entity
from bethink.domain.fence import Fence
from bethink.domain.record import Status, StatusSpan
from bethink.domain.session import Turn
from bethink.domain.time import earliest
from bethink.formation.desk import Desk
from bethink.formation.outdate import outdate
from bethink.formation.proposal import Decision, Proposal
from bethink.formation.timing import Stages
from bethink.formation.typed import follow, followed, typed_session
from bethink.ports.store import UnitOfWork


@dataclass(frozen=True, slots=True)
class Writing:
    """All that one decision writes.

    It, the proposal behind it, what of the scope may be seen, new entities, the user's turn that goes along, and the
    ids of typed turns that are put away because what they say was narrowed. `event` is the kind the log files it under,
    `details` what the log keeps beyond what every write does. `filed` are the nodes of the taxonomy it goes under,
    beside those of what it replaces.
    """

    decision: Decision
    proposal: Proposal
    reach: Fence
    entities: tuple[Entity, ...] = ()
    turn: Turn | None = None
    put_away: tuple[str, ...] = ()
    event: str = "memory.written"
    details: Mapping[str, object] = field(default_factory=dict)
    filed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Applied:
    """Index keys of what was stored: the record's version and the user's turn, None where nothing was added."""

    record: int | None = None
    turn: int | None = None


def apply(work: UnitOfWork, desk: Desk, writing: Writing, stages: Stages) -> Applied:
    """Write one decision: turn, entities, record or next versions, standings, counters, conflicts, filing, event."""
    decision, at = writing.decision, work.recorded_at
    with stages.stage("index"):
        turn = _turn(work, desk, writing)
        record = _record(work, writing)
        for item, content in decision.stale:
            work.records.add_version(item, content, at)
    follow(work, writing.reach, [(item, span) for item, span in decision.spans if item != decision.id])
    for item in writing.put_away:
        work.records.set_status(item, StatusSpan(Status.ARCHIVED, at, reason="narrowed"))
    for item, span in decision.spans:
        work.records.set_status(item, span)
    outdate(work, _changed(decision))
    if decision.usage is not None:
        work.records.set_usage(decision.id, decision.usage)
    source = writing.proposal.content.source
    if decision.support is not None:
        work.records.add_support(decision.id, decision.support, source.kind, at)
    for rejection in decision.lifted:
        work.rejections.lift(rejection)
    for other in decision.conflicts:
        work.records.link_conflict(decision.id, other, at)
    for old in decision.superseded:
        work.taxonomy.inherit(old, decision.id, at)
    for path in writing.filed:
        work.taxonomy.file(decision.id, path, "caller", at)
    with stages.stage("event"):
        payload = {**_payload(writing), **writing.details, "stages_ms": dict(stages.milliseconds)}
        work.event(writing.event, decision.id, payload)
    return Applied(record, turn)


def _changed(decision: Decision) -> tuple[str, ...]:
    """The known records whose words or standing the decision changes."""
    restated = () if decision.restated is None else (decision.id,)
    return (*restated, *(item for item, _ in decision.spans), *(item for item, _ in decision.stale))


def _record(work: UnitOfWork, writing: Writing) -> int | None:
    """The new record with its entities, or the next version of a known one."""
    decision, at = writing.decision, work.recorded_at
    if decision.record is not None:
        for entity in writing.entities:
            work.entities.add(entity, at)
        return work.records.add(decision.record, at).key
    if decision.restated is not None:
        return work.records.add_version(decision.id, decision.restated, at).key
    return None


def _turn(work: UnitOfWork, desk: Desk, writing: Writing) -> int | None:
    """The user's words as an utterance, where what is written stands on them: else no record could take them along."""
    new, again = writing.decision.record, writing.decision.restated
    content = again if new is None else new.content
    quote = None if content is None else content.source.evidence
    if writing.turn is None or content is None or quote is None or quote.turn_id != writing.turn.id:
        return None
    session = typed_session(desk.caller, writing.proposal.content.scope, writing.turn.said_at)
    stored = work.turns.append(session, (writing.turn,), work.recorded_at, holds_from=content.valid_from)
    span = _own_span(writing.decision, work.recorded_at)
    if stored and (span.status is not Status.ACTIVE or span.ends_at is not None):
        work.records.set_status(stored[0].id, span)
    return stored[0].key if stored else None


def _own_span(decision: Decision, at: datetime) -> StatusSpan:
    """The standing of the turn that goes with a record: the record's, and no longer than what it says holds."""
    new, again = decision.record, decision.restated
    content = again if new is None else new.content
    ends = (None if new is None else new.ends_at, None if content is None else content.valid_until)
    return followed(StatusSpan(decision.status, at, ends_at=earliest(*ends), reason=decision.outcome))


def _payload(writing: Writing) -> dict[str, object]:
    """What the log keeps of a write beside the time each step took: ids and kinds, never words."""
    decision, content = writing.decision, writing.proposal.content
    return {
        "outcome": decision.outcome,
        "status": decision.status.value,
        "type": content.type,
        "scope": content.scope.key,
        "source": content.source.kind.value,
        "creator": content.source.creator,
        "flags": sorted(content.flags),
        "superseded": list(decision.superseded),
        "conflicts": list(decision.conflicts),
        "stale": [item for item, _ in decision.stale],
    }
