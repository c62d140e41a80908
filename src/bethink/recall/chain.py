"""Chains: what replaced a record, as far as the caller may read it, forgotten records excepted."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.fence import Fence
from bethink.domain.record import Record
from bethink.errors import NotFound
from bethink.operations.records import ChainRequest, ChainResult
from bethink.ports.records import RecordReads
from bethink.ports.store import Snapshot
from bethink.recall.get import looked_up
from bethink.recall.reader import Reader

WHOLE = 1_000
"""Records of a chain that are read for audit."""


def chain(request: ChainRequest, reader: Reader) -> ChainResult:
    """Everything that led to what holds in a record's place now, and to the record itself, the oldest first.

    Raises:
        NotFound: no such record in what the caller may read; a turn has no chain.
        InvalidInput: the id is too short or fits several.
    """
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        fence, record = _start(request.id, reader, snapshot)
        found = _both_ways(record, fence, snapshot.records)
    told = sorted(found.values(), key=lambda item: (item.created_at, item.id))
    last = _last(record, found)
    return ChainResult(tuple(told), None if last is None else last.id, complete=len(found) < WHOLE)


def _start(given: str, reader: Reader, snapshot: Snapshot) -> tuple[Fence, Record]:
    """The fence of a look-up, and the record named."""
    fence, entries = looked_up(given, reader, snapshot)
    found = snapshot.records.get(fence, [entry.record for entry in entries[:1]])
    if not found:
        raise NotFound("There is no such record in what the caller may read.")
    return fence, found[0]


def _both_ways(record: Record, fence: Fence, records: RecordReads) -> dict[str, Record]:
    """The records that a chain of replacements ties to this one, by id, at most `WHOLE`."""
    found = {record.id: record}
    wanted = _tied(record)
    while wanted and len(found) < WHOLE:
        met = records.get(fence, [id_ for id_ in wanted if id_ not in found][: WHOLE - len(found)])
        found |= {item.id: item for item in met}
        wanted = [id_ for item in met for id_ in _tied(item) if id_ not in found]
    return found


def _tied(record: Record) -> Sequence[str]:
    """What a record replaced, and what replaced it."""
    return (*record.supersedes, *([record.superseded_by] if record.superseded_by else []))


def _last(record: Record, found: dict[str, Record]) -> Record | None:
    """The end of the chain among these records; None where it leads out of them or round."""
    seen: set[str] = set()
    here: Record | None = record
    while here is not None and here.superseded_by is not None:
        if here.id in seen:
            return None
        seen.add(here.id)
        here = found.get(here.superseded_by)
    return here
