"""Reads: the events of what was searched for, told from the traces.

A read writes nothing into the truth. Its trace is its event, and an event is what a stored trace says: so a listener
that was away misses nothing, and an erase leaves no copy in a second log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.ids import check_id
from bethink.domain.source import SourceKind
from bethink.domain.trace import Trace
from bethink.operations.reads import MatchSource, MemoryRead, ReadsRequest, ReadsResult
from bethink.ports.store import Snapshot
from bethink.ports.traces import TraceStore
from bethink.recall.documents import documents_fence
from bethink.recall.filter import lookup_fence
from bethink.recall.get import SHOWN
from bethink.recall.reader import Reader
from bethink.text.door import check_whole
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
    found = _sources(shown, reader)
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


def _sources(traces: Sequence[Trace], reader: Reader) -> dict[str, MatchSource]:
    """Where the matches come from, as far as the caller may look them up now, in whatever project they were learned."""
    ids = sorted({item for trace in traces for item in trace.returned})
    if not ids:
        return {}
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
        reach = replace(reach, statuses=SHOWN)
        homes: dict[str | None, list[str]] = defaultdict(list)
        for item in ids:
            for entry in snapshot.records.entries(reach, item)[:1]:
                homes[entry.project].append(item)
        found = {
            one.id: one
            for home, here in homes.items()
            for one in _at_home(snapshot, replace(reach, project=home), here)
        }
        return found | _passages(ids, reader, snapshot)


def _passages(ids: Sequence[str], reader: Reader, snapshot: Snapshot) -> dict[str, MatchSource]:
    """The documents that matches are passages of, inside the fence of a search."""
    places = {item: (document, number) for item in ids for document, mark, number in [item.partition("#")] if mark}
    if not places:
        return {}
    known = {one.id: one for one in snapshot.documents.documents(documents_fence(reader, snapshot))}
    return {
        item: MatchSource(item, SourceKind.DOCUMENT, known[document].source)
        for item, (document, number) in places.items()
        if document in known and int(number) <= known[document].passages
    }


def _at_home(snapshot: Snapshot, inside: Fence, ids: Sequence[str]) -> list[MatchSource]:
    """The sources of what was learned in the one project that the fence is put up in."""
    records = snapshot.records.get(inside, ids)
    found = [MatchSource(one.id, one.content.source.kind, one.content.source.ref) for one in records]
    return found + [MatchSource(turn.id, turn.source, turn.id) for turn in snapshot.turns.get(inside, ids)]
