"""Reads: the events of what was searched for, told from the traces.

A read writes nothing into the truth. Its trace is its event, and an event is what a stored trace says: so a listener
that was away misses nothing, and an erase leaves no copy in a second log.
"""

from __future__ import annotations

from collections.abc import Mapping

from bethink.domain.ids import check_id
from bethink.domain.trace import Trace
from bethink.operations.reads import MatchSource, MemoryRead, ReadsRequest, ReadsResult
from bethink.ports.traces import TraceStore
from bethink.recall.reader import Reader
from bethink.text.door import check_whole
from bethink.tracing.sources import sources
from bethink.tracing.verify import readable

MOST = 500
"""Events of a page."""


def reads(request: ReadsRequest, reader: Reader, traces: TraceStore) -> ReadsResult:
    """A caller's own reads behind an event, the oldest first.

    Raises:
        InvalidInput: a limit that lists nothing or too much, or an `after` that is no id.
    """
    check_whole(request.limit, "limit", 1, MOST)
    after = "" if request.after is None else check_id(request.after, "after")
    session = None if request.session is None else check_id(request.session, "session")
    page = traces.listed(reader.caller.principal, after, request.limit, session)
    shown = [trace for trace in page if readable(trace, reader.caller) is not None]
    found = sources({item for trace in shown for item in trace.returned}, reader)
    return ReadsResult(tuple(_event(trace, found) for trace in shown), page[-1].id if page else request.after)


def _event(trace: Trace, found: Mapping[str, MatchSource]) -> MemoryRead:
    """A trace as an event."""
    return MemoryRead(
        id=trace.id,
        at=trace.created_at,
        query=str(trace.query.get("text") or trace.query.get("objective", "")),
        match_ids=trace.returned,
        sources=tuple(found[item] for item in trace.returned if item in found),
        moment=trace.moment,
        session=trace.session,
        empty_reason=trace.empty_reason,
        erased=trace.erased,
    )
