"""Used: the feedback of one recall. Each record is credited once for a recall, and passed over once.

What was settled is kept beside the counters, in one transaction, and the trace is told after it. So a call that is
repeated changes nothing, and one that was cut off between the two is made whole by its repeat.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bethink.domain import feedback
from bethink.domain.record import HISTORICAL, Record, Status, fold
from bethink.domain.scope import may_write
from bethink.domain.trace import Trace, TraceState
from bethink.errors import NotFound
from bethink.feedback.citations import cited
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.operations.feedback import UsedRequest, UsedResult
from bethink.ports.store import UnitOfWork
from bethink.ports.traces import TraceStore

_HELD = HISTORICAL | {Status.ARCHIVED}
_KEY = "used/{}"
"""The key of what was settled. A key of a caller's own holds no slash, so the two never meet."""


@dataclass(frozen=True, slots=True)
class _Settled:
    """Every item used so far, and the records that this call credited and passed over."""

    cited: tuple[str, ...]
    credited: tuple[str, ...]
    passed_over: tuple[str, ...]


def used(request: UsedRequest, trace: Trace | None, desk: Desk, traces: TraceStore) -> UsedResult:
    """Note which items of a recall were used: in the records' utility and last use, and in its trace.

    Args:
        request: the items.
        trace: the caller's own stored trace of that recall, None when there is none it may see.
        desk: the caller at its store.
        traces: where the trace is told.

    Raises:
        NotFound: there is no such trace, or it was erased.
        InvalidInput: the answer is no text, or too long.
        StoreError: the counters cannot be written; nothing of them was.
    """
    if trace is None or trace.erased:
        raise NotFound("There is no such trace among the caller's own.", remedy="Use the trace_id a recall returned.")
    found = cited(trace.beliefs, trace.blocked, request.ids, request.answer)
    with desk.store.write(desk.tenant) as work:
        settled = _settle(work, desk, trace, found.ids)
    state, reason = _told(traces, desk, trace, settled.cited)
    return UsedResult(
        trace_id=trace.id,
        cited=settled.cited,
        credited=settled.credited,
        passed_over=settled.passed_over,
        carried=tuple(id_ for id_ in trace.carried_in if id_ in settled.cited),
        unknown=found.unknown,
        trace=state,
        trace_reason=reason,
    )


def _settle(work: UnitOfWork, desk: Desk, trace: Trace, named: Sequence[str]) -> _Settled:
    """Credit what is newly used; the first time, pass over what was shown and not used. No position is taken."""
    principal = f"{desk.caller.principal.user}/{desk.caller.principal.agent}"
    key = _KEY.format(trace.id)
    kept = work.idempotency.get(principal, key)
    before: tuple[str, ...] = () if kept is None else tuple(json.loads(kept[1]))
    everything = tuple(item.id for item in trace.beliefs if item.id in {*before, *named})
    fresh = tuple(id_ for id_ in everything if id_ not in before)
    unused = () if kept is not None else tuple(id_ for id_ in trace.returned if id_ not in everything)
    at = desk.clock.now()
    records = _own(work, desk, trace, (*fresh, *unused))
    for record in records:
        gained = record.id in fresh
        usage = feedback.used(record.usage, at) if gained else feedback.passed_over(record.usage)
        work.records.set_usage(record.id, usage)
    if kept is None or fresh:
        work.idempotency.replace(principal, key, trace.rendered_sha256, json.dumps(everything))
    ids = [record.id for record in records]
    return _Settled(everything, tuple(id_ for id_ in fresh if id_ in ids), tuple(id_ for id_ in unused if id_ in ids))


def _own(work: UnitOfWork, desk: Desk, trace: Trace, ids: Sequence[str]) -> tuple[Record, ...]:
    """Those of the ids that are records which the caller may write: a turn has no counters.

    What the recall was allowed to carry in by its subject is still within reach here.
    """
    grants = work.grants.of(desk.caller)
    named = frozenset(fold(item.subject) for item in trace.beliefs if item.subject)
    fence = replace(reading_fence(desk.caller, grants, _HELD), named_subjects=named)
    found = work.records.get(fence, ids) if ids else ()
    return tuple(record for record in found if may_write(desk.caller, record.content.scope, grants))


def _told(traces: TraceStore, desk: Desk, trace: Trace, ids: Sequence[str]) -> tuple[TraceState, str]:
    """What became of telling the trace, which may know it all already."""
    if set(ids) <= set(trace.cited):
        return "stored", ""
    return traces.cite(desk.caller.principal, trace.id, ids)
