"""Outdate: a profile says what its sources said, so it is read no more once one of them changed or went away."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.record import Status, StatusSpan
from bethink.ports.store import UnitOfWork

REASON = "source_changed"


def outdate(work: UnitOfWork, ids: Sequence[str]) -> tuple[str, ...]:
    """Take the profiles made from these records out of every read; their ids. A new one is made when upkeep runs.

    Args:
        work: the write under way.
        ids: records whose words, standing or sensitivity this write changes.
    """
    gone = work.entities.profiles_from(ids) if ids else ()
    for item in gone:
        if item not in ids:
            work.records.set_status(item, StatusSpan(Status.ARCHIVED, work.recorded_at, reason=REASON))
    if gone:
        work.entities.end_profiles(gone)
    return gone
