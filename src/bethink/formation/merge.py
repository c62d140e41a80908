"""Merge, as a recipe: find both, replay, check, decide and write, in one transaction. No statement is made by it."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.ids import check_id
from bethink.domain.record import Record, short_ids
from bethink.domain.source import SourceKind
from bethink.formation.access import deciding_fence
from bethink.formation.answers import Question, keep, replayed
from bethink.formation.apply import Writing, apply
from bethink.formation.desk import Desk
from bethink.formation.merging import Pair, check_pair, merged
from bethink.formation.named import named_record
from bethink.formation.neighbours import track_of
from bethink.formation.proposal import Decision, Proposal
from bethink.formation.restate import check_standing
from bethink.formation.timing import Stages
from bethink.operations.revise import ReviseRequest, ReviseResult
from bethink.ports.store import UnitOfWork


def merge(request: ReviseRequest, desk: Desk, stages: Stages) -> ReviseResult:
    """Let the record named by `id` stand for the one named by `other` too.

    Raises:
        InvalidInput: the rules keep the two apart, or one of them is over; nothing was stored.
        NotFound, AccessDenied: one of them is not the caller's to change.
        IdempotencyMismatch: the key belongs to another request.
    """
    with stages.stage("transaction"), desk.store.write(desk.tenant) as work:
        with stages.stage("permission"):
            what, survivor = named_record(work, desk, request.id)
            _, other = named_record(work, desk, request.other or "")
        key = None if request.idempotency_key is None else check_id(request.idempotency_key, "idempotency_key")
        asked = replace(request, id=survivor.id, other=other.id, idempotency_key=key)
        question = Question.of(asked, desk.caller, None)
        earlier = replayed(work.idempotency, question, ReviseResult)
        if earlier is not None:
            return earlier
        result = merge_pair(
            work, desk, _pair(work, desk, survivor, other), deciding_fence(desk.caller, what.scope, what.grants), stages
        )
        keep(work.idempotency, question, result)
        return result


def _pair(work: UnitOfWork, desk: Desk, survivor: Record, other: Record) -> Pair:
    """The two, and what the word of whoever merges them is worth.

    Raises:
        InvalidInput: one of them is over, or the rules keep them apart.
    """
    for record in (survivor, other):
        check_standing("merge", record, work.recorded_at)
    voice = SourceKind.USER_STATEMENT if desk.caller.voice == "user" else SourceKind.AGENT_INFERENCE
    supporting, others = work.records.supporters(survivor.id), work.records.supporters(other.id)
    pair = Pair(survivor, other, supporting, others, voice, work.recorded_at)
    check_pair(pair)
    return pair


def merge_pair(work: UnitOfWork, desk: Desk, pair: Pair, reach: Fence, stages: Stages) -> ReviseResult:
    """Decide and write, for a pair that may become one."""
    survivor, content = pair.survivor, pair.survivor.content
    with stages.stage("contradiction"):
        decision = merged(pair, track_of(work.records, reach, content))
    for ref, kind in pair.gained:
        work.records.add_support(survivor.id, ref, kind, work.recorded_at)
    applied = apply(work, desk, _writing(pair, decision, reach), stages)
    return ReviseResult(
        outcome="merged",
        id=survivor.id,
        short_id=short_ids([survivor.id])[survivor.id],
        status=decision.status,
        source=content.source.kind,
        superseded=decision.superseded,
        position=applied.record or 0,
    )


def _writing(pair: Pair, decision: Decision, reach: Fence) -> Writing:
    """All that is written beside the support gained."""
    survivor = pair.survivor
    details = {
        "action": "merge",
        "record": survivor.id,
        "outcome": "merged",
        "source": pair.source.value,
        "gained": len(pair.gained),
    }
    proposal = Proposal(survivor.id, survivor.content, pair.now, survivor.content.source.ref)
    return Writing(decision, proposal, reach, event="memory.revised", details=details)
