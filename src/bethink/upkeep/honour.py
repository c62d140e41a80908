"""Honour: what one store erased goes out of another one too, such as a backup that is served again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from bethink.domain.ids import check_id
from bethink.errors import DeadlineExceeded, InvalidInput, StoreError
from bethink.formation.desk import Desk
from bethink.operations.receipts import HonouredResult, receipt_digest
from bethink.operations.records import Receipt
from bethink.ports.traces import TraceStore

SECONDS = 30.0
"""How long each receipt may take."""


def honour(receipts: Iterable[Receipt], desk: Desk, traces: TraceStore) -> HonouredResult:
    """Erase what the receipts of another store of the same tenant say was erased, with all that derives from it.

    Every erase here gets a receipt of this store's chain. What is not here is passed over, so honouring the same
    receipts again changes nothing.

    Raises:
        InvalidInput: a receipt that was altered; nothing of it was done.
        StoreError, DeadlineExceeded: the truth could not be changed; what was done before stays done.
    """
    removed: Counter[str] = Counter()
    remains: dict[str, None] = {}
    count, complete = 0, True
    for receipt in receipts:
        if receipt_digest(receipt) != receipt.digest:
            raise InvalidInput(
                f"Receipt {receipt.number} was altered.", remedy="Take the receipts from the store again."
            )
        if receipt.operation != "erase" or receipt.dry_run:
            continue
        done = _erased(receipt, desk, traces)
        if done is None:
            continue
        count += 1
        removed.update(done.removed)
        remains |= dict.fromkeys(done.remains)
        complete = complete and done.complete
    return HonouredResult(count, dict(removed), complete, tuple(remains))


def _erased(receipt: Receipt, desk: Desk, traces: TraceStore) -> Receipt | None:
    """The receipt of what of another's was still here, None where nothing was."""
    ids = tuple(check_id(item, "id of a receipt") for item in (*receipt.ids, *receipt.derived))
    with desk.store.snapshot(desk.tenant) as snapshot:
        derived, fresh = dict.fromkeys(ids), ids
        while fresh := tuple(item for item in snapshot.records.derived(fresh) if item not in derived):
            derived |= dict.fromkeys(fresh)
    everything = tuple(derived)
    lost = desk.store.lost(desk.tenant, everything, deadline=SECONDS)
    problem: tuple[str, ...] = ()
    try:
        traces.erase(desk.tenant, everything, lost=lost, deadline=SECONDS)
    except (StoreError, DeadlineExceeded) as error:
        problem = (f"traces that name it or ask with its words ({error.code})",)
    erased = desk.store.erase(desk.tenant, everything, desk.clock.now(), deadline=SECONDS)
    if not erased.rows:
        return None
    own = replace(
        receipt,
        derived=tuple(item for item in everything if item not in receipt.ids),
        removed=dict(erased.rows),
        complete=erased.complete and not problem,
        remains=(*erased.remains, *problem),
        at=desk.clock.now(),
    )
    with desk.store.write(desk.tenant) as work:
        return work.receipts.add(own, desk.caller.principal.user)
