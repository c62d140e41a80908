"""Vectors of texts that a model reads in several windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bethink.ports.embedder import pooled


def embed_windows(
    texts: Sequence[str], split: Callable[[str], list[str]], embed: Callable[[list[str]], NDArray[np.float32]]
) -> NDArray[np.float32]:
    """One vector per text: its window's, or the normalised mean of its windows' when `split` gives several."""
    parts = [split(text) for text in texts]
    vectors = embed([window for windows in parts for window in windows])
    rows = np.empty((len(texts), vectors.shape[1]), dtype=np.float32)
    start = 0
    for row, windows in enumerate(parts):
        end = start + len(windows)
        rows[row] = pooled(vectors[start:end])
        start = end
    return rows
