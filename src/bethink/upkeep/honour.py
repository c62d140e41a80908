"""Honour: what one store erased goes out of another one too, such as a backup that is served again."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bethink.domain.ids import check_id
from bethink.errors import InvalidInput, NotFound
from bethink.formation.desk import Desk
from bethink.operations.receipts import HonouredResult, receipt_digest
from bethink.operations.records import Operation, Receipt
from bethink.operations.users import EraseSessionRequest, EraseUserRequest
from bethink.ports.store import Snapshot
from bethink.ports.traces import TraceStore
from bethink.upkeep.clear_traces import clear_traces
from bethink.upkeep.closure import with_derived, with_grounds
from bethink.upkeep.erase import bar
from bethink.upkeep.erase_session import erase_session
from bethink.upkeep.erase_user import erase_user
from bethink.upkeep.remove import remove_beside

WHOLE: tuple[Operation, ...] = ("erase_user", "erase_session")
"""What erases more than a receipt could name by id."""

SECONDS = 30.0
"""How long each receipt may take."""

UNKNOWN = "what is kept of a user whom this store does not know by the receipt's key: erase the user by name"
_PAGE = 500


@dataclass(slots=True)
class _Honouring:
    """Receipts being honoured: in which store, and what was done so far.

    `owners` are the users, by their marks, whom the receipts named until now. `people` are everyone this store holds
    anything of, by mark; looked up when a receipt of a whole user comes first.
    """

    desk: Desk
    traces: TraceStore
    owners: set[str] = field(default_factory=set)
    people: Mapping[str, str] | None = None
    receipts: int = 0
    removed: Counter[str] = field(default_factory=Counter)
    complete: bool = True
    remains: dict[str, None] = field(default_factory=dict)

    def add(self, receipt: Receipt) -> None:
        """One more receipt of this store."""
        self.receipts += 1
        self.removed.update(receipt.removed)
        self.remains |= dict.fromkeys(receipt.remains)
        self.complete = self.complete and receipt.complete

    def leave(self, what: str) -> None:
        """Something that could not be honoured."""
        self.remains[what] = None
        self.complete = False


def honour(receipts: Iterable[Receipt], desk: Desk, traces: TraceStore) -> HonouredResult:
    """Erase what the receipts of another store of the same tenant say was erased, with all that derives from it.

    Records, turns, documents, terms and relations go by their ids; a user, by the keyed hash of the name, with all that
    is the user's here, and so does a session of a user's, unless this store erased the same then or later. Every erase
    here gets a receipt of this store's chain. What is not here is passed over, so honouring the same receipts again
    changes nothing.

    Raises:
        InvalidInput: a receipt that was altered; nothing of it was done.
        StoreError, DeadlineExceeded: the truth could not be changed; what was done before stays done.
    """
    done = _Honouring(desk, traces)
    for receipt in receipts:
        if receipt_digest(receipt) != receipt.digest:
            raise InvalidInput(
                f"Receipt {receipt.number} was altered.", remedy="Take the receipts from the store again."
            )
        done.owners.add(receipt.owner)
        if receipt.dry_run:
            continue
        if receipt.operation == "erase":
            _erase(receipt, done)
        elif receipt.operation in WHOLE:
            _erase_whole(receipt, done)
    return HonouredResult(done.receipts, dict(done.removed), done.complete, tuple(done.remains))


def _erase(receipt: Receipt, done: _Honouring) -> None:
    """Erase what of another's receipt is still here, with a receipt of its own where anything was or may be left."""
    desk, traces = done.desk, done.traces
    ids = tuple(check_id(item, "id of a receipt") for item in (*receipt.ids, *receipt.derived))
    with desk.store.snapshot(desk.tenant) as snapshot:
        everything = with_derived(snapshot, ids)
    lost = desk.store.lost(desk.tenant, everything, deadline=SECONDS)
    cleared, why = clear_traces(traces, desk.tenant, everything, lost, SECONDS)
    if why:
        done.leave(f"traces that name it or ask with its words ({why}): repeat the call to finish")
        return
    with desk.store.write(desk.tenant) as work:
        bar(work, *with_grounds(work, desk.tenant, everything))
    erased = desk.store.erase(desk.tenant, everything, desk.clock.now(), deadline=SECONDS)
    beside = remove_beside(everything, desk, traces, SECONDS)
    removed = Counter(erased.rows) + Counter(beside.rows) + Counter(traces=cleared)
    complete = erased.complete and beside.complete
    if not removed and complete:
        return
    own = replace(
        receipt,
        derived=tuple(item for item in everything if item not in receipt.ids),
        removed=dict(removed),
        complete=complete,
        remains=tuple(dict.fromkeys((*erased.remains, *beside.remains))),
        at=desk.clock.now(),
    )
    with desk.store.write(desk.tenant) as work:
        done.add(work.receipts.add(own, desk.caller.principal.user))


def _erase_whole(receipt: Receipt, done: _Honouring) -> None:
    """Erase the user, or the user's session, that a receipt means; say so where nobody can know which that is."""
    desk = done.desk
    with desk.store.snapshot(desk.tenant) as snapshot:
        done.people = _people(snapshot) if done.people is None else done.people
        if any(_meant(one) == _meant(receipt) and one.at >= receipt.at for one in _erased_whole(snapshot)):
            return
    user = done.people.get(receipt.owner)
    if user is None:
        if done.people and not done.owners & done.people.keys():
            done.leave(UNKNOWN)
    elif receipt.operation == "erase_user":
        done.add(erase_user(EraseUserRequest(user, timeout_ms=int(SECONDS * 1000)), desk, done.traces))
    else:
        for session in receipt.ids:
            with contextlib.suppress(NotFound):
                asked = EraseSessionRequest(user, session, timeout_ms=int(SECONDS * 1000))
                done.add(erase_session(asked, desk, done.traces))


def _meant(receipt: Receipt) -> tuple[Operation, str, tuple[str, ...]]:
    """Who or what a receipt of a whole is about."""
    return receipt.operation, receipt.owner, receipt.ids


def _erased_whole(snapshot: Snapshot) -> Iterator[Receipt]:
    """The receipts of this store's own chain for users and sessions that were erased whole."""
    after = 0
    while page := snapshot.receipts.after(after, _PAGE):
        yield from (one for one in page if one.operation in WHOLE and one.complete)
        after = page[-1].number


def _people(snapshot: Snapshot) -> dict[str, str]:
    """Everyone this store holds anything of, by the mark that receipts name them by."""
    return {snapshot.receipts.mark(user): user for user in snapshot.owned.users()}
