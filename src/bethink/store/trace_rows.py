"""Rows of traces where one of them may be damaged: it costs itself, and not the others."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.errors import StoreCorrupt
from bethink.store.database import Connection, Row
from bethink.store.predicate import array


def rows_by_id(on: Connection, query: str, tenant: str, ids: Sequence[str]) -> dict[str, Row | None]:
    """What a query of traces by id, the id first, gives for each; None for one whose row cannot be read.

    A trace that is gone since it was listed is left out.
    """
    try:
        return {row[0]: row for row in on.rows(query, tenant=tenant, ids=array(ids))}
    except StoreCorrupt:
        if len(ids) == 1:
            return {ids[0]: None}
        return {one: row for item in ids for one, row in rows_by_id(on, query, tenant, [item]).items()}
