"""What the core asks of the taxonomy of a store. What is filed is read through a `Fence`, as all memory is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from bethink.domain.fence import Fence
from bethink.domain.taxonomy import FiledBy, Node


class TaxonomyReads(Protocol):
    """The tree of a tenant, and what is filed under it."""

    def nodes(self) -> tuple[Node, ...]:
        """Every node, by path."""
        ...

    def filed(self, ids: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """By record or turn the paths it is filed under, sorted; what is filed nowhere is left out.

        The ids are those that a fence admitted.
        """
        ...

    def under(self, fence: Fence, paths: Collection[str], limit: int) -> tuple[int, ...]:
        """Index keys of what is filed under any of the paths inside the fence, the newest `limit`, newest first."""
        ...


class TaxonomyWrites(TaxonomyReads, Protocol):
    """Changing the tree, and filing."""

    def put(self, node: Node, at: datetime) -> None:
        """Add a node, or name it anew."""
        ...

    def remove(self, paths: Collection[str]) -> int:
        """Remove nodes and what was filed under them; how many filings went."""
        ...

    def file(self, record_id: str, path: str, by: FiledBy, at: datetime) -> None:
        """File a record or turn under a node; doing it twice is harmless."""
        ...

    def withdraw(self, record_id: str, path: str) -> bool:
        """Take it out again; whether it was there."""
        ...

    def inherit(self, old: str, new: str, at: datetime) -> None:
        """File what replaces a record where that record is filed."""
        ...


class Classifier(Protocol):
    """A small model that names what a question is about. It is the host's, and used only where it is handed in."""

    def classify(self, text: str, nodes: Sequence[Node]) -> Sequence[str]:
        """One to three paths of these nodes, none where nothing fits. Whatever it raises, the rules do it instead."""
        ...
