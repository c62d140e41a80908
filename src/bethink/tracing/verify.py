"""Verify: does a stored block still hash to what was recorded when it was rendered?"""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.scope import Caller, Sensitivity
from bethink.domain.trace import Trace, rendered_hash
from bethink.errors import NotFound
from bethink.operations.explain import TraceResult
from bethink.tracing.reproduce import reproduced

VERIFIED, MISMATCH, ERASED = "verified", "mismatch", "erased"


def readable(trace: Trace | None, caller: Caller) -> Trace | None:
    """The trace where this binding may see whatever its recall could, else None as if it were absent.

    A surface with a lower ceiling, or bound to a channel the recall was not, would be shown what it could not recall.
    """
    if trace is None or Sensitivity[trace.ceiling.upper()] > caller.ceiling:
        return None
    channel = trace.query.get("fence", {}).get("channel")
    return trace if trace.erased or caller.channel in {None, channel} else None


def told(traces: Sequence[Trace]) -> Sequence[Trace]:
    """The traces, one at least.

    Raises:
        NotFound: there is none among the caller's own.
    """
    if not traces:
        raise NotFound("There is no such trace among the caller's own.", remedy="Use the trace_id a recall returned.")
    return traces


def verified(trace: Trace | None) -> TraceResult:
    """A stored trace with the hash computed again over its stored bytes.

    An erased block has no bytes to hash: that is what erasing means, and no tampering.

    Raises:
        NotFound: there is no such trace among the caller's own.
    """
    (trace,) = told([] if trace is None else [trace])
    if trace.erased:
        return TraceResult(trace, ERASED, "", reproduced=False)
    recomputed = rendered_hash(trace.rendered)
    state = VERIFIED if recomputed == trace.rendered_sha256 else MISMATCH
    return TraceResult(trace, state, recomputed, reproduced=reproduced(trace) == trace.rendered)
