"""A test double: an embedder that hashes words and their letter trigrams. Fast and stable; it knows no meaning.

For tests and bench corpora, where a vector must be cheap and the same everywhere. Texts that share words or spellings
come out near each other, paraphrases do not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bethink.embedding.encoder import normalised
from bethink.embedding.windows import embed_windows
from bethink.errors import InvalidInput
from bethink.ports.embedder import EmbedSpec
from bethink.text.template import TEMPLATE
from bethink.text.windows import split_to_windows

_WORD: Final = re.compile(r"\w+")
_MAX_TOKENS: Final = 256


class HashEmbedder:
    """Feature hashing into `dims` dimensions: each word and each of its trigrams adds +1 or -1 to one of them.

    A token is a word. Text without a word has the first unit vector. Threads may share it.

    Raises:
        InvalidInput: `dims` is below 8, where everything collides.
    """

    def __init__(self, dims: int = 64) -> None:
        if dims < 8:
            raise InvalidInput(f"A hash embedder needs at least 8 dimensions, not {dims}.")
        self._spec = EmbedSpec(
            provider="hash",
            model="words-and-trigrams",
            revision="1",
            weights_sha256=None,
            numerics="fp32",
            dims=dims,
            max_tokens=_MAX_TOKENS,
            pooling="sum",
            normalize=True,
            query_prefix="",
            doc_prefix="",
            text_template=TEMPLATE,
        )

    @property
    def spec(self) -> EmbedSpec:
        """What decides its vectors."""
        return self._spec

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), dims); a text of several windows has their normalised mean."""
        return embed_windows(texts, self._split, self._embed)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (dims,), the same as the document's with this text."""
        vector: NDArray[np.float32] = self.embed_documents((text,))[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Words of `text`."""
        return len(_WORD.findall(text))

    def windows(self, text: str) -> int:
        """Into how many windows `text` is split; 1 is not split."""
        return len(self._split(text))

    def _split(self, text: str) -> list[str]:
        return split_to_windows(text, _MAX_TOKENS, self.count_tokens)

    def _embed(self, windows: list[str]) -> NDArray[np.float32]:
        dims = self._spec.dims
        vectors = np.zeros((len(windows), dims), dtype=np.float32)
        for row, window in enumerate(windows):
            for word in _WORD.findall(window.casefold()):
                vectors[row] += _word_vector(word, dims)
            # Hashes may cancel out; a vector of zeros has no direction to compare.
            if not vectors[row].any():
                vectors[row, 0] = 1
            vectors[row] = normalised(vectors[row])
        return vectors


@lru_cache(maxsize=65_536)
def _word_vector(word: str, dims: int) -> NDArray[np.float32]:
    framed = f" {word} "
    vector = np.zeros(dims, dtype=np.float32)
    for feature in (word, *(framed[at : at + 3] for at in range(len(framed) - 2))):
        digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        number = int.from_bytes(digest, "big")
        vector[(number >> 1) % dims] += 1 if number & 1 else -1
    vector.flags.writeable = False
    return vector
