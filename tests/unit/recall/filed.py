"""The taxonomy of a house of values: its nodes, and what is filed under them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.taxonomy import Node


class FakeTaxonomy:
    def __init__(self, house: Any) -> None:
        self._house = house

    def nodes(self) -> tuple[Node, ...]:
        return self._house.nodes

    def filed(self, ids: Collection[str]) -> dict[str, tuple[str, ...]]:
        return {item: paths for item, paths in self._house.filed.items() if item in ids}

    def under(self, fence: Fence, paths: Collection[str], limit: int) -> tuple[int, ...]:
        filed, wanted = self._house.filed, set(paths)
        found = [doc.candidate for doc in self._house.docs if fence.admits(doc.entry)]
        found = [item for item in found if wanted & set(filed.get(item.id, ()))]
        found.sort(key=lambda item: (item.created_at, item.key), reverse=True)
        return tuple(item.key for item in found[:limit])
