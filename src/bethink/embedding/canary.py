"""Eight fixed sentences whose stored vectors show whether the model behind a space is still the same."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bethink.errors import EmbeddingMismatch
from bethink.ports.embedder import Embedder, sound

CANARY_TEXTS: Final = (
    "The quick brown fox jumps over the lazy dog.",
    "Please keep your answers short.",
    "Our deploy on 2024-03-15 failed with exit code 137.",
    "My sister Ana lives in Lisbon and is allergic to peanuts.",
    "def parse(line: str) -> dict[str, int]: ...",
    "¿Dónde está la biblioteca?",
    "明日の会議は午後三時からです。",
    "No, I never said that!",
)
"""Fixed for ever: changing one makes every stored canary look like another model."""

CANARY_COSINE: Final = 0.999
"""At least this between then and now. Rounding differs between machines far below it, models far above."""


def canary(embedder: Embedder) -> NDArray[np.float32]:
    """The vectors of `CANARY_TEXTS`, shape (8, dims), each embedded alone.

    Raises:
        EmbedderError: the model cannot answer, or not with vectors.
    """
    return np.concatenate([sound(embedder.embed_documents((text,)), embedder.spec, 1) for text in CANARY_TEXTS])


def verify_canary(embedder: Embedder, stored: NDArray[np.float32]) -> None:
    """Check that `embedder` still gives the `stored` canary.

    Raises:
        EmbeddingMismatch: the shape differs, or a sentence's cosine is below `CANARY_COSINE` (0 for a damaged vector).
    """
    current = canary(embedder)
    named = f"{embedder.spec.provider}:{embedder.spec.model}"
    if current.shape != stored.shape:
        raise EmbeddingMismatch(
            f"The model {named} changed under the store: its canary has shape {current.shape}, the stored one"
            f" {stored.shape}."
        )
    cosines = [_cosine(now, then) for now, then in zip(current, stored, strict=True)]
    worst = int(np.argmin(cosines))
    if cosines[worst] < CANARY_COSINE:
        raise EmbeddingMismatch(
            f"The model {named} changed under the store: canary sentence {worst + 1} has cosine {cosines[worst]:.4f}"
            f" to its stored vector, below {CANARY_COSINE}."
        )


def unrelated(stored: NDArray[np.float32]) -> tuple[float, ...]:
    """The cosines of a stored canary's sentences to each other: none has anything to do with another."""
    return tuple(_cosine(one, other) for at, one in enumerate(stored) for other in stored[:at])


def _cosine(now: NDArray[np.float32], then: NDArray[np.float32]) -> float:
    """Their cosine; 0 when one of them has no direction."""
    if not (np.isfinite(now).all() and np.isfinite(then).all()):
        return 0.0
    # In float64 the square of no float32 overflows.
    first, second = now.astype(np.float64), then.astype(np.float64)
    length = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / length if length > 0 else 0.0
