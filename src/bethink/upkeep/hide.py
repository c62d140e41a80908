"""`stop` and `restore`: take a record out of every read at once, and bring it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Record, Status, StatusSpan
from bethink.errors import InvalidInput
from bethink.formation.access import deciding_fence
from bethink.formation.desk import Desk
from bethink.formation.named import Named
from bethink.formation.neighbours import track_of
from bethink.formation.outdate import outdate
from bethink.formation.typed import follow, followed
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.upkeep.closure import typed_turns
from bethink.upkeep.restore import restored


def own_ids(source: Snapshot | UnitOfWork, what: Named) -> tuple[str, ...]:
    """The id, and those of the turns that exist only because the record was typed."""
    record = what.found.record
    turns = () if record is None else typed_turns(source, what.fence, record)
    return (what.found.id, *(turn.id for turn in turns))


def stop(work: UnitOfWork, what: Named, reason: str) -> tuple[str, ...]:
    """Hide it, with its typed turns; the ids hidden now. Stopping twice changes nothing."""
    hidden = hide(work, what.fence, own_ids(work, what), reason)
    if hidden:
        work.event("memory.forgotten", what.found.id, {"mode": "stop", "ids": list(hidden)})
    return hidden


def hide(work: UnitOfWork, fence: Fence, ids: Sequence[str], reason: str) -> tuple[str, ...]:
    """Give a deleted status to what has none; the ids it was given to."""
    gone = _hidden(work, fence, ids)
    fresh = tuple(item for item in ids if item not in gone)
    for item in fresh:
        work.records.set_status(item, StatusSpan(Status.DELETED, work.recorded_at, reason=reason))
    outdate(work, fresh)
    return fresh


def restore(work: UnitOfWork, desk: Desk, what: Named) -> tuple[str, ...]:
    """Undo a stop; the ids brought back. The record takes the place it has among what is known now.

    Raises:
        InvalidInput: it is not hidden.
    """
    gone = _hidden(work, what.fence, own_ids(work, what))
    if what.found.id not in gone:
        raise InvalidInput(f"{what.found.id!r} is not hidden, so there is nothing to restore.")
    span = StatusSpan(Status.ACTIVE, work.recorded_at, reason="restored")
    if what.found.record is not None:
        span = followed(_bring_back(work, desk, what, what.found.record))
    away = StatusSpan(Status.ARCHIVED, work.recorded_at, reason="restored")
    for item in gone:
        if what.found.turn is not None or item != what.found.id:
            work.records.set_status(item, away if _put_away(work, what.fence, item) else span)
    work.event("memory.restored", what.found.id, {"ids": list(gone)})
    return gone


def _hidden(work: UnitOfWork, fence: Fence, ids: Sequence[str]) -> tuple[str, ...]:
    """Those of the ids that are hidden already, in their order; whatever project they stay in."""
    return tuple(item for item in ids if (_standings(work, fence, item) or (None,))[-1] is Status.DELETED)


def _standings(work: UnitOfWork, fence: Fence, item: str) -> tuple[Status, ...]:
    """Every status a record or turn had, the present one last; none where it may not be looked at."""
    return tuple(span.status for entry in work.records.entries(fence, item)[:1] for span in entry.statuses)


def _put_away(work: UnitOfWork, fence: Fence, item: str) -> bool:
    """Whether a hidden turn had been put away before it was hidden, so that restoring its record does not show it."""
    before = (status for status in reversed(_standings(work, fence, item)) if status is not Status.DELETED)
    return next(before, None) is Status.ARCHIVED


def _bring_back(work: UnitOfWork, desk: Desk, what: Named, record: Record) -> StatusSpan:
    """Write a restored record's standing, and that of what it changes; the record's own span."""
    fence, content = deciding_fence(desk.caller, what.scope, what.grants), record.content
    twins = work.records.by_digest(replace(fence, statuses=LIVE), content.digest, content.type)
    same = tuple(twin for twin in twins if twin.content.subject_key == content.subject_key)
    back = restored(record, same, track_of(work.records, fence, content), work.recorded_at)
    follow(work, fence, back.spans[1:])
    for item, span in back.spans:
        work.records.set_status(item, span)
    outdate(work, [item for item, _ in back.spans])
    for other in back.conflicts:
        work.records.link_conflict(record.id, other, work.recorded_at)
    return back.spans[0][1]
