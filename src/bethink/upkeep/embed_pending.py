"""Give vectors to what waits for one. Interrupted anywhere, it goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bethink.formation.embed import read_whole
from bethink.operations.upkeep import EmbedResult
from bethink.ports.documents import Unembedded
from bethink.ports.embedder import Embedder
from bethink.ports.store import Store
from bethink.text.template import Phrase

BATCH = 256
"""Entries read, embedded and stored at a time; each batch is a transaction of its own."""

PASSAGES = 32
"""Passages of documents at a time: each is as long as many entries."""


def embed_pending(
    store: Store,
    embedder: Embedder,
    *,
    space: str | None = None,
    batch: int = BATCH,
    progress: Callable[[int], None] | None = None,
) -> EmbedResult:
    """Embed every entry and passage that waits in a space; how many got a vector, and which entries are in nodes.

    Args:
        store: where they wait.
        embedder: the model; no transaction is open while it works.
        space: the space to fill; the embedder's own unless given.
        batch: how many at a time.
        progress: called with the number done so far after every batch.

    Raises:
        EmbedderError: the model cannot answer; what was done before is kept.
        StoreError: the store cannot be written.
    """
    target = embedder.spec.space_id if space is None else space
    done = EmbedResult()
    before: list[tuple[str, int, Phrase]] = []
    while (rows := store.vectors.pending(target, batch)) and rows != before:
        read = read_whole(embedder, [phrase for _, _, phrase in rows])
        keys = [(tenant, key) for tenant, key, _ in rows]
        nodes = {key: found for key, found in zip(keys, read.nodes, strict=True) if found is not None}
        store.vectors.put(target, [(*key, vector) for key, vector in zip(keys, read.rows, strict=True)], nodes)
        more = sum(len(found.ranges) for found in nodes.values())
        done, before = EmbedResult(done.embedded + len(rows), done.split + len(nodes), done.nodes + more), rows
        if progress is not None:
            progress(done.embedded)
    return _passages(store, embedder, target, done, progress)


def _passages(
    store: Store, embedder: Embedder, space: str, done: EmbedResult, progress: Callable[[int], None] | None
) -> EmbedResult:
    """Embed the passages of documents that have no vector; they are counted with what was embedded before."""
    before: list[Unembedded] = []
    while (rows := store.vectors.pending_passages(space, PASSAGES)) and rows != before:
        read = read_whole(embedder, [phrase for _, _, phrase in rows])
        store.vectors.put_passages(
            space, [(tenant, cited, found) for (tenant, cited, _), found in zip(rows, read.windows, strict=True)]
        )
        done, before = replace(done, embedded=done.embedded + len(rows)), rows
        if progress is not None:
            progress(done.embedded)
    return done
