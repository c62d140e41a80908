"""The trace of a search of documents: the same account as of a recall, with passages in the place of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.trace import OPERATOR_DAYS, Trace, TracedBelief, rendered_hash
from bethink.operations.documents import FoundPassage, SearchDocumentsRequest, SearchDocumentsResult
from bethink.recall.fenced import fence_data
from bethink.recall.passage_block import AUTHORITY, place
from bethink.recall.reader import Reader


@dataclass(frozen=True, slots=True)
class PassagesOutcome:
    """The answer, and the trace to store beside it; the answer's `trace` field is set by who stores it."""

    result: SearchDocumentsResult
    trace: Trace


@dataclass(frozen=True, slots=True)
class Seen:
    """What a search saw: its fence, the instant its block speaks for, the store's write counter, ranked candidates."""

    fence: Fence
    instant: datetime
    position: int
    pool: tuple[Mapping[str, Any], ...]


def passage_trace(
    request: SearchDocumentsRequest, text: str, result: SearchDocumentsResult, seen: Seen, reader: Reader
) -> Trace:
    """The trace of one search.

    Args:
        request: what was asked.
        text: the question as it was searched.
        result: the answer.
        seen: what it was drawn from.
        reader: who asked, and the clock and ids.
    """
    at, caller = reader.clock.now(), reader.caller
    principal, shown = caller.principal, result.passages
    return Trace(
        id=reader.ids.new(at),
        tenant=principal.tenant,
        user=principal.user,
        agent=principal.agent,
        created_at=at,
        moment="tool",
        surface=caller.surface,
        ceiling=seen.fence.ceiling.name.lower(),
        query=_query(request, text, seen),
        policy=result.policy,
        position=seen.position,
        rendered=result.rendered,
        rendered_sha256=rendered_hash(result.rendered),
        as_of=seen.instant,
        session=caller.session,
        pool=seen.pool,
        considered=len(seen.pool),
        returned=tuple(one.id for one in shown),
        cuts=result.cuts,
        blocked=tuple(one.id for one in shown if one.blocked),
        beliefs=tuple(_placed(one, seen.instant) for one in shown),
        degraded=result.degraded,
        empty_reason=result.empty_reason,
        tokens=result.tokens,
        operator_fields_expire_at=at + timedelta(days=OPERATOR_DAYS),
    )


def pool_of(
    scored: Sequence[tuple[str, float, Mapping[str, float], tuple[float, float | None, int]]],
) -> tuple[Mapping[str, Any], ...]:
    """The ranked passages as a trace keeps them: id, score and its parts; match, cosine and terms matched."""
    return tuple(
        {
            "id": id_,
            "type": "passage",
            "score": score,
            "match": match,
            "text": match,
            "cosine": cosine,
            "matched": matched,
            "parts": dict(parts),
        }
        for id_, score, parts, (match, cosine, matched) in scored
    )


def _placed(one: FoundPassage, instant: datetime) -> TracedBelief:
    """A passage of the block as a user may see it."""
    return TracedBelief(
        id=one.id,
        short_id=one.short_id,
        subject=None,
        statement=one.text,
        learned_at=instant,
        origin=None,
        carried=False,
        authority=AUTHORITY,
        source_episode=None,
        band="",
        speaker=place(one),
    )


def _query(request: SearchDocumentsRequest, text: str, seen: Seen) -> dict[str, Any]:
    """What was asked, as plain data; what is not set is left out."""
    told = {
        "text": text,
        "documents": request.document or "all",
        "max_items": request.limit,
        "budget_tokens": request.budget_tokens,
        "order": "best_first",
    }
    return {**told, "fence": fence_data(seen.fence, seen.instant)}
