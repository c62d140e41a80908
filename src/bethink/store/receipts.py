"""The chain of a tenant's receipts: each holds the digest of the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bethink.domain.time import to_micros
from bethink.operations.receipts import chained, read_receipt, receipt_body, receipt_digest
from bethink.operations.records import Receipt
from bethink.operations.upkeep import Finding
from bethink.store.context import Reading, Writing
from bethink.store.database import Connection, Row
from bethink.store.events import Events
from bethink.store.failures import decoding
from bethink.store.tombstones import keyed_hash

EVENT = "memory.receipt"
"""The event that goes along with a receipt, so that one of them cannot go alone."""

_PAGE = 500
_SHOWN = 3


class Receipts:
    """The `ReceiptReads` port over one connection."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def after(self, number: int, limit: int) -> tuple[Receipt, ...]:
        """The receipts behind a number, in order."""
        rows = self._on.rows("list_receipts", tenant=self._tenant, after=number, limit=limit)
        with decoding():
            return tuple(read_receipt(body, previous, digest) for _, previous, digest, body in rows)

    def mark(self, user: str) -> str:
        """The keyed hash that receipts name a user by."""
        return keyed_hash(self._on, f"user\n{self._tenant}\n{user}")


class ReceiptWriter(Receipts):
    """The `ReceiptWrites` port inside one write transaction."""

    def __init__(self, context: Writing, events: Events) -> None:
        super().__init__(context)
        self._events = events

    def add(self, receipt: Receipt, user: str) -> Receipt:
        """Store a receipt behind the last one, with its event."""
        last = self._on.row("last_receipt", tenant=self._tenant)
        number, previous = (1, "") if last is None else (last[0] + 1, last[1])
        placed = replace(receipt, number=number, owner=self.mark(user), previous=previous)
        placed = replace(placed, digest=receipt_digest(placed))
        self._on.post(
            "add_receipt",
            tenant=self._tenant,
            number=number,
            at=to_micros(placed.at),
            previous=previous,
            digest=placed.digest,
            body=receipt_body(placed),
        )
        self._events.append(EVENT, str(number), {"number": number, "digest": placed.digest})
        return placed


def check_receipts(on: Connection, tenant: str) -> Iterator[Finding]:
    """What is wrong with a tenant's chain: receipts that were altered, removed or added, by its log too."""
    wrong: dict[str, list[int]] = {}
    noted: dict[str, str] = dict(on.rows("check_receipt_events", tenant=tenant, kind=EVENT))
    before, previous = 0, ""
    for row in _rows(on, tenant):
        for what in _wrong(row, before, previous):
            wrong.setdefault(what, []).append(row[0])
        if f'"digest":"{row[2]}"' not in noted.pop(str(row[0]), ""):
            wrong.setdefault("are not those that were logged", []).append(row[0])
        before, previous = row[0], row[2]
    if noted:
        wrong["were logged and are gone"] = sorted(int(number) for number in noted)
    for what, numbers in wrong.items():
        shown = ", ".join(map(str, numbers[:_SHOWN]))
        yield Finding("receipt", f"{len(numbers)} receipts of {tenant} {what}: {shown}", repairable=False)


def _wrong(row: Row, before: int, previous: str) -> Iterator[str]:
    """What is wrong with one receipt behind another."""
    number, named, digest, body = row
    if number != before + 1:
        yield "follow a gap"
    elif named != previous:
        yield "do not carry the digest of the one before"
    if chained(named, body) != digest or f'"number":{number},' not in body:
        yield "have changed"


def _rows(on: Connection, tenant: str) -> Iterator[Row]:
    """Every receipt in order, page by page."""
    after = 0
    while rows := on.rows("list_receipts", tenant=tenant, after=after, limit=_PAGE):
        yield from rows
        after = rows[-1][0]
