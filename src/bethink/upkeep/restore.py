"""Restore: how a record that was hidden comes back, when its fact may have moved on meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bethink.domain.record import LIVE, Record, Status, StatusSpan
from bethink.domain.time import earliest
from bethink.formation.timeline import Newcomer, place


@dataclass(frozen=True, slots=True)
class Restored:
    """The spans to write, the restored record's own first, and the live records it now disagrees with."""

    spans: tuple[tuple[str, StatusSpan], ...]
    conflicts: tuple[str, ...] = ()


def restored(record: Record, twins: Sequence[Record], track: Sequence[Record], now: datetime) -> Restored:
    """The record back in the status it had, fitted into what is known today.

    Where its words were remembered again in the meantime, the newer record stays and this one becomes its predecessor.
    Where its fact has moved on, it takes its place on the timeline like any newcomer.

    Args:
        record: the hidden record, its history whole.
        twins: live records with its words, in its scope.
        track: live and superseded records of its fact; empty for one without a fact.
        now: the recorded present.
    """
    before = next(span for span in reversed(record.history) if span.status is not Status.DELETED)
    if before.status not in LIVE:
        return Restored(((record.id, _again(before, before.status, now, before.ends_at, before.successor)),))
    if twins:
        return Restored(((record.id, _again(before, Status.SUPERSEDED, now, now, twins[-1].id)),))
    spot = place(Newcomer.stored(record, now), track)
    end, status = earliest(before.ends_at, spot.end), before.status
    if spot.end is not None and spot.end <= now:
        status = Status.SUPERSEDED
    elif spot.outranked_by:
        status = Status.PROVISIONAL
    own = _again(before, status, now, end, spot.successor)
    return Restored(((record.id, own), *spot.spans), spot.outranked_by)


def _again(
    before: StatusSpan, status: Status, now: datetime, ends_at: datetime | None, successor: str | None
) -> StatusSpan:
    """The span after the restoration."""
    return StatusSpan(status, now, ends_at=ends_at, successor=successor or before.successor, reason="restored")
