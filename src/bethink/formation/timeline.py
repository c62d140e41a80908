"""The timeline of one fact: where a newcomer falls among what is known, and what its place ends.

A fact is a subject and an attribute in one scope. Its records are ordered by rank, then by when they speak for, then
by when they were recorded. For each rank at most one record speaks for an instant; a record outranked by a live one
is a conflict, never a replacement. Pure: values in, values out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bethink.domain.record import LIVE, QUARANTINED, TEMPORARY, Content, Record, Status, StatusSpan


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What is to be placed.

    `moment` orders it among records of its rank, `start` is the instant from which it holds, `now` the recorded
    present.
    """

    id: str
    content: Content
    moment: datetime
    start: datetime
    now: datetime

    @property
    def rank(self) -> int:
        """The rank of its source."""
        return self.content.source.rank

    @staticmethod
    def stored(record: Record, now: datetime) -> Newcomer:
        """A record that is stored already, to be placed again."""
        content, recorded = record.content, record.created_at
        return Newcomer(record.id, content, moment(content, recorded), start(content, recorded), now)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a newcomer falls.

    `end` is where a later record takes over (None: it is the last), `successor` that record. `spans` close what the
    newcomer ends. `outranked_by` are the live records it disagrees with and may not replace.
    """

    end: datetime | None = None
    successor: str | None = None
    spans: tuple[tuple[str, StatusSpan], ...] = ()
    outranked_by: tuple[str, ...] = ()

    @property
    def ended(self) -> tuple[str, ...]:
        """The ids of the records whose hold the newcomer ends or shortens."""
        return tuple(item for item, _ in self.spans)


def moment(content: Content, recorded: datetime) -> datetime:
    """When a statement speaks for: a start still to come, else its event, else the start it names, else its recording.

    An event still to come says when something will happen, not when it was said, so it counts as recorded.
    """
    if content.valid_from is not None and content.valid_from > recorded:
        return content.valid_from
    if content.event_at is not None:
        return min(content.event_at, recorded)
    return content.valid_from or recorded


def start(content: Content, recorded: datetime) -> datetime:
    """From when a statement holds: the start it names, else its event where that is past, else its recording."""
    return content.valid_from or moment(content, recorded)


def place(newcomer: Newcomer, track: Sequence[Record]) -> Place:
    """Find the newcomer's place among the records of its fact.

    Args:
        newcomer: what arrives; a record of the track with its id is passed over.
        track: live and superseded records of the same fact, in any order.
    """
    members = [record for record in track if takes_part(record, newcomer)]
    if QUARANTINED in newcomer.content.flags:
        return Place(outranked_by=tuple(sorted(m.id for m in members if _stands(m, newcomer.now))))
    onset = max(newcomer.start, newcomer.now)
    above = [m for m in members if m.content.source.rank > newcomer.rank and _stands(m, onset)]
    following = [m for m in members if m not in above and _follows(m, newcomer)]
    successor = min(following, key=_order, default=None)
    end = None if successor is None else max(start(successor.content, successor.created_at), newcomer.start)
    closed = [(m.id, span) for m in members if m not in following if (span := _closing(m, newcomer, end)) is not None]
    return Place(
        end=end,
        successor=None if successor is None else successor.id,
        spans=tuple(sorted(closed, key=lambda item: item[0])),
        outranked_by=tuple(sorted(m.id for m in above)),
    )


def takes_part(record: Record, newcomer: Newcomer) -> bool:
    """Whether a record shares the newcomer's timeline: passing or standing like it, not held back, not lapsed."""
    same_track = (TEMPORARY in record.content.flags) == (TEMPORARY in newcomer.content.flags)
    lapsed = record.status in LIVE and record.superseded_by is None and _over(record.ends_at, newcomer.now)
    known = record.status in LIVE or record.status is Status.SUPERSEDED
    return same_track and known and not lapsed and record.id != newcomer.id and QUARANTINED not in record.content.flags


def _stands(record: Record, now: datetime) -> bool:
    """Whether a record is live and speaks for an instant of the present or future."""
    began = start(record.content, record.created_at) <= now
    return (
        record.status in LIVE
        and began
        and not _over(record.ends_at, now)
        and not _over(record.content.valid_until, now)
    )


def _over(end: datetime | None, now: datetime) -> bool:
    """Whether an optional end has passed."""
    return end is not None and end <= now


def _order(record: Record) -> tuple[datetime, datetime, datetime, str]:
    """Which of several later records takes over: the one that begins first."""
    begins, speaks = start(record.content, record.created_at), moment(record.content, record.created_at)
    return begins, speaks, record.created_at, record.id


def _follows(record: Record, newcomer: Newcomer) -> bool:
    """Whether a record speaks for a later time and the newcomer may not push it aside."""
    later = moment(record.content, record.created_at) > newcomer.moment
    return later and record.content.source.rank >= newcomer.rank


def _closing(record: Record, newcomer: Newcomer, until: datetime | None) -> StatusSpan | None:
    """The span that ends a record where the newcomer, which holds until `until`, takes over; None leaves it alone.

    What is over already ends nothing that still holds.
    """
    began = start(record.content, record.created_at)
    end = max(began, newcomer.start)
    outranks = record.content.source.rank > newcomer.rank
    bygone = _over(newcomer.content.valid_until, newcomer.now) and record.status in LIVE
    apart = (until is not None and until <= began) or (record.ends_at is not None and record.ends_at <= end)
    later = moment(record.content, record.created_at) > newcomer.moment
    if outranks or apart or bygone or (later and _over(until, newcomer.now)):
        return None
    status = Status.SUPERSEDED if end <= newcomer.now else record.status
    return StatusSpan(status, newcomer.now, ends_at=end, successor=newcomer.id, reason="superseded")
