"""Erase a user: all that is one user's, out of both files, page by page, with a receipt for each and for the whole.

The traces of the user's recalls go first. Then pages of records and turns with what derives from them, wherever that
is. Then what is left: sessions, entities, documents, skills, grants. Each page is whole by itself; the same call made
again goes on where an interrupted one stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from bethink.domain.ids import check_id
from bethink.domain.scope import Scope
from bethink.errors import DeadlineExceeded, StoreError
from bethink.formation.desk import Desk
from bethink.operations.receipts import sealed
from bethink.operations.records import Operation, Receipt
from bethink.operations.users import EraseUserRequest
from bethink.ports.store import UnitOfWork
from bethink.ports.traces import TraceStore
from bethink.text.door import check_flag, check_whole
from bethink.upkeep.clear_traces import clear_traces
from bethink.upkeep.closure import with_derived
from bethink.upkeep.export import everything
from bethink.upkeep.remove import removed_with_traces

PAGE = 200
"""Records and turns erased at a time."""

SHARED = "what the user said in the scopes of projects, tasks and organisations, which is theirs"
LOGGED = (
    "the event log and the counters of the search index, which hold no words of memories, but ids, scopes and"
    " what skills and projects were called"
)
GOES_ON = "what is the user's and was not reached: repeat the call to go on"
LATER = "old pages, which are cut when the whole is done"


@dataclass(slots=True)
class _Erasing:
    """One user's erase under way: whose, with how many seconds for each step, and what was done so far."""

    desk: Desk
    traces: TraceStore
    user: str
    seconds: float
    removed: Counter[str] = field(default_factory=Counter)
    problems: dict[str, None] = field(default_factory=dict)
    beyond: dict[str, None] = field(default_factory=dict)


def erase_user(request: EraseUserRequest, desk: Desk, traces: TraceStore) -> Receipt:
    """Erase all that is one user's; the receipt of the whole, behind those of its pages.

    Raises:
        InvalidInput: an unusable id, a flag that is none, or no time.
        StoreError, DeadlineExceeded: the truth could not be changed; what was done before stays done.
    """
    check_flag(request.dry_run, "dry_run")
    check_whole(request.timeout_ms, "timeout_ms", 1)
    under_way = _Erasing(desk, traces, check_id(request.user, "user"), request.timeout_ms / 1000)
    with desk.store.snapshot(desk.tenant) as snapshot:
        scopes = snapshot.owned.scopes(under_way.user)
    if request.dry_run:
        return _foreseen(desk, scopes)
    _clear(under_way)
    pages = (page for scope in scopes for page in _pages(desk, scope))
    if all(_erase(ids, under_way) for ids in pages):
        _forget(scopes, under_way)
    _clear(under_way)
    if not desk.store.run_due_jobs(deadline=under_way.seconds):
        under_way.problems |= {"old pages of the file: `bethink repair` finishes it": None}
    whole = _receipt(desk, "erase_user", (), under_way.removed)
    remains = (*under_way.problems, *under_way.beyond, SHARED, LOGGED)
    with desk.store.write(desk.tenant) as work:
        return work.receipts.add(replace(whole, remains=remains, complete=not under_way.problems), under_way.user)


def _foreseen(desk: Desk, scopes: tuple[Scope, ...]) -> Receipt:
    """What would go, counted."""
    count: Counter[str] = Counter()
    with desk.store.snapshot(desk.tenant) as snapshot:
        for scope in scopes:
            after = 0
            while page := snapshot.owned.entries(scope, after, PAGE):
                count["entries"] += len(page)
                after = page[-1].key
    return sealed(replace(_receipt(desk, "erase_user", (), count), remains=(SHARED, LOGGED), dry_run=True))


def _pages(desk: Desk, scope: Scope) -> Iterator[tuple[str, ...]]:
    """Page by page what is left of a scope, while each is erased."""
    while ids := _page(desk, scope):
        yield ids


def _page(desk: Desk, scope: Scope) -> tuple[str, ...]:
    """The next records and turns of a scope, with what derives from them in whatever scope."""
    with desk.store.snapshot(desk.tenant) as snapshot:
        return with_derived(snapshot, [entry.id for entry in snapshot.owned.entries(scope, 0, PAGE)])


def _erase(ids: tuple[str, ...], under_way: _Erasing) -> bool:
    """Erase a page, with the traces of others that name it or ask with its words, and write its receipt.

    Where those traces cannot be cleared the page stays, since they could not be told afterwards; whether it went.
    """
    desk, seconds = under_way.desk, under_way.seconds
    lost = desk.store.lost(desk.tenant, ids, deadline=seconds)
    cleared, why = clear_traces(under_way.traces, desk.tenant, ids, lost, seconds)
    under_way.removed["traces"] += cleared
    if why:
        under_way.problems |= {f"traces that name what is the user's ({why})": None, GOES_ON: None}
        return False
    erased = desk.store.erase(desk.tenant, ids, desk.clock.now(), deadline=seconds, more=True)
    under_way.removed.update(erased.rows)
    under_way.beyond |= dict.fromkeys(erased.remains[1:])
    with desk.store.write(desk.tenant, deadline=seconds) as work:
        page = replace(_receipt(desk, "erase", ids, Counter(erased.rows)), remains=(LATER,))
        work.receipts.add(page, under_way.user)
    return True


def _forget(scopes: tuple[Scope, ...], under_way: _Erasing) -> None:
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


def _clear(under_way: _Erasing) -> None:
    """Remove the traces of the user's own recalls."""
    tenant, seconds = under_way.desk.tenant, under_way.seconds
    try:
        under_way.removed["traces"] += under_way.traces.forget_user(tenant, under_way.user, deadline=seconds)
    except (StoreError, DeadlineExceeded) as error:
        under_way.problems |= {f"traces of the user's recalls ({error.code})": None}


def _receipt(desk: Desk, operation: Operation, ids: tuple[str, ...], removed: Counter[str]) -> Receipt:
    """A receipt before it has its place."""
    counted = {kind: count for kind, count in sorted(removed.items()) if count}
    return Receipt(operation, ids, (), (), counted, complete=False, remains=(), at=desk.clock.now(), digest="")
