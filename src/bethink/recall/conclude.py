"""Conclude: the answer and its trace, both written from one account."""

from __future__ import annotations

from bethink.operations.recall import RecallResult
from bethink.recall.account import Account
from bethink.recall.explain import empty_reason, items, notices, short_reason
from bethink.recall.reader import Reader, RecallOutcome, Stopwatch
from bethink.recall.trace import build_trace
from bethink.text.tokens import estimate_tokens


def conclude(account: Account, reader: Reader, watch: Stopwatch) -> RecallOutcome:
    """The result and the trace of a recall. The result's `trace` field is for whoever stores the trace to set."""
    asked, fitted = account.asked, account.fitted
    with watch("trace"):
        at = reader.clock.now()
        trace = build_trace(account, reader.ids.new(at), at, watch.milliseconds)
    result = RecallResult(
        items=items(account),
        rendered=account.rendered,
        sha256=trace.rendered_sha256,
        tokens=estimate_tokens(account.rendered),
        trace_id=trace.id,
        trace="off",
        policy=account.policy,
        order=asked.order,
        effective_count=asked.limit,
        returned_count=len(fitted.placed),
        truncated=any(one.cut for one in fitted.placed) or any(cut.stage == "budget" for cut in fitted.cuts),
        empty_reason=empty_reason(account),
        short_reason=short_reason(account),
        degraded=account.findings.degraded,
        notices=notices(account),
        mismatch=account.mismatch if account.mismatch is not None and account.mismatch.noted else None,
        considered=len(account.ranked),
        topics=asked.topics.nodes,
        fallback=account.ranking.fallback,
        profiles=account.profiles,
        position=asked.position,
        stages_ms=watch.milliseconds,
    )
    return RecallOutcome(result, trace)
