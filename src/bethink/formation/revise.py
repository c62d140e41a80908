"""`revise`, a change to a record named by its id, as a recipe.

check → find → redact → evidence → screen → draft → embed, and then in one transaction: find again → replay →
neighbours → decide → apply. What confirms, replaces or ends a record is a statement like any, admitted by the
rules of `remember`; only that the caller names the record it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bethink.domain.fence import Fence
from bethink.domain.record import Record, Status, short_ids
from bethink.formation.access import deciding_fence, reading_fence
from bethink.formation.answers import Question, keep, replayed
from bethink.formation.apply import Applied, Writing, apply
from bethink.formation.check import checked
from bethink.formation.desk import Desk
from bethink.formation.draft import Draft
from bethink.formation.embed import Vectors, embedded, put_added, waits
from bethink.formation.evidence import Grounds, ground, turns_holding
from bethink.formation.merge import merge
from bethink.formation.named import named_record
from bethink.formation.neighbours import meet
from bethink.formation.proposal import Proposal
from bethink.formation.restate import (
    check_shape,
    check_standing,
    check_times,
    check_words,
    confirmed,
    restated,
    statement,
)
from bethink.formation.revision import Revision, confirm, expire, supersede
from bethink.formation.screening import erased_before, screened
from bethink.formation.secrecy import redacted
from bethink.formation.timing import Stages
from bethink.formation.typed import follow
from bethink.operations.common import Notice
from bethink.operations.remember import RememberRequest
from bethink.operations.revise import ReviseRequest, ReviseResult
from bethink.ports.store import UnitOfWork

Also = Callable[[UnitOfWork, ReviseResult], None]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A request with everything that is known before the transaction.

    `question` is what an answer is kept under. `vectors` are those of the draft's record and turn, `waiting` what to
    say when one of them has none.
    """

    request: ReviseRequest
    grounds: Grounds
    draft: Draft
    question: Question
    notices: tuple[Notice, ...]
    vectors: Vectors | None
    waiting: tuple[Notice, ...]


def revise(request: ReviseRequest, desk: Desk, *, also: Also | None = None) -> ReviseResult:
    """Confirm, replace, end or merge one record; what became of it, and why.

    Args:
        request: the change.
        desk: who asks.
        also: what else to write in the same transaction, once it is known what became of the record.

    Raises:
        InvalidInput: a field cannot be used, or the record is none that this can be done to; nothing was stored.
        NotFound: no such record, as far as the caller may know.
        AccessDenied: the caller may read it and not write it.
        IdempotencyMismatch: the key belongs to another request.
        StoreError, DeadlineExceeded: the write did not happen.
    """
    check_shape(request)
    stages = Stages(desk.clock)
    if request.action == "merge":
        result = merge(request, desk, stages)
    else:
        ready = _prepare(request, desk, stages)
        with stages.stage("transaction"), desk.store.write(desk.tenant) as work:
            result = _write(work, desk, ready, stages)
            if also is not None and result.outcome != "replayed":
                also(work, result)
    return result if result.outcome == "replayed" else replace(result, stages_ms=dict(stages.milliseconds))


def _prepare(request: ReviseRequest, desk: Desk, stages: Stages) -> _Prepared:
    """Everything that reads and decides nothing: find, check, redact, evidence, screen, draft, embed."""
    caller = desk.caller
    with desk.store.snapshot(desk.tenant) as snapshot:
        with stages.stage("permission"):
            what, record = named_record(snapshot, desk, request.id)
        said, secrets = redacted(checked(statement(request, record), desk.clock.now(), desk.content_limit))
        session = said.session or caller.session
        with stages.stage("evidence"):
            fence = reading_fence(caller, what.grants, frozenset({Status.ACTIVE}))
            grounds = ground(said, caller, turns_holding(snapshot.turns, fence, session, said.evidence))
            verdict = screened(said.content, grounds.source.kind)
    if request.action == "confirm":
        draft = confirmed(record, grounds, verdict.flags)
    else:
        draft = restated(said, record, desk, grounds, verdict.flags)
    with stages.stage("embedding"):
        vectors, waiting = embedded(desk, draft.texts)
    clean = _clean(request, said, record)
    return _Prepared(
        request=clean,
        grounds=grounds,
        draft=draft,
        question=Question.of(clean, caller, session),
        notices=(*secrets, *grounds.notices, *verdict.notices),
        vectors=vectors,
        waiting=waiting,
    )


def _clean(request: ReviseRequest, said: RememberRequest, record: Record) -> ReviseRequest:
    """The request as it was checked and redacted, under the record's whole id."""
    return replace(
        request,
        id=record.id,
        content=None if request.content is None else said.content,
        at=said.valid_from,
        evidence=said.evidence,
        session=said.session,
        source_ref=said.source_ref,
        source_revision=said.source_revision,
        idempotency_key=said.idempotency_key,
    )


def _write(work: UnitOfWork, desk: Desk, ready: _Prepared, stages: Stages) -> ReviseResult:
    """Decide and write inside one transaction; an answer that was given before is given again."""
    with stages.stage("permission"):
        what, record = named_record(work, desk, ready.request.id)
        earlier = replayed(work.idempotency, ready.question, ReviseResult)
    if earlier is not None:
        return earlier
    reach = deciding_fence(desk.caller, what.scope, what.grants)
    proposal = _proposal(work, desk, ready, record)
    revision = _decided(work, ready, (record, proposal), reach, stages)
    if revision.outcome == "expired":
        follow(work, reach, revision.decision.spans)
    applied = apply(work, desk, _writing(ready, record, proposal, revision, reach), stages)
    with stages.stage("embedding"):
        added = put_added(work, desk, ready.vectors, (applied.record, applied.turn))
    said = erased_before(work, proposal.content.text) if revision.decision.record is not None else ()
    notices = (*ready.notices, *said, *added.split, *(ready.waiting if added.missing else ()))
    result = replace(
        _result(ready, revision, applied), notices=notices, embedding_pending=added.missing and waits(desk)
    )
    keep(work.idempotency, ready.question, result)
    return result


def _proposal(work: UnitOfWork, desk: Desk, ready: _Prepared, record: Record) -> Proposal:
    """The draft as it is decided about, with the identity and time of this transaction."""
    about = record.content.subject_entity
    return Proposal(
        id=desk.ids.new(work.recorded_at),
        content=ready.draft.content,
        at=work.recorded_at,
        support=ready.draft.support,
        entities=() if about is None else ((about, "about"),),
        revises=record.id,
        said_at=ready.grounds.said_at or (work.recorded_at if ready.grounds.typed else None),
    )


def _decided(
    work: UnitOfWork, ready: _Prepared, pair: tuple[Record, Proposal], reach: Fence, stages: Stages
) -> Revision:
    """What the revision does to the record; `pair` is the record and the proposal.

    Raises:
        InvalidInput: the record is none that this can be done to.
    """
    (record, proposal), request = pair, ready.request
    check_standing(request.action, record, proposal.at)
    if request.action == "expire":
        check_words(record, request.content)
        check_times(record, proposal.content, proposal.at)
        return expire(record, proposal, work.records.get(reach, record.conflicts))
    if request.action == "supersede":
        check_times(record, proposal.content, proposal.at)
    near = meet(work, reach, proposal, stages)
    near = replace(near, supporters={record.id: frozenset(work.records.supports(record.id)), **near.supporters})
    with stages.stage("contradiction"):
        return (confirm if request.action == "confirm" else supersede)(record, proposal, near)


def _writing(ready: _Prepared, record: Record, proposal: Proposal, revision: Revision, reach: Fence) -> Writing:
    """All that is written, under the kind of event that says a record was revised."""
    evidence = proposal.content.source.evidence
    details = {
        "action": ready.request.action,
        "record": record.id,
        "outcome": revision.outcome,
        "evidence": None if evidence is None else evidence.turn_id,
    }
    return Writing(revision.decision, proposal, reach, turn=ready.draft.turn, event="memory.revised", details=details)


def _result(ready: _Prepared, revision: Revision, applied: Applied) -> ReviseResult:
    """The answer, as far as the transaction knows it."""
    decision = revision.decision
    return ReviseResult(
        outcome=revision.outcome,
        id=decision.id,
        short_id=short_ids([decision.id])[decision.id],
        status=decision.status,
        source=ready.grounds.source.kind,
        superseded=decision.superseded,
        conflicts=decision.conflicts,
        evidence_located=ready.draft.content.source.evidence is not None,
        position=applied.record or 0,
    )
