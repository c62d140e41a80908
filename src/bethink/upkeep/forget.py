"""`forget`: hide a record, bring it back, or erase every copy of it. The receipt says what was done and what remains.

A record is named by its id, never found by its words.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bethink.errors import DeadlineExceeded, InvalidInput, StoreError
from bethink.formation.desk import Desk
from bethink.formation.named import named
from bethink.formation.secrecy import Redactor
from bethink.operations.receipts import sealed
from bethink.operations.records import ForgetRequest, Receipt
from bethink.ports.traces import TraceStore
from bethink.text.door import check_flag, check_text, check_whole
from bethink.upkeep.erase import Erasure, erase
from bethink.upkeep.hide import own_ids, restore, stop

REASON_LIMIT = 500


def forget(request: ForgetRequest, desk: Desk, traces: TraceStore) -> Receipt:
    """Forget as far as the request says.

    Raises:
        InvalidInput: an unknown mode, an id that names several, or a restore of what is not hidden.
        NotFound: no such record or turn; what was erased is no more.
        AccessDenied: the caller may read it and not write it.
        StoreError, DeadlineExceeded: the truth could not be changed.
    """
    clean = _checked(request)
    at = desk.clock.now()
    if clean.dry_run:
        return sealed(_receipt(clean, _foreseen(clean, desk, traces), at))
    if clean.mode != "erase":
        return _standing_changed(clean, desk, at)
    return kept(_receipt(clean, erase(clean, desk, traces), at), desk)


def kept(receipt: Receipt, desk: Desk) -> Receipt:
    """The receipt in its place in the chain; one that could not be stored says so, and is not complete."""
    try:
        with desk.store.write(desk.tenant) as work:
            return work.receipts.add(receipt, desk.caller.principal.user)
    except (StoreError, DeadlineExceeded) as error:
        remains = (*receipt.remains, f"the receipt itself, which could not be stored ({error.code})")
        return sealed(replace(receipt, complete=False, remains=remains))


def _receipt(request: ForgetRequest, done: Erasure, at: datetime) -> Receipt:
    """What was done, before it has its place in the chain."""
    return Receipt(
        operation=request.mode,
        ids=done.ids,
        derived=done.derived,
        sources=done.sources,
        removed=dict(done.removed),
        complete=done.complete,
        remains=done.remains,
        at=at,
        digest="",
        dry_run=request.dry_run,
    )


def _foreseen(request: ForgetRequest, desk: Desk, traces: TraceStore) -> Erasure:
    """What would be done."""
    if request.mode == "erase":
        return erase(request, desk, traces)
    with desk.store.snapshot(desk.tenant) as snapshot:
        return Erasure(own_ids(snapshot, named(snapshot, desk, request.id)), (), (), ())


def _checked(request: ForgetRequest) -> ForgetRequest:
    """The request with its reason fit to be stored."""
    if request.mode not in {"stop", "restore", "erase"}:
        raise InvalidInput(f"Mode {str(request.mode)[:40]!r} is none of stop, restore, erase.")
    check_flag(request.with_sources, "with_sources")
    check_flag(request.dry_run, "dry_run")
    check_whole(request.timeout_ms, "timeout_ms", 1)
    reason = check_text(request.reason, "reason", REASON_LIMIT) if request.reason else ""
    return replace(request, reason=Redactor().text(reason))


def _standing_changed(request: ForgetRequest, desk: Desk, at: datetime) -> Receipt:
    """Stop or restore, and the receipt, in one transaction."""
    with desk.store.write(desk.tenant) as work:
        what = named(work, desk, request.id)
        ids = own_ids(work, what)
        if request.mode == "restore":
            removed = {"restored": len(restore(work, desk, what))}
        else:
            removed = {"hidden": len(stop(work, what, request.reason or "stopped"))}
        done = Erasure(ids, (), (), (), removed, complete=True)
        return work.receipts.add(_receipt(request, done, at), desk.caller.principal.user)
