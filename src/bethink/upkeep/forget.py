"""`forget`: hide a record, bring it back, or erase every copy of it. The receipt says what was done and what remains.

A record is named by its id, never found by its words.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, replace
from datetime import datetime

from bethink.domain.time import iso
from bethink.errors import InvalidInput
from bethink.formation.check import canonical
from bethink.formation.desk import Desk
from bethink.formation.named import named
from bethink.formation.secrecy import Redactor
from bethink.operations.records import ForgetRequest, Receipt
from bethink.ports.traces import TraceStore
from bethink.text.door import check_text
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
    done = erase(clean, desk, traces) if clean.mode == "erase" else _standing_changed(clean, desk)
    receipt = Receipt(
        operation=clean.mode,
        ids=done.ids,
        derived=done.derived,
        sources=done.sources,
        removed=dict(done.removed),
        complete=done.complete,
        remains=done.remains,
        at=at,
        digest="",
        dry_run=clean.dry_run,
    )
    return replace(receipt, digest=receipt_digest(receipt))


def receipt_digest(receipt: Receipt) -> str:
    """SHA-256 over the canonical JSON of a receipt's other fields, in hex."""
    other = {name: value for name, value in asdict(receipt).items() if name != "digest"}
    plain = {name: iso(value) if isinstance(value, datetime) else value for name, value in other.items()}
    return hashlib.sha256(canonical(plain, "receipt").encode()).hexdigest()


def _checked(request: ForgetRequest) -> ForgetRequest:
    """The request with its reason fit to be stored."""
    if request.mode not in {"stop", "restore", "erase"}:
        raise InvalidInput(f"Mode {str(request.mode)[:40]!r} is none of stop, restore, erase.")
    if request.timeout_ms <= 0:
        raise InvalidInput("timeout_ms must be positive.")
    reason = check_text(request.reason, "reason", REASON_LIMIT) if request.reason else ""
    return replace(request, reason=Redactor().text(reason))


def _standing_changed(request: ForgetRequest, desk: Desk) -> Erasure:
    """Stop or restore, or say what either would change."""
    if request.dry_run:
        with desk.store.snapshot(desk.tenant) as snapshot:
            return Erasure(own_ids(snapshot, named(snapshot, desk, request.id)), (), (), ())
    with desk.store.write(desk.tenant) as work:
        what = named(work, desk, request.id)
        ids = own_ids(work, what)
        if request.mode == "restore":
            return Erasure(ids, (), (), (), {"restored": len(restore(work, desk, what))}, complete=True)
        hidden = stop(work, what, request.reason or "stopped")
    return Erasure(ids, (), (), (), {"hidden": len(hidden)}, complete=True)
