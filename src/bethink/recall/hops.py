"""Hops: from a record to what holds in its place now."""

from __future__ import annotations

from bethink.domain.fence import Fence
from bethink.domain.record import Record
from bethink.errors import ChainTooLong, NotFound
from bethink.ports.records import RecordReads

MAX_HOPS = 10
"""Steps from a record to the one that holds in its place."""


def resolved(record: Record, fence: Fence, records: RecordReads) -> Record:
    """What holds in a record's place: itself, or what replaced it, at most ten steps on.

    Raises:
        ChainTooLong: it was replaced an eleventh time, or the chain comes back to itself.
        NotFound: what replaced it may not be read, or is gone.
    """
    for _ in range(MAX_HOPS):
        if record.superseded_by is None:
            return record
        record = _one(record.superseded_by, fence, records)
    if record.superseded_by is not None:
        raise ChainTooLong(f"More than {MAX_HOPS} records replaced one another.")
    return record


def _one(id_: str, fence: Fence, records: RecordReads) -> Record:
    """One record by its whole id."""
    found = records.get(fence, (id_,))
    if not found:
        raise NotFound("What replaced the record may not be read, or is gone.")
    return found[0]
