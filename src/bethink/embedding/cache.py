"""A bounded memory of query vectors, so a question asked again costs nothing."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from bethink.errors import InvalidInput
from bethink.ports.embedder import Embedder, EmbedSpec


class CachedEmbedder:
    """An embedder that remembers its `capacity` most recently used query vectors; documents pass through.

    A query is kept by space id and a digest of its text, never the text itself. Cached vectors are read-only. Threads
    may share it; two that ask the same new question at once may both compute it, to the same bytes.

    Raises:
        InvalidInput: `capacity` is below 1.
    """

    def __init__(self, embedder: Embedder, capacity: int) -> None:
        if capacity < 1:
            raise InvalidInput(f"A query cache holds at least one vector, not {capacity}.")
        self._embedder = embedder
        self._capacity = capacity
        self._lock = Lock()
        self._vectors: OrderedDict[tuple[str, bytes], NDArray[np.float32]] = OrderedDict()

    @property
    def spec(self) -> EmbedSpec:
        """The wrapped embedder's."""
        return self._embedder.spec

    def __len__(self) -> int:
        return len(self._vectors)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The wrapped embedder's vectors, not remembered."""
        return self._embedder.embed_documents(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The wrapped embedder's vector of shape (dims,), read-only; computed once while it is remembered."""
        key = (self.spec.space_id, hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())
        with self._lock:
            known = self._vectors.get(key)
            if known is not None:
                self._vectors.move_to_end(key)
                return known
        vector = self._embedder.embed_query(text).copy()
        vector.flags.writeable = False
        with self._lock:
            self._vectors[key] = vector
            self._vectors.move_to_end(key)
            while len(self._vectors) > self._capacity:
                self._vectors.popitem(last=False)
        return vector

    def count_tokens(self, text: str) -> int:
        """The wrapped embedder's count."""
        return self._embedder.count_tokens(text)

    def windows(self, text: str) -> int:
        """The wrapped embedder's split."""
        return self._embedder.windows(text)

    def clear(self) -> None:
        """Forget every vector, as an erasure asks."""
        with self._lock:
            self._vectors.clear()
