"""The trace, built in the pass that rendered the block and from the same values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from bethink.domain.hit import ArmReport, Scored
from bethink.domain.time import iso
from bethink.domain.trace import OPERATOR_DAYS, Trace, TracedBelief, rendered_hash
from bethink.recall.account import Account
from bethink.recall.budget import Placed
from bethink.recall.explain import empty_reason, notices
from bethink.recall.fenced import fence_data
from bethink.recall.reader import Asked
from bethink.recall.render import carried
from bethink.text.tokens import estimate_tokens


def build_trace(account: Account, trace_id: str, at: datetime, stages_ms: Mapping[str, float]) -> Trace:
    """The trace of one recall.

    Args:
        account: what the recall came to.
        trace_id: its id.
        at: the clock's present.
        stages_ms: milliseconds per stage so far.
    """
    asked, placed = account.asked, account.fitted.placed
    principal, request = asked.caller.principal, asked.request
    return Trace(
        id=trace_id,
        tenant=principal.tenant,
        user=principal.user,
        agent=principal.agent,
        created_at=at,
        moment=request.moment,
        surface=asked.caller.surface,
        ceiling=asked.fence.ceiling.name.lower(),
        query=_query(asked),
        policy=account.policy,
        position=asked.position,
        rendered=account.rendered,
        rendered_sha256=rendered_hash(account.rendered),
        as_of=asked.instant,
        session=request.session or asked.caller.session,
        arms=_arms(account),
        pool=tuple(_row(item) for item in account.ranked),
        returned=tuple(one.shown.item.candidate.id for one in placed),
        cuts=account.cuts,
        passed_over=account.findings.passed_over,
        considered=len(account.ranked),
        blocked=tuple(one.shown.item.candidate.id for one in placed if one.shown.blocked),
        carried_in=tuple(one.shown.item.candidate.id for one in placed if carried(one.shown, asked.caller.project)),
        conflicts=_conflicts(placed),
        beliefs=tuple(traced_belief(one, asked.caller.project) for one in placed),
        degraded=account.findings.degraded,
        notices=tuple(notice.code for notice in notices(account)),
        empty_reason=empty_reason(account),
        mismatch=account.mismatch,
        tokens=estimate_tokens(account.rendered),
        stages_ms=stages_ms,
        operator_fields_expire_at=at + timedelta(days=OPERATOR_DAYS),
    )


def _query(asked: Asked) -> dict[str, Any]:
    """What was asked and what the arms were asked, as plain data; what is not set is left out."""
    request, query, fence = asked.request, asked.query, asked.fence
    told = {
        "text": request.text,
        "objective": request.objective,
        "open_questions": list(request.open_questions),
        "subjects": list(query.subjects),
        "entities": list(request.entities),
        "types": list(request.types),
        "type_hints": list(request.type_hints),
        "anchors": list(query.types),
        "kinds": [kind.value for kind in request.kinds],
        "terms": list(query.terms),
        "dropped_terms": list(query.dropped_terms),
        "cut_terms": list(query.cut_terms),
        "names": [name for name in query.names if name not in query.aliases],
        "aliases": list(query.aliases),
        "rewritten": query.rewritten,
        "events": query.events,
        "escalation": asked.escalation,
        "spans": [[iso(start), iso(end)] for start, end in query.spans],
        "taxonomy": list(asked.topics.nodes),
        "classified_by": asked.topics.by if asked.topics.nodes else None,
        "include_owned_resources": query.owned,
        "sweep": query.sweep,
        "without": list(request.without),
        "target": request.target,
        "profile": request.profile,
        "as_of": None if request.as_of is None else iso(request.as_of),
        "max_items": asked.limit,
        "budget_tokens": asked.budget,
        "min_score": request.min_score,
        "order": asked.order,
        "on_weak": request.on_weak,
    }
    return {**_set(told), "fence": fence_data(fence, asked.latest)}


def _set(told: Mapping[str, Any]) -> dict[str, Any]:
    """Without what says nothing."""
    return {name: value for name, value in told.items() if value not in (None, [], "", False)}


def _arms(account: Account) -> tuple[Mapping[str, Any], ...]:
    """Per arm its hits by id, how many matched, its time and its degradation."""
    ids = {candidate.key: candidate.id for candidate in account.findings.candidates}
    return tuple(_arm(report, ids) for report in account.findings.reports)


def _arm(report: ArmReport, ids: Mapping[int, str]) -> dict[str, Any]:
    hits = [[ids[hit.key], hit.rank, hit.raw] for hit in report.hits if hit.key in ids]
    told = {"arm": report.arm, "hits": hits, "matched": report.matched, "ms": round(report.milliseconds, 3)}
    return {**told, "degraded": report.degraded} if report.degraded else told


def _row(item: Scored) -> dict[str, Any]:
    """One candidate of the pool."""
    found, score, parts = item
    candidate, match, text, _, cosine, _, matched, *_ = found
    return {
        "id": candidate.id,
        "type": candidate.type,
        "score": score,
        "match": match,
        "text": text,
        "cosine": cosine,
        "matched": matched,
        "parts": parts,
    }


def _conflicts(placed: tuple[Placed, ...]) -> tuple[tuple[str, str], ...]:
    """Pairs of placed items that disagree, each once."""
    here = {one.shown.item.candidate.id for one in placed}
    pairs = {
        (min(id_, other), max(id_, other))
        for id_, others in ((one.shown.item.candidate.id, one.shown.item.candidate.conflicts) for one in placed)
        for other in others
        if other in here
    }
    return tuple(sorted(pairs))


def traced_belief(one: Placed, project: str | None) -> TracedBelief:
    """One placed item as a user may see it."""
    shown, candidate, line = one.shown, one.shown.item.candidate, one.parts
    return TracedBelief(
        id=candidate.id,
        short_id=line.short_id,
        subject=shown.subject,
        statement=line.statement,
        learned_at=candidate.created_at,
        origin=candidate.project,
        carried=carried(shown, project),
        authority=line.authority,
        source_episode=candidate.session,
        band=line.band,
        day=line.day,
        speaker=line.speaker,
        marks=line.marks,
    )
