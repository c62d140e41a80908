"""Contradict: pairs in tension are labelled, and contradictions settled under the policy of the settings.

`authority`: of one subject, the later statement ends the earlier one unless that comes from a better source; else the
two are shown as a conflict. `delta`: a contradiction costs both confidence (C47-C49), and only a newcomer that is sure
of itself ends what stands.
"""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.record import GRACE, TEMPORARY, Record, Status, StatusSpan
from bethink.domain.time import EPOCH
from bethink.domain.types import type_rule
from bethink.errors import AdviserError
from bethink.formation.apply import Writing, apply
from bethink.formation.decide import UNSURE
from bethink.formation.desk import Desk
from bethink.formation.pair_questions import BATCH, Loaded, claimed, reach, unchanged
from bethink.formation.pair_rules import TensionRules
from bethink.formation.proposal import Decision, Proposal
from bethink.formation.timeline import start
from bethink.formation.timing import Stages
from bethink.formation.typed import follow
from bethink.operations.remember import Outcome
from bethink.ports.store import UnitOfWork

DELTA = 0.1
SURE = 0.85
_RULES = TensionRules()
_NOTHING = 1e-9


def contradict(desk: Desk, limit: int) -> tuple[int, dict[str, int]]:
    """Label up to ten pairs and settle them; how many were looked at, and how often each label was given.

    Raises:
        AdviserError: the judge cannot answer; its pairs are looked at again when their claim has run out.
        StoreError, DeadlineExceeded: a write did not happen; decisions before stay.
    """
    pairs = claimed(desk, "tension", min(limit, BATCH))
    judge = desk.advisers.tensions or _RULES
    labels = judge.label([one.question for one in pairs]) if pairs else ()
    if len(labels) != len(pairs):
        raise AdviserError(f"{judge.name} was asked about {len(pairs)} pairs and answered for {len(labels)}.")
    counts: dict[str, int] = {}
    for one, label in zip(pairs, labels, strict=True):
        with desk.store.write(desk.tenant) as work:
            if not unchanged(work, desk, one):
                continue
            work.pairs.decide(one.pair, label, judge.name, work.recorded_at)
            if label == "redundant":
                work.pairs.reopen(one.pair, work.recorded_at)
            if label == "contradictory":
                decide = _delta if desk.settings.formation.contradiction == "delta" else _authority
                _write(work, desk, one, decide(work, one))
            counts[label] = counts.get(label, 0) + 1
    return len(pairs), counts


def _write(work: UnitOfWork, desk: Desk, one: Loaded, decision: Decision) -> None:
    """Write what a contradiction does, through the one writer."""
    fence = reach(desk, one.b, work)
    follow(work, fence, [span for span in decision.spans if span[0] == decision.id])
    proposal = Proposal(decision.id, one.b.content, work.recorded_at, one.b.content.source.ref)
    details = {"outcome": decision.outcome, "record": one.b.id, "other": one.a.id}
    writing = Writing(decision, proposal, fence, event="memory.contradicted", details=details)
    apply(work, desk, writing, Stages(desk.clock))


def _authority(work: UnitOfWork, one: Loaded) -> Decision:
    """The later statement ends the earlier one, or both stay and are shown as a conflict."""
    older, newer = one.a, one.b
    if _comparable(older, newer) and newer.content.source.rank >= older.content.source.rank:
        over = _ended(older, newer, work)
        return Decision("superseded", newer.id, newer.status, spans=((older.id, over),), superseded=(older.id,))
    return Decision("conflict", newer.id, newer.status, conflicts=(older.id,))


def _delta(work: UnitOfWork, one: Loaded) -> Decision:
    """The newcomer loses confidence; what stood ends where the newcomer was sure, loses confidence, or goes at zero."""
    older, newer, at = one.a, one.b, work.recorded_at
    spans: list[tuple[str, StatusSpan]] = []
    lower = _less(newer.usage.confidence)
    status = newer.status
    if lower < UNSURE and newer.status is Status.ACTIVE:
        status = Status.PROVISIONAL
        spans.append((newer.id, StatusSpan(status, at, ends_at=at + GRACE, reason="contradicted")))
    outranked = newer.content.source.rank < older.content.source.rank
    conflicts: tuple[str, ...] = (older.id,)
    if newer.usage.confidence > SURE and not outranked:
        spans.append((older.id, _ended(older, newer, work)))
        conflicts = ()
    else:
        left = _less(older.usage.confidence)
        work.records.set_usage(older.id, replace(older.usage, confidence=left))
        if left <= _NOTHING:
            spans.append((older.id, StatusSpan(Status.ARCHIVED, at, ends_at=at, reason="contradicted")))
            conflicts = ()
    usage = replace(newer.usage, confidence=lower)
    gone = tuple(item for item, _ in spans if item == older.id)
    outcome: Outcome = "conflict" if conflicts else "superseded"
    return Decision(outcome, newer.id, status, spans=tuple(spans), usage=usage, superseded=gone, conflicts=conflicts)


def _less(confidence: float) -> float:
    """Confidence after one contradiction."""
    return max(0.0, round(confidence - DELTA, 6))


def _ended(older: Record, newer: Record, work: UnitOfWork) -> StatusSpan:
    """The end of a record where a later one begins."""
    begins = max(start(older.content, older.created_at), start(newer.content, newer.created_at), EPOCH)
    status = Status.SUPERSEDED if begins <= work.recorded_at else older.status
    return StatusSpan(status, work.recorded_at, ends_at=begins, successor=newer.id, reason="contradicted")


def _comparable(older: Record, newer: Record) -> bool:
    """Whether one may end the other: of one named subject, of types that give way, both passing or both standing."""
    one, other = older.content, newer.content
    subject = bool(one.subject_key) and one.subject_key == other.subject_key
    standing = (TEMPORARY in one.flags) == (TEMPORARY in other.flags)
    return subject and standing and type_rule(one.type).supersedes and type_rule(other.type).supersedes
