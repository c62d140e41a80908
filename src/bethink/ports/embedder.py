"""What turns text into vectors, and how a model is told from another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.errors import EmbedderError


@dataclass(frozen=True, slots=True)
class EmbedSpec:
    """Everything that decides a vector. Two specs that differ anywhere are two spaces, never compared."""

    provider: str
    model: str
    revision: str
    weights_sha256: str | None
    numerics: str
    dims: int
    max_tokens: int
    pooling: str
    normalize: bool
    query_prefix: str
    doc_prefix: str
    text_template: str

    @property
    def space_id(self) -> str:
        """The first 16 hex digits of SHA-256 over the spec's canonical JSON."""
        canonical = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]


class Embedder(Protocol):
    """A model that embeds. Rows are float32, L2-normalised, the same alone and in a batch, never NaN."""

    @property
    def spec(self) -> EmbedSpec:
        """What decides its vectors."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), dims)."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (dims,)."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens the model would read, without a limit."""
        ...

    def windows(self, text: str) -> int:
        """Into how many windows the text is split for the model; 1 is not split."""
        ...


def sound(rows: NDArray[np.float32], spec: EmbedSpec, count: int) -> NDArray[np.float32]:
    """What a model gave, when it is `count` vectors of its length and all of it numbers.

    Raises:
        EmbedderError: it is not, so no vector of it can be used.
    """
    if rows.shape != (count, spec.dims):
        msg = f"The model {spec.provider}:{spec.model} gave {rows.shape} instead of {count} vectors of {spec.dims}."
        raise EmbedderError(msg)
    if not np.isfinite(rows).all():
        raise EmbedderError(f"The model {spec.provider}:{spec.model} gave a vector with values that are no numbers.")
    return rows


def pooled(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector of a text from its windows', shape (windows, dims): the only one, else their normalised mean."""
    if len(vectors) == 1:
        alone: NDArray[np.float32] = vectors[0]
        return alone
    mean = np.mean(vectors, axis=0)
    length = np.sqrt(np.dot(mean, mean))
    middle: NDArray[np.float32] = mean / length if length > 0 else mean
    return middle
