"""Embed: one text to one vector, outside any transaction. A model that fails delays the vector, never the write."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bethink.errors import EmbedderError, InvalidInput
from bethink.formation.desk import Desk
from bethink.operations.common import Notice
from bethink.ports.embedder import sound
from bethink.ports.store import UnitOfWork

Vectors = NDArray[np.float32]


def embedded(desk: Desk, texts: Sequence[str]) -> tuple[Vectors | None, tuple[Notice, ...]]:
    """Vectors of the texts, shape (len(texts), dims); None without an embedder, or with a notice where it failed."""
    if desk.embedder is None or desk.space is None or not texts:
        return None, ()
    try:
        return sound(desk.embedder.embed_documents(texts), desk.embedder.spec, len(texts)), ()
    except EmbedderError as error:
        text = f"The text is stored and found by its words; its vector follows later ({error.code})."
        return None, (Notice("embedding_pending", text),)


def put_vectors(work: UnitOfWork, desk: Desk, rows: Sequence[tuple[int, NDArray[np.float32]]]) -> bool:
    """Store vectors (key, vector) with what the transaction writes; whether they are in.

    What cannot be stored, because the model serves the store no more or gave no numbers, stays queued.
    """
    if desk.space is None or not rows:
        return False
    try:
        work.put_vectors(desk.space, rows)
    except (EmbedderError, InvalidInput):
        return False
    return True


def put_added(work: UnitOfWork, desk: Desk, vectors: Vectors | None, keys: Sequence[int | None]) -> bool:
    """Store the vectors of what was added; whether nothing is left without one.

    Args:
        work: the write under way.
        desk: whose model made the vectors.
        vectors: one row for each key, None without a model.
        keys: index keys of the texts, None for one that was not added.
    """
    added = [(key, row) for row, key in enumerate(keys) if key is not None]
    if not added:
        return True
    return vectors is not None and put_vectors(work, desk, [(key, vectors[row]) for key, row in added])


def waits(desk: Desk) -> bool:
    """Whether what is written without a vector waits for one: some model serves the store, here or elsewhere."""
    return desk.space is not None or desk.store.vectors.active() is not None
