"""`erase`: every copy of a text, out of both files.

First all that goes is hidden, so that no new recall can show it. Then the traces are cleared, of what names it and of
questions that say what is lost with it, then the truth, which bars the words from coming back by import, then the
traces once more, for a recall that was under way, and for a word that another erase took from its last other place
meanwhile. Whatever is interrupted leaves it hidden, and the same call made again finishes the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bethink.domain.record import Record
from bethink.domain.scope import Sensitivity, may_write
from bethink.domain.session import Turn
from bethink.domain.source import TURN_REF
from bethink.formation.barred import bars
from bethink.formation.desk import Desk
from bethink.formation.named import Named, named, owner
from bethink.formation.typed import turns_anywhere
from bethink.operations.records import ForgetRequest
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.ports.traces import UNDER_WAY, Lost, TraceStore
from bethink.upkeep.clear_traces import clear_traces
from bethink.upkeep.closure import Closure, closure
from bethink.upkeep.hide import hide

BEYOND = "records derived from it in scopes this caller may not erase"
LEAST_SECONDS = 0.05
"""What a step is given at least, however late it is."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erase took or would take: see `Receipt`."""

    ids: tuple[str, ...]
    derived: tuple[str, ...]
    sources: tuple[str, ...]
    remains: tuple[str, ...]
    removed: Mapping[str, int] = field(default_factory=dict)
    complete: bool = False


def erase(request: ForgetRequest, desk: Desk, traces: TraceStore) -> Erasure:
    """Erase what the request names with its closure, or say what would go.

    Raises:
        NotFound: no such record or turn, or it was erased before.
        StoreError, DeadlineExceeded: the truth could not be changed; what was begun is hidden.
    """
    began = desk.clock.elapsed()

    def left() -> float:
        return max(LEAST_SECONDS, request.timeout_ms / 1000 - (desk.clock.elapsed() - began))

    with desk.store.snapshot(desk.tenant) as snapshot:
        what = named(snapshot, desk, request.id)
        plan = _within_reach(snapshot, desk, what, with_sources=request.with_sources)
    planned = _planned(what, plan)
    if request.dry_run:
        return planned
    with desk.store.write(desk.tenant, deadline=left()) as work:
        _condemn(work, what, plan)
    lost, at = desk.store.lost(desk.tenant, plan.ids, deadline=left()), desk.clock.now()
    cleared, why = clear_traces(traces, desk.tenant, plan.ids, lost, left())
    if why:
        hidden = "the records, hidden: repeat the call to finish"
        return replace(planned, remains=(*planned.remains, *_left(why), hidden))
    erased = desk.store.erase(desk.tenant, plan.ids, desk.clock.now(), deadline=left())
    late, why = clear_traces(traces, desk.tenant, plan.ids, _fresh(erased.lost, lost, at), left())
    remains = (*planned.remains, *erased.remains, *_left(why))
    removed = {**erased.rows, "traces": cleared + late}
    complete = erased.complete and not planned.remains and not why
    return replace(planned, removed=removed, remains=remains, complete=complete)


def _planned(what: Named, plan: Closure) -> Erasure:
    """The closure as a receipt names it."""
    turns = (turn.id for turn in plan.turns if turn.id != what.found.id)
    return Erasure(
        ids=(what.found.id, *turns),
        derived=tuple(record.id for record in plan.records if record.id != what.found.id),
        sources=plan.sources,
        remains=(BEYOND,) if plan.beyond else (),
    )


def _within_reach(source: Snapshot, desk: Desk, what: Named, *, with_sources: bool) -> Closure:
    """The closure as far as the caller may write it; what lies beyond is said to, without its id."""
    plan = closure(source, what.fence, what.found, with_sources=with_sources)

    def may(item: Record | Turn) -> bool:
        return may_write(desk.caller, owner(source, what.fence, item), what.grants)

    records, turns = tuple(filter(may, plan.records)), tuple(filter(may, plan.turns))
    kept = {turn.id for turn in plan.turns} - {turn.id for turn in turns}
    sources = tuple(sorted({*plan.sources, *kept}))
    return Closure(records, turns, sources, beyond=plan.beyond or len(records) < len(plan.records))


def _condemn(work: UnitOfWork, what: Named, plan: Closure) -> None:
    """Hide all that goes."""
    wide = replace(what.fence, ceiling=Sensitivity.SECRET)
    hide(work, wide, plan.ids, "erased")
    bar(work, plan.records, turns_anywhere(work, wide, plan.sources))
    work.event("memory.forgotten", what.found.id, {"mode": "erase", "ids": list(plan.ids)})


def bar(work: UnitOfWork, records: Sequence[Record], kept: Sequence[Turn]) -> None:
    """Keep records that go from being read again out of the turns that stay."""
    for record in records:
        quote = record.content.source.evidence
        grounds = {ref.removeprefix(TURN_REF) for ref in work.records.supports(record.id)}
        grounds |= {quote.turn_id} if quote is not None and quote.turn_id is not None else set()
        for digest in bars(record.content, tuple(turn for turn in kept if turn.id in grounds)):
            work.tombstone(digest)


def _fresh(lost: Lost, planned: Lost, at: datetime) -> Lost:
    """What is left to look for after the truth was erased: as planned at an instant, in the questions since alone."""
    return replace(lost, since=at - UNDER_WAY) if lost.terms <= planned.terms else lost


def _left(why: str) -> tuple[str, ...]:
    """The traces that could not be cleared, as a receipt says it; none without a reason."""
    return (f"traces that name it or ask with its words ({why})",) if why else ()
