"""Sources: where the items of recalls come from, as it stands now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.record import Record
from bethink.domain.source import SourceKind
from bethink.operations.reads import MatchSource
from bethink.ports.store import Snapshot
from bethink.recall.documents import documents_fence
from bethink.recall.filter import lookup_fence
from bethink.recall.get import SHOWN
from bethink.recall.reader import Reader


def sources(items: Iterable[str], reader: Reader) -> dict[str, MatchSource]:
    """By id where items come from, as far as the caller may look them up now, in whatever project they were learned."""
    ids = sorted(items)
    if not ids:
        return {}
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
        reach = replace(reach, statuses=SHOWN)
        homes: dict[str | None, list[str]] = defaultdict(list)
        for item in ids:
            for entry in snapshot.records.entries(reach, item)[:1]:
                homes[entry.project].append(item)
        found = {
            one.id: one
            for home, here in homes.items()
            for one in _at_home(snapshot, replace(reach, project=home), here)
        }
        return found | _passages(ids, reader, snapshot)


def _passages(ids: Sequence[str], reader: Reader, snapshot: Snapshot) -> dict[str, MatchSource]:
    """The documents that matches are passages of, inside the fence of a search."""
    places = {item: (document, number) for item in ids for document, mark, number in [item.partition("#")] if mark}
    if not places:
        return {}
    known = {one.id: one for one in snapshot.documents.documents(documents_fence(reader, snapshot))}
    return {
        item: MatchSource(item, SourceKind.DOCUMENT, known[document].source)
        for item, (document, number) in places.items()
        if document in known and int(number) <= known[document].passages
    }


def _at_home(snapshot: Snapshot, inside: Fence, ids: Sequence[str]) -> list[MatchSource]:
    """The sources of what was learned in the one project that the fence is put up in."""
    records = snapshot.records.get(inside, ids)
    turns = snapshot.turns.get(inside, ids)
    return [_of(record) for record in records] + [MatchSource(one.id, one.source, one.id, one.id) for one in turns]


def _of(record: Record) -> MatchSource:
    """The source of a record."""
    source = record.content.source
    return MatchSource(record.id, source.kind, source.ref, source.evidence.turn_id if source.evidence else None)
