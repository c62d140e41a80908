"""Export: all that is one user's, in one snapshot, a page at a time. Traces and what was forgotten are left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime

from bethink.domain.entity import Entity
from bethink.domain.fence import Fence
from bethink.domain.ids import check_id
from bethink.domain.record import Record, Status
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.session import Session, Turn
from bethink.domain.time import EPOCH
from bethink.formation.desk import Desk
from bethink.operations.associations import Relation, Term
from bethink.operations.users import ExportedDocument, ExportedRecord, ExportEnd, ExportItem, ExportManifest
from bethink.ports.documents import Cited
from bethink.ports.owned import OwnedEntry
from bethink.ports.store import Snapshot

PAGE = 200
_GIVEN = frozenset(Status) - {Status.DELETED}
ALL = 1_000_000
"""Terms and relations of a scope: they are few and short, and are read at once."""

_NAMES: dict[type, str] = {
    Session: "sessions",
    Entity: "entities",
    Term: "terms",
    Relation: "relations",
    ExportedDocument: "documents",
    Turn: "turns",
    ExportedRecord: "records",
}


def export(user: str, desk: Desk) -> Iterator[ExportItem]:
    """A user's sessions, entities, terms, documents, turns and records, between a manifest and an end that counts them.

    The user's own scope and what agents keep for the user; what the user said in a project's scope is the project's.

    Raises:
        InvalidInput: an unusable id.
    """
    user = check_id(user, "user")
    counts: Counter[str] = Counter(dict.fromkeys(_NAMES.values(), 0))
    with desk.store.snapshot(desk.tenant) as snapshot:
        scopes = snapshot.owned.scopes(user)
        keys = tuple(scope.key for scope in scopes)
        yield ExportManifest(desk.tenant, user, desk.clock.now(), snapshot.position, keys)
        for scope in scopes:
            for item in _owned(snapshot, desk.tenant, scope):
                counts[_NAMES[type(item)]] += 1
                yield item
    yield ExportEnd(dict(counts))


def _owned(snapshot: Snapshot, tenant: str, scope: Scope) -> Iterator[ExportItem]:
    """All of a scope."""
    after = ""
    while sessions := snapshot.owned.sessions(scope, after, PAGE):
        yield from sessions
        after = sessions[-1].id
    after = ""
    while entities := snapshot.entities.listed(scope.key, after, PAGE):
        yield from entities
        after = entities[-1].id
    whole = everything(tenant, scope)
    yield from snapshot.associations.terms(whole, ALL)
    yield from snapshot.associations.relations(whole, ALL)
    for document in snapshot.documents.documents(whole):
        cited = [Cited(document.id, number) for number in range(1, document.passages + 1)]
        passages = snapshot.documents.passages(cited)
        yield ExportedDocument(document, tuple(passages[one].text for one in cited))
    yield from _entries(snapshot, tenant, scope)


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
            found |= _at_home(snapshot, everything(tenant, scope, project), entries)
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
        everything(fence.tenant, fence.scopes[0], entry.project, entry.recorded_at)
        for entry in snapshot.records.entries(fence, record.id)
        if entry.key < record.key
    )
    return tuple(found for view in views for found in snapshot.records.get(view, (record.id,)))


def everything(tenant: str, scope: Scope, project: str | None = None, known_at: datetime | None = None) -> Fence:
    """All of a scope as seen from one project, now or as it was known at an instant."""
    return Fence(
        tenant=tenant,
        scopes=(scope,),
        ceiling=Sensitivity.SECRET,
        statuses=_GIVEN,
        instant=EPOCH,
        known_at=known_at,
        project=project,
        timeless=True,
    )
