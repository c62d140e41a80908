"""Text nodes of a tenant: written with the vectors of their entries, dropped with them, and outside every search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from bethink.errors import InvalidInput
from bethink.ports.nodes import TextNodes
from bethink.store.context import Reading, Writing
from bethink.store.database import Connection
from bethink.store.predicate import array


class Nodes:
    """The `NodeReads` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def of(self, space: str, keys: Sequence[int]) -> Mapping[int, TextNodes]:
        """The nodes of these entries in a space, by key; entries without any are left out."""
        rows = self._on.rows("read_nodes", tenant=self._tenant, space=space, keys=array(keys))
        found: dict[int, TextNodes] = {}
        for key, group in groupby(rows, key=lambda row: row[0]):
            _, first, last, blobs = zip(*group, strict=True)
            vectors = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1)
            found[key] = TextNodes(tuple(zip(first, last, strict=True)), vectors)
        return found


def put_nodes(
    on: Connection, place: tuple[str, str], keys: Sequence[int], nodes: Mapping[int, TextNodes], dims: int
) -> None:
    """Put the nodes of entries in the place of those they had in a (tenant, space); one without any now has none.

    Raises:
        InvalidInput: a vector of another length, or holding NaN or infinity.
    """
    tenant, space = place
    on.post("drop_nodes", tenant=tenant, space=space, keys=array(keys))
    for key in keys:
        if key in nodes:
            on.run_many("insert_node", list(_rows(place, key, nodes[key], dims)))


def _rows(place: tuple[str, str], key: int, nodes: TextNodes, dims: int) -> Iterator[dict[str, str | int | bytes]]:
    """The rows of one entry's nodes."""
    tenant, space = place
    if nodes.vectors.shape != (len(nodes.ranges), dims) or not np.isfinite(nodes.vectors).all():
        msg = f"The nodes of entry {key} in {tenant!r} are not {len(nodes.ranges)} vectors of {dims} finite numbers."
        raise InvalidInput(msg)
    for ordinal, ((first, last), vector) in enumerate(zip(nodes.ranges, nodes.vectors, strict=True), 1):
        yield {
            "tenant": tenant,
            "space": space,
            "key": key,
            "ordinal": ordinal,
            "first": first,
            "last": last,
            "vector": _blob(vector),
        }


def _blob(vector: NDArray[np.float32]) -> bytes:
    """A vector as it is stored."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()
