"""View: what a turn or a session was given of memory, as its user may see it: find its traces → hide → show.

A projection at reading time of the record that operators read too, never a second copy. It claims what was placed in
the context and what was cited. What was considered and not shown, was blocked, or may not be read by this viewer is a
number; how the search worked inside is nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bethink.domain.ids import check_id
from bethink.domain.scope import Principal, Sensitivity
from bethink.domain.trace import Trace, TracedBelief
from bethink.errors import InvalidInput
from bethink.operations.reads import MatchSource
from bethink.operations.views import How, TraceView, ViewedBelief, ViewedMoment, ViewRequest
from bethink.ports.traces import TraceStore
from bethink.recall.reader import Reader
from bethink.text.door import check_whole
from bethink.tracing.sources import sources
from bethink.tracing.verify import told
from bethink.tracing.withhold import hidden

MOST = 500
"""Recalls of a page."""

MOST_BESIDE = 20
"""Further recalls of one turn."""

GATED = Sensitivity.NORMAL.name.lower()
"""The ceiling of what is put into a prompt unasked, unless its surface has a lower one."""

HOW: Mapping[str, How] = {"user": "user_stated", "inferred": "inferred"}
"""How a thing is known, by the word of its authority in the block; any other is something beside user and agent."""


def view(request: ViewRequest, reader: Reader, traces: TraceStore) -> TraceView:
    """What the caller's own turn or session was given.

    Of a session of which the caller has no recalls there is nothing, whether somebody else has some or nobody.

    Raises:
        InvalidInput: neither a recall nor a session is named, or both, or a value that cannot be used.
        NotFound: there is no such recall among the caller's own.
    """
    session = _session(request, reader)
    if session is None:
        return _view(_of_turn(request, reader.caller.principal, traces), reader, None)
    after = "" if request.after is None else check_id(request.after, "after")
    found = traces.listed(reader.caller.principal, after, request.limit + 1, session)
    page = found[: request.limit]
    return _view(page, reader, session, page[-1].id if len(found) > len(page) else None)


def _session(request: ViewRequest, reader: Reader) -> str | None:
    """The session that is asked for, None where a turn is.

    Raises:
        InvalidInput: neither is named, or both, or a value that cannot be used.
    """
    check_whole(request.limit, "limit", 1, MOST)
    if len(request.beside) > MOST_BESIDE:
        raise InvalidInput(f"beside names {len(request.beside)} recalls; at most {MOST_BESIDE} are allowed.")
    if request.trace_id:
        if request.session is not None or request.after is not None:
            raise InvalidInput("A recall and a session are named.", remedy="Name one of them.")
        return None
    named = request.session or reader.caller.session
    if named is None or request.beside:
        raise InvalidInput("Neither a recall nor a session is named.", remedy="Pass trace_id or session.")
    return check_id(named, "session")


def _of_turn(request: ViewRequest, who: Principal, traces: TraceStore) -> tuple[Trace, ...]:
    """The recalls of a turn behind the snapshots that stood before them, each once, the oldest first.

    Raises:
        NotFound: one of them is not the caller's own.
    """
    found: dict[str, Trace] = {}
    for given in (request.trace_id, *request.beside):
        *taken, own = told(traces.for_turn(who, check_id(given, "trace id")))
        found |= {trace.id: trace for trace in (*_snapshot(own, taken), own)}
    return tuple(sorted(found.values(), key=lambda trace: (trace.created_at, trace.id)))


def _snapshot(own: Trace, taken: Sequence[Trace]) -> tuple[Trace, ...]:
    """The snapshot that stood before a recall: the last that was taken for a reader like its own.

    A recall that is put into a prompt unasked sees nothing above normal, whatever the snapshot of its reader could. An
    erased trace does not say where it was asked.
    """
    alike = [one for one in taken if not one.erased and (own.erased or _surroundings(one) == _surroundings(own))]
    alike = alike or [one for one in taken if one.erased]
    same = [one for one in alike if one.ceiling == own.ceiling]
    gated = [one for one in alike if own.ceiling == GATED and Sensitivity[one.ceiling.upper()] > Sensitivity.NORMAL]
    return tuple((same or gated)[-1:])


def _surroundings(trace: Trace) -> tuple[str, str | None, str | None]:
    """Where a recall was asked: the surface, the channel and the project."""
    fence = trace.query.get("fence", {})
    return trace.surface, fence.get("channel"), fence.get("project")


def _view(traces: Sequence[Trace], reader: Reader, session: str | None, behind: str | None = None) -> TraceView:
    """Traces as their user may see them."""
    placed = {belief.id: belief for trace in traces for belief in trace.beliefs}
    used = {belief.id for trace in traces for belief in trace.beliefs if belief.used}
    blocked = {id_ for trace in traces for id_ in trace.blocked}
    lost = hidden(traces, reader)
    shown = {id_: belief for id_, belief in placed.items() if id_ not in lost | blocked}
    found = sources(shown, reader)
    moments = tuple(_moment(trace, shown, blocked) for trace in traces)
    return TraceView(
        session=session if session is not None or not traces else traces[-1].session,
        moments=moments,
        beliefs=tuple(_belief(belief, found.get(id_), used=id_ in used) for id_, belief in shown.items()),
        considered_not_shown=sum(moment.considered_not_shown for moment in moments),
        withheld_by_safety=len(blocked),
        withheld=len(placed.keys() - shown.keys() - blocked),
        as_of=max((trace.as_of for trace in traces), default=None),
        next=behind,
    )


def _moment(trace: Trace, shown: Collection[str], blocked: Collection[str]) -> ViewedMoment:
    """One recall, with what of it is shown and how much is not."""
    ids = [belief.id for belief in trace.beliefs]
    return ViewedMoment(
        trace_id=trace.id,
        moment=trace.moment,
        at=trace.created_at,
        as_of=trace.as_of,
        placed=tuple(id_ for id_ in ids if id_ in shown),
        considered_not_shown=max(0, trace.considered - len(trace.returned)),
        withheld_by_safety=sum(id_ in blocked for id_ in ids),
        withheld=sum(id_ not in shown and id_ not in blocked for id_ in ids),
        erased=trace.erased,
    )


def _belief(belief: TracedBelief, source: MatchSource | None, *, used: bool) -> ViewedBelief:
    """One placed item."""
    return ViewedBelief(
        id=belief.id,
        short_id=belief.short_id,
        statement=belief.statement,
        subject=belief.subject,
        learned_at=belief.learned_at,
        learned_in=belief.origin,
        carried=belief.carried,
        how=HOW.get(belief.authority, "affirmed"),
        authority=belief.authority,
        source=None if source is None else source.ref,
        turn=None if source is None else source.turn,
        session=belief.source_episode,
        band=belief.band,
        use="used" if used else "available",
    )
