"""Export: all that is one user's, in one snapshot, a page at a time. Traces and what was forgotten are left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from bethink.domain.fence import Fence
from bethink.domain.ids import check_id
from bethink.domain.record import Record, Status
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.session import Turn
from bethink.domain.time import EPOCH
from bethink.formation.desk import Desk
from bethink.operations.users import ExportedRecord, ExportEnd, ExportItem, ExportManifest
from bethink.ports.owned import OwnedEntry
from bethink.ports.store import Snapshot

PAGE = 200
_GIVEN = frozenset(Status) - {Status.DELETED}
_NAMES: dict[type, str] = {ExportedRecord: "records", Turn: "turns"}


def export(user: str, desk: Desk) -> Iterator[ExportItem]:
    """A user's sessions, entities, turns and records, between a manifest and an end that counts them.

    The user's own scope and what agents keep for the user; what the user said in a project's scope is the project's.

    Raises:
        InvalidInput: an unusable id.
    """
    user = check_id(user, "user")
    counts: Counter[str] = Counter(sessions=0, entities=0, turns=0, records=0)
    with desk.store.snapshot(desk.tenant) as snapshot:
        scopes = snapshot.owned.scopes(user)
        keys = tuple(scope.key for scope in scopes)
        yield ExportManifest(desk.tenant, user, desk.clock.now(), snapshot.position, keys)
        for scope in scopes:
            after = ""
            while sessions := snapshot.owned.sessions(scope, after, PAGE):
                yield from sessions
                counts["sessions"] += len(sessions)
                after = sessions[-1].id
            after = ""
            while entities := snapshot.entities.listed(scope.key, after, PAGE):
                yield from entities
                counts["entities"] += len(entities)
                after = entities[-1].id
            for item in _entries(snapshot, desk.tenant, scope):
                counts[_NAMES[type(item)]] += 1
                yield item
    yield ExportEnd(dict(counts))


def _entries(snapshot: Snapshot, tenant: str, scope: Scope) -> Iterator[ExportedRecord | Turn]:
    """The records and turns of a scope, each once: a record where its live version stands."""
    after = 0
    while page := snapshot.owned.entries(scope, after, PAGE):
        after = page[-1].key
        homes: dict[str | None, list[OwnedEntry]] = defaultdict(list)
        for entry in page:
            homes[entry.project].append(entry)
        found: dict[int, ExportedRecord | Turn] = {}
        for project, entries in homes.items():
            found |= _at_home(snapshot, _fence(tenant, scope, project), entries)
        for key in sorted(found):
            yield found[key]


def _at_home(snapshot: Snapshot, fence: Fence, entries: list[OwnedEntry]) -> dict[int, ExportedRecord | Turn]:
    """By key what of the entries of one project is a turn, or the live version of a record."""
    here = {entry.key for entry in entries}
    ids = list(dict.fromkeys(entry.id for entry in entries))
    found: dict[int, ExportedRecord | Turn] = {turn.key: turn for turn in snapshot.turns.get(fence, ids)}
    for record in snapshot.records.get(fence, ids):
        if record.key in here:
            found[record.key] = ExportedRecord(record, _earlier(snapshot, fence, record))
    return found


def _earlier(snapshot: Snapshot, fence: Fence, record: Record) -> tuple[Record, ...]:
    """A record's earlier versions, the newest first, each as it was known."""
    if record.version == 1:
        return ()
    views = (
        _fence(fence.tenant, fence.scopes[0], entry.project, entry)
        for entry in snapshot.records.entries(fence, record.id)
        if entry.key < record.key
    )
    return tuple(found for view in views for found in snapshot.records.get(view, (record.id,)))


def _fence(tenant: str, scope: Scope, project: str | None, at: object = None) -> Fence:
    """All of a scope as seen from one project, now or as an earlier version was known."""
    return Fence(
        tenant=tenant,
        scopes=(scope,),
        ceiling=Sensitivity.SECRET,
        statuses=_GIVEN,
        instant=EPOCH,
        known_at=getattr(at, "recorded_at", None),
        project=project,
        timeless=True,
    )
