"""The taxonomy of a tenant: its nodes, and what is filed under them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime

from bethink.domain.fence import Fence
from bethink.domain.taxonomy import FiledBy, Node
from bethink.domain.time import to_micros
from bethink.store.context import Reading, Writing
from bethink.store.predicate import array, fence_values


class Taxonomy:
    """The `TaxonomyWrites` port; on a snapshot only its reads can succeed."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def nodes(self) -> tuple[Node, ...]:
        """Every node, by path."""
        return tuple(Node(path, name) for path, name in self._on.rows("all_nodes", tenant=self._tenant))

    def filed(self, ids: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """By record or turn the paths it is filed under, sorted; what is filed nowhere is left out."""
        found: dict[str, list[str]] = defaultdict(list)
        for item, path in self._on.rows("filed_of", tenant=self._tenant, ids=array(ids)) if ids else ():
            found[item].append(path)
        return {item: tuple(paths) for item, paths in found.items()}

    def under(self, fence: Fence, paths: Collection[str], limit: int) -> tuple[int, ...]:
        """Index keys of what is filed under any of the paths inside the fence, the newest `limit`, newest first."""
        if not paths:
            return ()
        values = fence_values(fence) | {"tenant": self._tenant}
        rows = self._on.rows("filed_under", paths=array(sorted(paths)), limit=limit, **values)
        return tuple(row[0] for row in rows)

    def put(self, node: Node, at: datetime) -> None:
        """Add a node, or name it anew."""
        self._on.post("put_node", tenant=self._tenant, path=node.path, name=node.name, at=to_micros(at))

    def remove(self, paths: Collection[str]) -> int:
        """Remove nodes and what was filed under them; how many filings went."""
        gone = array(sorted(paths))
        filings = self._on.run("remove_filings", tenant=self._tenant, paths=gone)
        self._on.run("remove_nodes", tenant=self._tenant, paths=gone)
        return filings

    def file(self, record_id: str, path: str, by: FiledBy, at: datetime) -> None:
        """File a record or turn under a node; doing it twice is harmless."""
        self._on.post("add_filing", tenant=self._tenant, id=record_id, path=path, filed_by=by, at=to_micros(at))

    def withdraw(self, record_id: str, path: str) -> bool:
        """Take it out again; whether it was there."""
        return bool(self._on.run("remove_filing", tenant=self._tenant, id=record_id, path=path))

    def inherit(self, old: str, new: str, at: datetime) -> None:
        """File what replaces a record where that record is filed."""
        self._on.post("inherit_filings", tenant=self._tenant, old=old, new=new, at=to_micros(at))
