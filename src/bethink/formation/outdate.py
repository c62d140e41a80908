"""Outdate: what was derived is read no more once its sources went away; a profile not even once one of them changed."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.record import Status, StatusSpan
from bethink.ports.store import UnitOfWork

REASON = "source_changed"


def outdate(work: UnitOfWork, ids: Sequence[str]) -> tuple[str, ...]:
    """Take what these records or turns outdate out of every read; their ids.

    A new profile, and a new summary of a session that goes on, is made when upkeep runs.

    Args:
        work: the write under way, with the new standing of the records written.
        ids: records or turns whose words, standing or sensitivity this write changes.
    """
    if not ids:
        return ()
    found = work.entities.outdated(ids)
    for item, _ in found:
        if item not in ids:
            work.records.set_status(item, StatusSpan(Status.ARCHIVED, work.recorded_at, reason=REASON))
    if profiles := tuple(item for item, is_profile in found if is_profile):
        work.entities.end_profiles(profiles)
    fresh = tuple(item for item, _ in found if item not in ids)
    return (*(item for item, _ in found), *outdate(work, fresh))
