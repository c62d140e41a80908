"""Change the embedding model: a new space is filled beside the old one, which serves until the new one is whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from bethink.operations.upkeep import EmbedResult
from bethink.ports.embedder import Embedder
from bethink.ports.store import Store
from bethink.upkeep.embed_pending import embed_pending


def reembed(
    store: Store,
    embedder: Embedder,
    canary: NDArray[np.float32],
    at: datetime,
    progress: Callable[[int], None] | None = None,
) -> EmbedResult:
    """Give every entry a vector of this model and make its space the active one; what was embedded now.

    Interrupted, it goes on where it stopped: what is embedded stays, and the old space answers until the flip.

    Args:
        store: whose vectors.
        embedder: the model from now on.
        canary: its vectors of the canary sentences, kept with the space.
        at: the present.
        progress: called with the number done so far.

    Raises:
        EmbedderError: the model cannot answer.
        StoreError: the store cannot be written.
    """
    space = embedder.spec.space_id
    store.vectors.register(embedder.spec, canary, at)
    done = embed_pending(store, embedder, progress=progress)
    active = store.vectors.active()
    if active is not None and active.space_id != space:
        store.vectors.flip(space)
    return done
