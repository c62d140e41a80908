"""What the core asks of the chain of receipts."""

from __future__ import annotations

from typing import Protocol

from bethink.operations.records import Receipt


class ReceiptReads(Protocol):
    """Reading a tenant's receipts."""

    def after(self, number: int, limit: int) -> tuple[Receipt, ...]:
        """The receipts behind a number, in order."""
        ...

    def mark(self, user: str) -> str:
        """The keyed hash that receipts name a user by. Another store has another key; a copy or backup has the same."""
        ...


class ReceiptWrites(ReceiptReads, Protocol):
    """Adding to a tenant's receipts. None is ever changed or taken away."""

    def add(self, receipt: Receipt, user: str) -> Receipt:
        """Store a receipt behind the last one; it comes back with its number, whose it is, and its place in the chain.

        An event ``memory.receipt`` with its number and digest goes along.
        """
        ...
