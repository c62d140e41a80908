"""Vectors of the store, each under the space of the model that made it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from bethink.domain.time import from_micros, to_micros
from bethink.errors import EmbeddingMismatch, InvalidInput
from bethink.ports.documents import Cited, Unembedded
from bethink.ports.embedder import EmbedSpec
from bethink.ports.nodes import TextNodes
from bethink.store.codec import canonical
from bethink.store.database import Connection, Database, Row
from bethink.store.failures import decoding
from bethink.store.index import SearchIndex
from bethink.store.nodes import put_nodes
from bethink.store.passages import put_passage_vectors, unembedded
from bethink.store.predicate import array
from bethink.text.template import Phrase, belief_text, phrased, turn_text


class Spaces:
    """The `Vectors` port over one database; each method is a transaction of its own."""

    def __init__(self, database: Database, index: SearchIndex) -> None:
        self._database = database
        self._index = index

    def active(self) -> EmbedSpec | None:
        """The spec of the space queries use; None before the first vector."""
        with self._database.reading() as on:
            row = on.row("active_space")
        with decoding():
            return None if row is None else EmbedSpec(**json.loads(row[1]))

    def canary(self) -> NDArray[np.float32] | None:
        """The active space's stored canary vectors."""
        with self._database.reading() as on:
            row = on.row("active_space")
        if row is None:
            return None
        dims = json.loads(row[1])["dims"]
        return np.frombuffer(row[2], dtype="<f4").astype(np.float32).reshape(-1, dims)

    def register(self, spec: EmbedSpec, canary: NDArray[np.float32], at: datetime) -> None:
        """Make `spec` the active space of a store that has none, or a building one beside the active one.

        Registering a space again changes nothing. Everything stored waits for a vector in a new one.
        """
        with self._database.writing() as on:
            if on.row("get_space", id=spec.space_id) is None:
                on.post(
                    "add_space",
                    id=spec.space_id,
                    spec=canonical(asdict(spec)),
                    canary=np.ascontiguousarray(canary, dtype="<f4").tobytes(),
                    at=to_micros(at),
                )
                for (tenant,) in on.rows("list_tenants"):
                    on.enter(tenant)
                    on.post("enqueue_space", tenant=tenant, id=spec.space_id)
                    on.post("enqueue_documents", tenant=tenant, space=spec.space_id)

    def pending(self, space: str, limit: int) -> list[tuple[str, int, Phrase]]:
        """(tenant, key, what to embed) of entries without a vector in the space, oldest first."""
        rows: list[Row] = []
        with self._database.reading() as on:
            for (tenant,) in on.rows("pending_tenants", space=space):
                on.enter(tenant)
                rows += on.rows("pending_entries", tenant=tenant, space=space, limit=limit - len(rows))
                if len(rows) >= limit:
                    break
        return [
            (
                tenant,
                key,
                phrased(belief_text(subject, content), content)
                if said_at is None
                else phrased(turn_text(speaker, said, from_micros(said_at)), said),
            )
            for tenant, key, subject, content, speaker, said_at, said in rows
        ]

    def pending_count(self, space: str) -> int:
        """How many entries wait for a vector in the space."""
        with self._database.reading() as on:
            row = on.row("count_pending", space=space)
        return row[0] if row else 0

    def put(
        self,
        space: str,
        rows: Sequence[tuple[str, int, NDArray[np.float32]]],
        nodes: Mapping[tuple[str, int], TextNodes] | None = None,
    ) -> None:
        """Store vectors (tenant, key, vector), and nodes by (tenant, key), in one transaction.

        An entry erased meanwhile gets none.

        Raises:
            EmbeddingMismatch: the store has no such space.
            InvalidInput: a vector of another length, or holding NaN or infinity.
        """
        by_tenant: dict[str, list[tuple[str, int, NDArray[np.float32]]]] = {}
        for row in rows:
            by_tenant.setdefault(row[0], []).append(row)
        tenants = sorted(by_tenant)
        with self._database.writing(tenant=tenants[0] if tenants else None) as on:
            _dims(on, space)
            for tenant in tenants:
                on.enter(tenant)
                put_vectors(on, self._index, space, by_tenant[tenant], nodes)

    def pending_passages(self, space: str, limit: int) -> list[Unembedded]:
        """Passages of documents that have no vector in the space, with what to embed."""
        found: list[Unembedded] = []
        with self._database.reading() as on:
            for (tenant,) in on.rows("passage_tenants", space=space):
                on.enter(tenant)
                found += [(tenant, *rest) for rest in unembedded(on, tenant, space, limit - len(found))]
                if len(found) >= limit:
                    break
        return found

    def put_passages(self, space: str, rows: Sequence[tuple[str, Cited, NDArray[np.float32]]]) -> None:
        """Store the vectors of passages (tenant, passage, a row for each window) in one transaction.

        Raises:
            EmbeddingMismatch: the store has no such space.
            InvalidInput: a vector of another length, or holding NaN or infinity.
        """
        tenants = sorted({row[0] for row in rows})
        with self._database.writing(tenant=tenants[0] if tenants else None) as on:
            dims = _dims(on, space)
            for tenant in tenants:
                on.enter(tenant)
                for owner, cited, vectors in rows:
                    if owner == tenant:
                        put_passage_vectors(on, (tenant, space), cited, vectors, dims)
                for document in sorted({cited.document for owner, cited, _ in rows if owner == tenant}):
                    on.run("release_document", tenant=tenant, space=space, id=document)

    def flip(self, space: str) -> None:
        """Make a complete building space the active one and drop the rest.

        Raises:
            EmbeddingMismatch: there is no such space, or entries still wait for a vector in it.
        """
        with self._database.writing() as on:
            if on.row("get_space", id=space) is None:
                raise EmbeddingMismatch(f"The store has no embedding space {space[:40]!r}.")
            waiting = on.row("count_pending", space=space)
            if waiting and waiting[0]:
                raise EmbeddingMismatch(f"{waiting[0]} entries still wait for a vector in space {space}.")
            others = [row[0] for row in on.rows("other_spaces", id=space)]
            on.post("activate_space", id=space)
            on.post("drop_other_spaces", id=space)
            for (tenant,) in on.rows("list_tenants"):
                on.enter(tenant)
                on.post("drop_other_pending", tenant=tenant, id=space)
                on.post("drop_other_passage_pending", tenant=tenant, id=space)
                for other in others:
                    self._index.drop_space(on, tenant, other)
        self._index.forget_caches()


def put_vectors(
    on: Connection,
    index: SearchIndex,
    space: str,
    rows: Sequence[tuple[str, int, NDArray[np.float32]]],
    nodes: Mapping[tuple[str, int], TextNodes] | None = None,
) -> None:
    """Store vectors (tenant, key, vector), and nodes by (tenant, key), in the caller's transaction.

    An entry erased meanwhile gets none. One that has no nodes among these has none afterwards.

    Raises:
        EmbeddingMismatch: the store has no such space.
        InvalidInput: a vector of another length, or holding NaN or infinity.
    """
    dims = _dims(on, space)
    keys: dict[str, list[int]] = {}
    for tenant, key, vector in rows:
        if vector.shape != (dims,) or not np.isfinite(vector).all():
            raise InvalidInput(f"The vector of entry {key} in {tenant!r} is not {dims} finite numbers.")
        keys.setdefault(tenant, []).append(key)
    scopes = {
        (tenant, key): scope
        for tenant, wanted in keys.items()
        for key, scope in on.rows("scopes_of_keys", tenant=tenant, keys=array(wanted))
    }
    placed = [(tenant, scopes[tenant, key], key, vector) for tenant, key, vector in rows if (tenant, key) in scopes]
    index.put_vectors(on, space, placed)
    for tenant in keys:
        mine = {key: found for (owner, key), found in (nodes or {}).items() if owner == tenant}
        put_nodes(on, (tenant, space), [key for owner, _, key, _ in placed if owner == tenant], mine, dims)


def _dims(on: Connection, space: str) -> int:
    """How long the vectors of a space are.

    Raises:
        EmbeddingMismatch: the store has no such space.
    """
    row = on.row("get_space", id=space)
    if row is None:
        raise EmbeddingMismatch(f"The store has no embedding space {space[:40]!r}.")
    dims: int = json.loads(row[1])["dims"]
    return dims
