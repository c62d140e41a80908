"""Give vectors to what waits for one. Interrupted anywhere, it goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable

from bethink.ports.embedder import Embedder, sound
from bethink.ports.store import Store

BATCH = 256
"""Entries read, embedded and stored at a time; each batch is a transaction of its own."""


def embed_pending(
    store: Store,
    embedder: Embedder,
    *,
    space: str | None = None,
    batch: int = BATCH,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Embed every entry that waits in a space; how many got a vector.

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
    done = 0
    before: list[tuple[str, int, str]] = []
    while (rows := store.vectors.pending(target, batch)) and rows != before:
        vectors = sound(embedder.embed_documents([text for _, _, text in rows]), embedder.spec, len(rows))
        store.vectors.put(
            target, [(tenant, key, vector) for (tenant, key, _), vector in zip(rows, vectors, strict=True)]
        )
        done, before = done + len(rows), rows
        if progress is not None:
            progress(done)
    return done
