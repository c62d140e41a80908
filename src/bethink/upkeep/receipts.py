"""A tenant's receipts, read page by page by whoever keeps the store."""

from __future__ import annotations

from bethink.operations.receipts import ReceiptsResult
from bethink.ports.store import Store
from bethink.text.door import check_whole

MOST = 500
"""Receipts of a page."""


def receipts_after(store: Store, tenant: str, number: int, limit: int) -> ReceiptsResult:
    """The receipts behind a number, in order.

    Raises:
        InvalidInput: a limit that lists nothing or too much.
    """
    check_whole(number, "after")
    check_whole(limit, "limit", 1, MOST)
    with store.snapshot(tenant) as snapshot:
        found = snapshot.receipts.after(number, limit + 1)
    page = found[:limit]
    return ReceiptsResult(page, page[-1].number if len(found) > len(page) else None)
