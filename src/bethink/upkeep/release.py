"""Release: how a record that was held back takes its place among what is known. Pure: values in, values out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.record import GRACE, QUARANTINED, RELEASED, Content, Record, Status, StatusSpan, initial_status
from bethink.domain.time import earliest
from bethink.formation.timeline import Newcomer, place


@dataclass(frozen=True, slots=True)
class Released:
    """The record's next version, the spans to write, its own first, and the live records it disagrees with."""

    content: Content
    spans: tuple[tuple[str, StatusSpan], ...]
    conflicts: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Where the record stands now."""
        return self.spans[0][1].status


def released(record: Record, track: Sequence[Record], now: datetime) -> Released:
    """The record as if it had never been held back: its source, its rank and its time decide, as for any newcomer.

    Args:
        record: the record that is held back.
        track: live and superseded records of its fact; empty for one without a fact.
        now: the recorded present.
    """
    content = replace(record.content, flags=(record.content.flags - {QUARANTINED}) | {RELEASED})
    spot = place(Newcomer.stored(replace(record, content=content), now), track)
    status = initial_status(content.source.kind)
    if spot.end is not None and spot.end <= now:
        status = Status.SUPERSEDED
    elif spot.outranked_by:
        status = Status.PROVISIONAL
    grace = now + GRACE if status is Status.PROVISIONAL else None
    end = earliest(spot.end, content.valid_until, grace)
    own = StatusSpan(status, now, ends_at=end, successor=spot.successor, reason="released")
    return Released(content, ((record.id, own), *spot.spans), spot.outranked_by)
