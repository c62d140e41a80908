"""`taxonomy`: a tenant's tree of topics, and filing a record under it."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.taxonomy import Node


@dataclass(frozen=True, slots=True)
class FileRequest:
    """File one record, by its id or short id, `under` nodes of the taxonomy, or take it `out_of` some."""

    id: str
    under: tuple[str, ...] = ()
    out_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileResult:
    """The record, and every node it is filed under now."""

    id: str
    short_id: str
    taxonomy: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemovedNodes:
    """The nodes that are gone, and how many filings went with them. No record went."""

    nodes: tuple[Node, ...]
    filings: int
