"""Decide what a revision does to the record it names. Pure: record, proposal and neighbours in, one decision out.

The rules are those of any statement. A source of lower rank than the record's changes nothing of it: what it says is
kept beside the record, as a conflict that every recall of the record shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bethink.domain.record import QUARANTINED, NewRecord, Record, Status, StatusSpan
from bethink.formation.decide import decide, first_usage
from bethink.formation.proposal import RETRACT, Decision, Neighbours, Proposal
from bethink.formation.timeline import start
from bethink.operations.remember import Outcome
from bethink.operations.revise import ReviseOutcome

ENDED = "ended"
"""Why a record is over when somebody said so, rather than time."""

_NAMES: dict[Outcome, ReviseOutcome] = {
    "reinforced": "confirmed",
    "already_reinforced": "already_confirmed",
    "superseded": "superseded",
    "superseded_on_arrival": "superseded_on_arrival",
    "conflict": "conflict",
    "rejected": "rejected",
}


@dataclass(frozen=True, slots=True)
class Revision:
    """What became of the record, and what to write."""

    outcome: ReviseOutcome
    decision: Decision


def confirm(record: Record, proposal: Proposal, near: Neighbours) -> Revision:
    """The record's words said again.

    They reinforce it where the source is new evidence. Where the fact was said otherwise since, or stands under a
    better source, they are a statement of their own, which takes its place among the others.
    """
    decision = decide(proposal, replace(near, twins=(record,)))
    return Revision(_NAMES[decision.outcome], decision)


def supersede(record: Record, proposal: Proposal, near: Neighbours) -> Revision:
    """Other words in the record's place; where another record says them already, that one takes its place."""
    decision = decide(proposal, near if proposal.keyed else replace(near, track=()))
    if decision.record is not None and not proposal.keyed:
        decision = decide(proposal, replace(near, twins=(), track=(record,)))
    if decision.outcome == "rejected":
        return Revision("rejected", decision)
    if decision.record is None and decision.id != record.id:
        decision = _given_way(record, proposal, decision)
    return Revision(_NAMES[decision.outcome], decision)


def expire(record: Record, proposal: Proposal, disputes: Sequence[Record]) -> Revision:
    """The record is over from where the proposal, a retraction, begins.

    Args:
        record: what is to end.
        proposal: the retraction, kept as history where it may not end the record.
        disputes: what is in conflict with the record already.
    """
    content, now = proposal.content, proposal.at
    if _entitled(proposal, record):
        end = start(content, now)
        status = Status.EXPIRED if end <= now else record.status
        span = StatusSpan(status, now, ends_at=end, reason=ENDED)
        return Revision("expired", Decision("superseded", record.id, status, spans=((record.id, span),)))
    told = next((item for item in disputes if _says_the_same(item, proposal)), None)
    if told is not None:
        return Revision("conflict", Decision("conflict", told.id, told.status, conflicts=(record.id,)))
    kept = NewRecord(
        id=proposal.id,
        content=replace(content, valid_from=start(content, now)),
        status=Status.SUPERSEDED,
        usage=first_usage(proposal),
        created_at=now,
        ends_at=start(content, now),
        reason=RETRACT,
        entities=proposal.entities,
    )
    return Revision("conflict", Decision("conflict", kept.id, kept.status, record=kept, conflicts=(record.id,)))


def _given_way(record: Record, proposal: Proposal, decision: Decision) -> Decision:
    """The record gives way to one that says the new words already, when the source may replace it."""
    if not _entitled(proposal, record):
        return replace(decision, outcome="conflict", conflicts=(*decision.conflicts, record.id))
    end = max(start(record.content, record.created_at), start(proposal.content, proposal.at))
    status = Status.SUPERSEDED if end <= proposal.at else record.status
    span = StatusSpan(status, proposal.at, ends_at=end, successor=decision.id, reason="superseded")
    superseded = (*decision.superseded, record.id)
    return replace(decision, outcome="superseded", spans=(*decision.spans, (record.id, span)), superseded=superseded)


def _entitled(proposal: Proposal, record: Record) -> bool:
    """Whether the source may end the record: it is not held back, and of no lower rank."""
    content = proposal.content
    return QUARANTINED not in content.flags and content.source.rank >= record.content.source.rank


def _says_the_same(dispute: Record, proposal: Proposal) -> bool:
    """Whether a retraction in conflict with the record is this one, said before by the same source."""
    told, content = dispute.content, proposal.content
    return told.polarity == RETRACT and told.digest == content.digest and told.source.ref == content.source.ref
