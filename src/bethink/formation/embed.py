"""Embed: one text to one vector, outside any transaction. A model that fails delays the vector, never the write."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bethink.errors import DeadlineExceeded, EmbedderError, StoreError
from bethink.formation.desk import Desk
from bethink.operations.common import Notice

Vectors = NDArray[np.float32]


def embedded(desk: Desk, texts: Sequence[str]) -> tuple[Vectors | None, tuple[Notice, ...]]:
    """Vectors of the texts, shape (len(texts), dims); None without an embedder, or with a notice where it failed."""
    if desk.embedder is None or desk.space is None or not texts:
        return None, ()
    try:
        return desk.embedder.embed_documents(texts), ()
    except EmbedderError as error:
        text = f"The text is stored and found by its words; its vector follows later ({error.code})."
        return None, (Notice("embedding_pending", text),)


def waits(desk: Desk) -> bool:
    """Whether what is written now waits for a vector: some model serves the store, here or elsewhere."""
    return desk.space is not None or desk.store.vectors.active() is not None


def put_vectors(desk: Desk, keys: Sequence[int], vectors: Vectors | None) -> bool:
    """Store the vectors of committed entries; whether they are in. What is not stays queued and is embedded later."""
    if vectors is None or desk.space is None:
        return False
    try:
        desk.store.vectors.put(
            desk.space, [(desk.tenant, key, vector) for key, vector in zip(keys, vectors, strict=True)]
        )
    except (StoreError, DeadlineExceeded):
        return False
    return True
