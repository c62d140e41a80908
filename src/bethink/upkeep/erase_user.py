"""Erase a user: all that is one user's, out of both files, page by page, with a receipt for each and for the whole.

The traces of the user's recalls go first. Then pages of records and turns with what derives from them, wherever that
is. Then what is left: sessions, entities, documents, skills, grants. Each page is whole by itself; the same call made
again goes on where an interrupted one stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from bethink.domain.ids import check_id
from bethink.domain.scope import Scope
from bethink.formation.desk import Desk
from bethink.operations.receipts import sealed
from bethink.operations.records import Receipt
from bethink.operations.users import EraseUserRequest
from bethink.ports.store import UnitOfWork
from bethink.ports.traces import TraceStore
from bethink.text.door import check_flag, check_whole
from bethink.upkeep.closure import with_derived
from bethink.upkeep.erase_pages import GOES_ON, PAGE, Erasing
from bethink.upkeep.export import everything
from bethink.upkeep.remove import removed_with_traces

SHARED = "what the user said in the scopes of projects, tasks and organisations, which is theirs"
LOGGED = (
    "the event log and the counters of the search index, which hold no words of memories, but ids, scopes and"
    " what skills and projects were called"
)


def erase_user(request: EraseUserRequest, desk: Desk, traces: TraceStore) -> Receipt:
    """Erase all that is one user's; the receipt of the whole, behind those of its pages.

    Raises:
        InvalidInput: an unusable id, a flag that is none, or no time.
        StoreError, DeadlineExceeded: the truth could not be changed; what was done before stays done.
    """
    check_flag(request.dry_run, "dry_run")
    check_whole(request.timeout_ms, "timeout_ms", 1)
    under_way = Erasing(desk, traces, check_id(request.user, "user"), request.timeout_ms / 1000)
    with desk.store.snapshot(desk.tenant) as snapshot:
        scopes = snapshot.owned.scopes(under_way.user)
    if request.dry_run:
        return _foreseen(under_way, scopes)
    under_way.clear()
    pages = (page for scope in scopes for page in _pages(desk, scope))
    if all(under_way.erase(ids) for ids in pages):
        _forget(scopes, under_way)
    under_way.clear()
    return under_way.finished("erase_user", (), (SHARED, LOGGED))


def _foreseen(under_way: Erasing, scopes: tuple[Scope, ...]) -> Receipt:
    """What would go, counted."""
    desk = under_way.desk
    count: Counter[str] = Counter()
    with desk.store.snapshot(desk.tenant) as snapshot:
        for scope in scopes:
            after = 0
            while page := snapshot.owned.entries(scope, after, PAGE):
                count["entries"] += len(page)
                after = page[-1].key
    return sealed(replace(under_way.receipt("erase_user", (), count), remains=(SHARED, LOGGED), dry_run=True))


def _pages(desk: Desk, scope: Scope) -> Iterator[tuple[str, ...]]:
    """Page by page what is left of a scope, while each is erased."""
    while ids := _page(desk, scope):
        yield ids


def _page(desk: Desk, scope: Scope) -> tuple[str, ...]:
    """The next records and turns of a scope, with what derives from them in whatever scope."""
    with desk.store.snapshot(desk.tenant) as snapshot:
        return with_derived(snapshot, [entry.id for entry in snapshot.owned.entries(scope, 0, PAGE)])


def _forget(scopes: tuple[Scope, ...], under_way: Erasing) -> None:
    """Remove what is no record and no turn, and what traces of others hold of the documents among it."""
    desk, user = under_way.desk, under_way.user
    with desk.store.snapshot(desk.tenant) as snapshot:
        fences = [everything(desk.tenant, scope) for scope in scopes]
        documents = [one.id for fence in fences for one in snapshot.documents.documents(fence)]

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        rows = work.owned.forget(user, scopes)
        if rows:
            work.event("user.erased", work.receipts.mark(user), {"scopes": len(scopes)})
        return rows

    gone, problem = removed_with_traces(documents, desk, under_way.traces, remove, under_way.seconds)
    under_way.removed.update(gone.rows)
    under_way.problems |= dict.fromkeys((*problem, GOES_ON) if problem else ())
