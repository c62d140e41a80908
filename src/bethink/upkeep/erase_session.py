"""Erase a session: what was said in it, what was made of that, what its prompts kept, and what explains its answers.

The traces of the user's recalls in it go first, and again at the end, for a recall that was under way. Between them go
pages of its turns, with the records whose evidence stands in them and all that derives from these. The session itself
is last, so that an interrupted erase can be asked for again. What was only remembered while it went on, with evidence
elsewhere or none, is no part of it and stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from bethink.domain.ids import check_id
from bethink.domain.record import Record
from bethink.domain.scope import Scope
from bethink.domain.session import Turn
from bethink.errors import NotFound
from bethink.formation.desk import Desk
from bethink.operations.receipts import sealed
from bethink.operations.records import Receipt
from bethink.operations.users import EraseSessionRequest
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.ports.traces import TraceStore
from bethink.text.door import check_flag, check_whole
from bethink.upkeep.closure import with_derived, with_grounds
from bethink.upkeep.erase_pages import PAGE, Erasing

LOGGED = "the event log, which holds no words of memories, but ids and scopes"
REMEMBERED = "records that were made while the session went on and rest on nothing said in it"
_ALL = 1_000_000_000


class _Page(NamedTuple):
    """Turns with what was made of them; of that the records, and the turns elsewhere that these rest on too."""

    ids: tuple[str, ...]
    records: tuple[Record, ...]
    kept: tuple[Turn, ...]


def erase_session(request: EraseSessionRequest, desk: Desk, traces: TraceStore) -> Receipt:
    """Erase a session in every scope of the user's that has one of that id; the receipt of the whole.

    Raises:
        InvalidInput: an unusable id, a flag that is none, or no time.
        NotFound: the user has no such session.
        StoreError, DeadlineExceeded: the truth could not be changed; what was done before stays done.
    """
    check_flag(request.dry_run, "dry_run")
    check_whole(request.timeout_ms, "timeout_ms", 1)
    session = check_id(request.session, "session")
    under_way = Erasing(desk, traces, check_id(request.user, "user"), request.timeout_ms / 1000)
    with desk.store.snapshot(desk.tenant) as snapshot:
        scopes = [one for one in snapshot.owned.scopes(under_way.user) if snapshot.sessions.get(session, (one.key,))]
    if not scopes:
        raise NotFound(f"The user has no session {session[:60]!r}.")
    if request.dry_run:
        return _foreseen(under_way, scopes, session)
    under_way.clear(session)
    pages = (page for scope in scopes for page in _pages(desk, scope, session))
    gone = all(under_way.erase(*page) for page in pages)
    under_way.clear(session)
    if gone and not under_way.problems:
        _forget(under_way, scopes, session)
    return under_way.finished("erase_session", (session,), (REMEMBERED, LOGGED))


def _foreseen(under_way: Erasing, scopes: list[Scope], session: str) -> Receipt:
    """What would go, counted."""
    desk, count = under_way.desk, Counter[str]()
    with desk.store.snapshot(desk.tenant) as snapshot:
        for scope in scopes:
            turns = snapshot.owned.turns(scope, session, _ALL)
            count["entries"] += len(_page(snapshot, desk.tenant, turns).ids) if turns else 0
    receipt = under_way.receipt("erase_session", (session,), count)
    return sealed(replace(receipt, remains=(REMEMBERED, LOGGED), dry_run=True))


def _pages(desk: Desk, scope: Scope, session: str) -> Iterator[_Page]:
    """Page by page what is left of a session, while each is erased."""
    while True:
        with desk.store.snapshot(desk.tenant) as snapshot:
            turns = snapshot.owned.turns(scope, session, PAGE)
            if not turns:
                return
            page = _page(snapshot, desk.tenant, turns)
        yield page


def _page(snapshot: Snapshot, tenant: str, turns: tuple[str, ...]) -> _Page:
    """Turns with what was made of them."""
    ids = with_derived(snapshot, (*turns, *snapshot.records.quoting(turns)))
    return _Page(ids, *with_grounds(snapshot, tenant, ids))


def _forget(under_way: Erasing, scopes: list[Scope], session: str) -> None:
    """Remove the session and what its prompts kept."""
    desk = under_way.desk

    def remove(work: UnitOfWork) -> Mapping[str, int]:
        rows = Counter[str]()
        for scope in scopes:
            rows.update(work.owned.forget_session(scope, session))
        work.event("session.erased", session, {"scopes": [scope.key for scope in scopes]})
        return rows

    gone = desk.store.purge(desk.tenant, remove, desk.clock.now(), deadline=under_way.seconds)
    under_way.removed.update(gone.rows)
