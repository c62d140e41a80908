"""The built-in embedder: all-MiniLM-L6-v2 with int8 weights and float32 arithmetic, in numpy, without a download."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from bethink.embedding.encoder import encode
from bethink.embedding.weights import FOLDER, WEIGHTS_SHA256, Weights, load_vocabulary, load_weights
from bethink.embedding.windows import embed_windows
from bethink.embedding.wordpiece import WordPiece
from bethink.ports.embedder import EmbedSpec
from bethink.text.template import TEMPLATE
from bethink.text.windows import split_to_windows

SPEC: Final = EmbedSpec(
    provider="builtin",
    model="all-MiniLM-L6-v2",
    revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    weights_sha256=WEIGHTS_SHA256,
    numerics="w8a32",
    dims=384,
    max_tokens=256,
    pooling="mean",
    normalize=True,
    query_prefix="",
    doc_prefix="",
    text_template=TEMPLATE,
)

T = TypeVar("T")


class _Once(Generic[T]):
    """A value made when it is first asked for, once, whichever thread asks; a failure is not kept."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: list[T] = []

    def get(self) -> T:
        """The value, made now if it is not yet."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]


class MiniLmEmbedder:
    """The built-in embedder. Making one reads nothing; the first use reads and checks the files in `folder`.

    Vectors of a text are bit-identical alone and in any batch, on one machine and BLAS. Empty and blank text have the
    vector of the two framing tokens alone. A lone surrogate, a NUL and other controls are read as if absent. Threads
    may share it and run side by side; it starts none itself and holds BLAS to one while it runs. Every
    method that embeds or counts raises `WeightsCorrupt` when a file is missing or changed.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._weights: _Once[Weights] = _Once(lambda: load_weights(folder))
        self._tokenizer: _Once[WordPiece] = _Once(lambda: WordPiece(load_vocabulary(folder)))

    @property
    def spec(self) -> EmbedSpec:
        """What decides its vectors; known without reading a file."""
        return SPEC

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), 384); a text of several windows has their normalised mean."""
        return embed_windows(texts, self._split, self._encode)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (384,), the same as the document's with this text."""
        vector: NDArray[np.float32] = self.embed_documents((text,))[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Tokens of `text`, the two framing ones included."""
        return len(self._tokenizer.get().encode(text))

    def windows(self, text: str) -> int:
        """Into how many windows `text` is split; 1 is not split."""
        return len(self._split(text))

    def _split(self, text: str) -> list[str]:
        return split_to_windows(text, SPEC.max_tokens, self.count_tokens)

    def _encode(self, windows: list[str]) -> NDArray[np.float32]:
        tokenizer = self._tokenizer.get()
        return encode(self._weights.get(), [tokenizer.encode(window) for window in windows])
