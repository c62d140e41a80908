"""A tenant's receipts, read page by page by whoever keeps the store."""

from __future__ import annotations

from bethink.errors import InvalidInput
from bethink.operations.receipts import ReceiptsResult
from bethink.ports.store import Store

MOST = 500
"""Receipts of a page."""


def receipts_after(store: Store, tenant: str, number: int, limit: int) -> ReceiptsResult:
    """The receipts behind a number, in order.

    Raises:
        InvalidInput: a limit that lists nothing or too much.
    """
    if not 0 < limit <= MOST:
        raise InvalidInput(f"limit must be 1 to {MOST}.")
    with store.snapshot(tenant) as snapshot:
        found = snapshot.receipts.after(number, limit + 1)
    page = found[:limit]
    return ReceiptsResult(page, page[-1].number if len(found) > len(page) else None)
