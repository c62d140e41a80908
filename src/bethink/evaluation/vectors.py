"""Vectors kept between runs, by space and text, so that an evaluation embeds every text once in its life."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bethink.errors import OutputFailed
from bethink.evaluation.plain import make_folder
from bethink.ports.embedder import Embedder, EmbedSpec

_DIGEST, _SUM = 16, 4
_AT_ONCE = 64
"""Texts embedded before their vectors are written: what an interruption costs at most."""


class KeptVectors:
    """An embedder whose vectors are kept in a file, one for each space; texts themselves are not written.

    The file is a row of records: 16 bytes of digest over the role (document or query) and the text, the vector in
    float32 little-endian, and a CRC-32 of both. A record that is cut short or damaged is read as absent and embedded
    again. Vectors are those of the model to the bit.

    Raises:
        OutputFailed: the file or its folder cannot be used.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._path = folder / f"{embedder.spec.space_id}.vectors"
        make_folder(self._path)
        self._known = _read(self._path, embedder.spec.dims)
        self.computed = 0

    @property
    def spec(self) -> EmbedSpec:
        """The wrapped embedder's."""
        return self._embedder.spec

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), dims), those not kept yet computed and kept."""
        keys = [_key("document", text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        waiting = sorted(missing, key=lambda key: (len(missing[key]), key))  # a batch of like lengths is padded least
        for start in range(0, len(waiting), _AT_ONCE):
            batch = waiting[start : start + _AT_ONCE]
            self._keep(batch, self._embedder.embed_documents([missing[key] for key in batch]))
        rows = [self._known[key] for key in keys]
        return np.stack(rows) if rows else np.zeros((0, self.spec.dims), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (dims,)."""
        key = _key("query", text)
        if key not in self._known:
            self._keep([key], self._embedder.embed_query(text)[None])
        return self._known[key]

    def count_tokens(self, text: str) -> int:
        """The wrapped embedder's count."""
        return self._embedder.count_tokens(text)

    def windows(self, text: str) -> int:
        """The wrapped embedder's split."""
        return self._embedder.windows(text)

    def _keep(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        """Remember vectors and append them to the file, whole records in one write."""
        plain = np.ascontiguousarray(rows, dtype="<f4")
        bodies = [key + row.tobytes() for key, row in zip(keys, plain, strict=True)]
        data = b"".join(body + zlib.crc32(body).to_bytes(_SUM, "little") for body in bodies)
        try:
            with self._path.open("ab", buffering=0) as file:
                size = _DIGEST + plain.shape[1] * 4 + _SUM
                torn = os.fstat(file.fileno()).st_size % size
                file.write(bytes(size - torn if torn else 0) + data)  # what an interruption tore is filled up
        except OSError as error:
            raise _unusable(self._path, error) from error
        self._known |= {key: _frozen(row) for key, row in zip(keys, plain, strict=True)}
        self.computed += len(keys)


def _key(role: str, text: str) -> bytes:
    """What a vector is kept by: a model may embed a question unlike a document."""
    return hashlib.blake2b(f"{role}\0{text}".encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def _frozen(row: NDArray[np.float32]) -> NDArray[np.float32]:
    """A copy that nobody can change."""
    kept = np.array(row, dtype=np.float32)
    kept.flags.writeable = False
    return kept


def _unusable(path: Path, error: OSError) -> OutputFailed:
    """What a file of vectors that cannot be read or written comes to."""
    return OutputFailed(
        f"The vectors at {path} cannot be kept: {error.strerror}.", remedy="Name another folder with --cache."
    )


def _read(path: Path, dims: int) -> dict[bytes, NDArray[np.float32]]:
    """Every sound record of a file, none when there is no file."""
    if not path.exists():
        return {}
    try:
        data, size = path.read_bytes(), _DIGEST + dims * 4 + _SUM
    except OSError as error:
        raise _unusable(path, error) from error
    found = {}
    for start in range(0, len(data) - size + 1, size):
        body, told = data[start : start + size - _SUM], data[start + size - _SUM : start + size]
        if zlib.crc32(body).to_bytes(_SUM, "little") == told:
            found[body[:_DIGEST]] = _frozen(np.frombuffer(body, "<f4", offset=_DIGEST))
    return found
