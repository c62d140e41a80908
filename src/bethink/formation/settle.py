"""Settle: records whose key of "the same fact" changed take their place among those that state it already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Record, Status, StatusSpan
from bethink.domain.time import earliest
from bethink.domain.types import type_rule
from bethink.formation.outdate import outdate
from bethink.formation.reach import within_reach
from bethink.formation.timeline import Newcomer, place
from bethink.formation.typed import follow
from bethink.ports.store import UnitOfWork

REASON = "same_fact"


@dataclass(frozen=True, slots=True)
class Settled:
    """Ids of the records that gave way, and of those that disagree with a better source."""

    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


def settle(work: UnitOfWork, fence: Fence, ids: Sequence[str]) -> Settled:
    """Place each of the records on the timeline of its fact, in their order, by the rules of every statement.

    Args:
        work: the write under way.
        fence: where the records may be seen; their own owners bound what they meet.
        ids: the records whose subject or attribute is a new one.
    """
    superseded: dict[str, None] = {}
    conflicts: dict[str, None] = {}
    for item in ids:
        for record in work.records.get(replace(fence, statuses=LIVE), (item,)):
            spans, disputes = _placed(work, fence, record)
            follow(work, replace(fence, scopes=(record.content.scope,)), spans)
            for other, span in spans:
                work.records.set_status(other, span)
                superseded |= {other: None} if span.status is Status.SUPERSEDED else {}
            outdate(work, [other for other, _ in spans])
            for other in disputes:
                work.records.link_conflict(record.id, other, work.recorded_at)
                conflicts[other] = conflicts[record.id] = None
    return Settled(tuple(superseded), tuple(conflicts))


def _placed(
    work: UnitOfWork, fence: Fence, record: Record
) -> tuple[tuple[tuple[str, StatusSpan], ...], tuple[str, ...]]:
    """The spans a record's place asks for, its own among them where it ends, and the records it disagrees with."""
    content, now = record.content, work.recorded_at
    if not (content.subject_key and content.attribute_key and type_rule(content.type).supersedes):
        return (), ()
    near = replace(fence, scopes=(content.scope,), channel=content.channel, statuses=LIVE | {Status.SUPERSEDED})
    track = within_reach(work.records.same_fact(near, content.subject_key, content.attribute_key), content)
    spot = place(Newcomer.stored(record, now), track)
    if spot.end is None:
        return spot.spans, spot.outranked_by
    status = Status.SUPERSEDED if spot.end <= now else record.status
    own = StatusSpan(status, now, ends_at=earliest(record.ends_at, spot.end), successor=spot.successor, reason=REASON)
    return ((record.id, own), *spot.spans), spot.outranked_by
