"""Decide what a proposal becomes. Pure: the proposal and its neighbours in, one decision out, nothing read or written.

Outcomes: the words are known (`reinforced`, `already_reinforced`) or hold in fewer places now (`narrowed`), they are
new (`created`), they replace something (`superseded`), they are older than what is known (`superseded_on_arrival`), or
they disagree with a better source (`conflict`), or somebody said since that they are not so (`rejected`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bethink.domain.record import (
    GRACE,
    LIVE,
    QUARANTINED,
    REVIEW,
    STALE,
    TEMPORARY,
    Content,
    NewRecord,
    Record,
    Status,
    StatusSpan,
    Usage,
    initial_status,
)
from bethink.domain.source import CONFIDENCE, SourceKind, reinforced
from bethink.domain.time import earliest
from bethink.domain.types import Kind, type_rule
from bethink.errors import InvalidInput
from bethink.formation.proposal import RETRACT, Decision, Neighbours, Proposal
from bethink.formation.reach import confirmed, left_behind, narrowed, promoted, wider, within_reach
from bethink.formation.replay import held, weakened
from bethink.formation.timeline import Newcomer, Place, moment, place, start, takes_part
from bethink.operations.remember import Outcome

UNSURE = 0.2
"""Below this confidence a provisional record becomes active by no further evidence (C47)."""


def decide(proposal: Proposal, near: Neighbours) -> Decision:
    """The decision for a proposal among its neighbours.

    Raises:
        InvalidInput: a retraction that names nothing it could end.
    """
    spoken = proposal.said_at or proposal.content.event_at or proposal.at
    hold = held(proposal.content, spoken, near.rejections)
    if hold.barred is not None:
        return Decision("rejected", hold.barred.record or hold.barred.id, Status.ARCHIVED)
    decision = _decided(replace(proposal, content=hold.content), near)
    if hold.doubted and decision.record is not None:
        decision = replace(decision, record=replace(decision.record, usage=weakened(decision.record.usage)))
    if hold.absolved and decision.record is None:
        decision = replace(decision, restated=_absolved(decision, near))
    taken = {decision.id, *(item for item, _ in decision.spans)}
    return replace(decision, stale=left_behind(near.outdated, proposal.content, taken), lifted=hold.lifted)


def _absolved(decision: Decision, near: Neighbours) -> Content | None:
    """The next version of a record that was doubted, now that who may says it again."""
    twin = next((twin for twin in near.twins if twin.id == decision.id), None)
    content = decision.restated or (None if twin is None else twin.content)
    return None if content is None else replace(content, flags=content.flags - {REVIEW})


def _decided(proposal: Proposal, near: Neighbours) -> Decision:
    """The decision, before anything of the same source is looked at."""
    content = proposal.content
    home = replace(near, twins=within_reach(near.twins, content), track=within_reach(near.track, content))
    if content.polarity == RETRACT:
        return _retract(proposal, home)
    wide = tuple(known for known in near.twins if proposal.narrows and wider(known, content))
    twins = [known for known in home.twins if known not in wide and _same_statement(proposal, known, home.track)]
    wide = tuple(known for known in wide if _same_statement(proposal, known, near.track))
    if wide:
        return _narrow(proposal, (twins or wide)[0], wide, near)
    if twins:
        return _reinforce(proposal, twins[0], home)
    return _arrive(proposal, home.track, _plain_twins(proposal, home.twins))


def _dated(proposal: Proposal) -> Content:
    """The content with the start of its hold written down where it states a fact, so that history has no overlap."""
    if not proposal.placed:
        return proposal.content
    return replace(proposal.content, valid_from=start(proposal.content, proposal.at))


def _newcomer(proposal: Proposal, content: Content) -> Newcomer:
    """The proposal as the timeline sees it; `content` is its dated content."""
    return Newcomer(
        id=proposal.id,
        content=content,
        moment=moment(proposal.content, proposal.at),
        start=start(content, proposal.at),
        now=proposal.at,
    )


def _same_statement(proposal: Proposal, twin: Record, track: Sequence[Record]) -> bool:
    """Whether a live record with the same words says the same thing of the same time."""
    new, old = proposal.content, twin.content
    lapsed = twin.ends_at is not None and twin.ends_at <= proposal.at
    if lapsed or old.polarity != new.polarity or (TEMPORARY in old.flags) != (TEMPORARY in new.flags):
        return False
    if old.subject_key != new.subject_key and old.subject_key and new.subject_key:
        return False
    if twin.kind is Kind.EPISODIC:
        return old.event_at == new.event_at
    if proposal.keyed and not old.attribute_key:
        return old.source.rank > new.source.rank
    return _meet(proposal, twin) and not _divided(proposal, twin, track)


def _meet(proposal: Proposal, twin: Record) -> bool:
    """Whether the two hold at some common time; without stated ends they do.

    What was announced for later does not stand for the same words when they are said to hold earlier.
    """
    new, old = proposal.content, twin.content
    if start(old, twin.created_at) > max(proposal.at, start(new, proposal.at)):
        return False
    ends_before = new.valid_until is not None and new.valid_until <= start(old, twin.created_at)
    begins_after = old.valid_until is not None and old.valid_until <= start(new, proposal.at)
    return not ends_before and not begins_after


def _divided(proposal: Proposal, twin: Record, track: Sequence[Record]) -> bool:
    """Whether the fact said otherwise between the two, or this source would lift the twin above what is beside it."""
    early, late = sorted((moment(proposal.content, proposal.at), moment(twin.content, twin.created_at)))
    newcomer, rank = _newcomer(proposal, proposal.content), twin.content.source.rank
    others = [record for record in track if record.id != twin.id and takes_part(record, newcomer)]
    rivals = [record for record in others if record.content.source.rank >= rank]
    if any(early < moment(record.content, record.created_at) <= late for record in rivals):
        return True
    beside = any(record.status in LIVE or record.content.source.rank > rank for record in others)
    return newcomer.rank > rank and (beside or twin.superseded_by is not None)


def _plain_twins(proposal: Proposal, twins: Sequence[Record]) -> tuple[Record, ...]:
    """Live records with the same words but no attribute, which a keyed statement of no lower rank replaces."""
    if not proposal.keyed or QUARANTINED in proposal.content.flags:
        return ()
    return tuple(
        twin
        for twin in twins
        if not twin.content.attribute_key
        and twin.content.subject_key in {"", proposal.content.subject_key}
        and twin.content.polarity == proposal.content.polarity
        and (TEMPORARY in twin.content.flags) == (TEMPORARY in proposal.content.flags)
        and twin.content.source.rank <= proposal.content.source.rank
    )


def _narrow(proposal: Proposal, keeper: Record, wide: Sequence[Record], near: Neighbours) -> Decision:
    """The same words, said to hold in fewer places: one record keeps them there, and the wide ones are withdrawn."""
    decision, now = _reinforce(proposal, keeper, near), proposal.at
    others = [record for record in wide if record.id != keeper.id]
    gone = StatusSpan(Status.SUPERSEDED, now, ends_at=now, successor=keeper.id, reason="narrowed")
    quotes = (record.content.source.evidence for record in wide)
    return replace(
        decision,
        outcome="narrowed",
        restated=narrowed(decision.restated or keeper.content, proposal.content)
        if keeper in wide
        else decision.restated,
        spans=(*decision.spans, *((record.id, gone) for record in others)),
        superseded=tuple(record.id for record in others),
        withdrawn=tuple(quote.turn_id for quote in quotes if quote is not None and quote.turn_id is not None),
    )


def _reinforce(proposal: Proposal, twin: Record, near: Neighbours) -> Decision:
    """The same words again: evidence counts once per independent source."""
    new, old = proposal.content, twin.content
    again = None if QUARANTINED in new.flags else confirmed(old, new)
    if not _independent(proposal, twin, near.supporters.get(twin.id, frozenset())):
        if new.source.kind is not SourceKind.AGENT_INFERENCE and QUARANTINED not in new.flags:
            again = promoted(old, new, again)
        return Decision("already_reinforced", twin.id, twin.status, restated=again)
    better = new.source.rank > old.source.rank
    confidence = reinforced(twin.usage.confidence)
    said = min(new.event_at or proposal.at, proposal.at)
    usage = replace(
        twin.usage,
        confidence=max(confidence, CONFIDENCE[new.source.kind]) if better else confidence,
        evidence_count=twin.usage.evidence_count + 1,
        last_evidence_at=max(filter(None, (twin.usage.last_evidence_at, said))),
    )
    lifted = replace(old, source=new.source, flags=new.flags | (old.flags - {QUARANTINED, STALE}))
    span = raised(twin, near.track, proposal.at, freed=better)
    return Decision(
        "reinforced",
        twin.id,
        twin.status if span is None else span.status,
        spans=() if span is None else ((twin.id, span),),
        usage=usage,
        restated=promoted(old, new, lifted if better else again),
        support=proposal.support,
    )


def _independent(proposal: Proposal, twin: Record, supporters: frozenset[str]) -> bool:
    """Whether the source is new evidence; an inference is none for its author, nor for what a better source said."""
    new, old = proposal.content, twin.content
    if proposal.support in supporters or QUARANTINED in new.flags:
        return False
    if new.source.kind is SourceKind.AGENT_INFERENCE:
        return old.source.kind is SourceKind.AGENT_INFERENCE and new.source.creator != old.source.creator
    return QUARANTINED not in old.flags or new.source.rank > old.source.rank


def raised(twin: Record, track: Sequence[Record], now: datetime, *, freed: bool = False) -> StatusSpan | None:
    """The reinforced record's next span: provisional becomes active, or lives 30 days more while it may not."""
    if twin.status is not Status.PROVISIONAL:
        return None
    spot = place(Newcomer.stored(twin, now), track)
    kept_back = QUARANTINED in twin.content.flags and not freed
    held = bool(spot.outranked_by) or kept_back or twin.usage.confidence < UNSURE
    status = Status.PROVISIONAL if held else Status.ACTIVE
    end = earliest(spot.end, now + GRACE if held else None)
    return StatusSpan(status, now, ends_at=end, successor=spot.successor, reason="reinforced")


def _arrive(proposal: Proposal, track: Sequence[Record], plain: Sequence[Record]) -> Decision:
    """New words: a new record in its place on the timeline."""
    content = _dated(proposal)
    spot = place(_newcomer(proposal, content), track) if proposal.placed else Place()
    conflicts = spot.outranked_by
    status, end = _standing(proposal, content, spot)
    replaced = () if conflicts else tuple((twin.id, _replaced(proposal, content, twin)) for twin in plain)
    spans = tuple(dict((*spot.spans, *replaced)).items())
    ended = tuple(item for item, _ in spans)
    outcome: Outcome = "superseded" if ended else "created"
    if conflicts:
        outcome = "conflict"
    elif status is Status.SUPERSEDED:
        outcome = "superseded_on_arrival"
    record = NewRecord(
        id=proposal.id,
        content=content,
        status=status,
        usage=first_usage(proposal),
        created_at=proposal.at,
        ends_at=end,
        reason=outcome,
        supersedes=ended,
        successor=spot.successor,
        entities=proposal.entities,
    )
    return Decision(outcome, proposal.id, status, record=record, spans=spans, superseded=ended, conflicts=conflicts)


def _standing(proposal: Proposal, content: Content, spot: Place) -> tuple[Status, datetime | None]:
    """The status a new record starts with, and the end it speaks until."""
    if spot.end is not None and spot.end <= proposal.at:
        return Status.SUPERSEDED, spot.end
    status = initial_status(content.source.kind)
    if QUARANTINED in content.flags or spot.outranked_by:
        status = Status.PROVISIONAL
    grace = proposal.at + GRACE if status is Status.PROVISIONAL else None
    return status, earliest(spot.end, grace, proposal.expires_at)


def _replaced(proposal: Proposal, content: Content, twin: Record) -> StatusSpan:
    """The end of a plain twin: where the keyed statement of the same words begins."""
    end = max(start(twin.content, twin.created_at), start(content, proposal.at))
    status = Status.SUPERSEDED if end <= proposal.at else twin.status
    return StatusSpan(status, proposal.at, ends_at=end, successor=proposal.id, reason="restated")


def _retract(proposal: Proposal, near: Neighbours) -> Decision:
    """A statement withdrawn: it ends what it contradicts and is itself kept as history, never recalled."""
    track = near.track if proposal.keyed else tuple(t for t in near.twins if t.content.polarity != RETRACT)
    if type_rule(proposal.content.type).kind is Kind.EPISODIC or not (proposal.keyed or track):
        msg = "Nothing to retract: no live record of this scope and type says these words."
        raise InvalidInput(
            msg, remedy="Name subject and attribute, or repeat the record's exact words; an event is forgotten by id."
        )
    content = replace(_dated(proposal), valid_from=start(proposal.content, proposal.at))
    known = next((record for record in track if _same_retraction(content, record, track)), None)
    if known is not None:
        return Decision("already_reinforced", known.id, known.status)
    spot = place(_newcomer(proposal, content), track)
    outcome: Outcome = "superseded" if spot.ended else "created"
    if spot.outranked_by:
        outcome = "conflict"
    elif spot.successor is not None:
        outcome = "superseded_on_arrival"
    record = NewRecord(
        id=proposal.id,
        content=content,
        status=Status.SUPERSEDED,
        usage=first_usage(proposal),
        created_at=proposal.at,
        ends_at=content.valid_from,
        reason=RETRACT,
        supersedes=spot.ended,
        successor=spot.successor,
        entities=proposal.entities,
    )
    return Decision(
        outcome,
        proposal.id,
        Status.SUPERSEDED,
        record=record,
        spans=spot.spans,
        superseded=spot.ended,
        conflicts=spot.outranked_by,
    )


def _same_retraction(content: Content, record: Record, track: Sequence[Record]) -> bool:
    """Whether a stored retraction already says this and nothing came after it."""
    same = record.content.polarity == RETRACT and record.content.digest == content.digest
    return same and not any(
        moment(other.content, other.created_at) >= moment(record.content, record.created_at)
        for other in track
        if other.id != record.id
    )


def first_usage(proposal: Proposal) -> Usage:
    """The counters of a new record."""
    said = min(proposal.content.event_at or proposal.at, proposal.at)
    return Usage(confidence=CONFIDENCE[proposal.content.source.kind], last_evidence_at=said)
