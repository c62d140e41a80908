"""The shipped weights of all-MiniLM-L6-v2: checked against their released digest, then read; never unpickled.

``scripts/build_weights.py`` makes the files and names what each array holds.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bethink.errors import WeightsCorrupt

FOLDER: Final = Path(__file__).with_name("weights")
WEIGHTS_NAME: Final = "all-MiniLM-L6-v2.w8a32.npz"
WEIGHTS_SHA256: Final = "36bab14606f472335f08cc0ff8a56a1599a65aaa4fb6d00b4ef1bb63490ae285"
VOCABULARY_NAME: Final = "vocab.txt"
VOCABULARY_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
LAYERS: Final = 6

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Affine:
    """A matrix (in, out), whole numbers in int8 or any float32, with a scale and a bias per output."""

    matrix: NDArray[np.int8] | Floats
    scale: Floats
    bias: Floats

    def widened(self, scratch: Floats) -> Affine:
        """The same in float32, written into `scratch`, a flat array that must hold the matrix.

        Small integers are exact in float32, so the scale can wait until after the product.
        """
        matrix = scratch[: self.matrix.size].reshape(self.matrix.shape)
        np.copyto(matrix, self.matrix)
        return Affine(matrix, self.scale, self.bias)

    def apply(self, rows: Floats) -> Floats:
        """Rows of shape (n, in) to rows of shape (n, out); call it on what `widened` returns."""
        result: Floats = np.matmul(rows, self.matrix, dtype=np.float32)
        result *= self.scale
        result += self.bias
        return result


@dataclass(frozen=True, slots=True)
class Norm:
    """The gain and bias of a layer normalisation."""

    gain: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Layer:
    """One transformer layer: joined query, key and value; attention's output; the two feed-forward matrices."""

    qkv: Affine
    mix: Affine
    mix_norm: Norm
    up: Affine
    down: Affine
    down_norm: Norm

    @property
    def affines(self) -> tuple[Affine, ...]:
        """The four matrices, in the order they are applied."""
        return (self.qkv, self.mix, self.up, self.down)


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything the encoder reads. `word` is (vocabulary, dims), `word_scale` one scale per row of it."""

    word: NDArray[np.int8] | Floats
    word_scale: Floats
    position: Floats
    embed_norm: Norm
    layers: tuple[Layer, ...]


def load_weights(folder: Path = FOLDER) -> Weights:
    """Read and check the weights in `folder`.

    Raises:
        WeightsCorrupt: the file is missing, or its bytes are not the released ones.
    """
    path = folder / WEIGHTS_NAME
    with _open(path) as file:
        _require(path, hashlib.file_digest(file, "sha256").hexdigest(), WEIGHTS_SHA256)
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as arrays:
                return assemble({name: arrays[name] for name in arrays.files})
        except (ValueError, KeyError, OSError, zipfile.BadZipFile) as problem:
            # Only a file changed between the two reads gets here.
            raise WeightsCorrupt(f"The weights file {path} cannot be read: {problem}.") from problem


def load_vocabulary(folder: Path = FOLDER) -> list[str]:
    """Read and check the vocabulary in `folder`: one piece a line, the line number is its id.

    Raises:
        WeightsCorrupt: the file is missing, or its bytes are not the released ones.
    """
    path = folder / VOCABULARY_NAME
    with _open(path) as file:
        content = file.read()
    _require(path, hashlib.sha256(content).hexdigest(), VOCABULARY_SHA256)
    return content.decode("utf-8").removesuffix("\n").split("\n")


def assemble(arrays: Mapping[str, NDArray[Any]]) -> Weights:
    """The weights from arrays named as the build script names them; `KeyError` if one is missing."""

    def affine(name: str, layer: int) -> Affine:
        return Affine(arrays[f"{name}.q"][layer], arrays[f"{name}.scale"][layer], arrays[f"{name}.bias"][layer])

    def norm(name: str, layer: int) -> Norm:
        return Norm(arrays[f"{name}.gain"][layer], arrays[f"{name}.bias"][layer])

    return Weights(
        word=arrays["word.q"],
        word_scale=arrays["word.scale"],
        position=arrays["position"],
        embed_norm=Norm(arrays["embed_norm.gain"], arrays["embed_norm.bias"]),
        layers=tuple(
            Layer(
                qkv=affine("qkv", layer),
                mix=affine("mix", layer),
                mix_norm=norm("mix_norm", layer),
                up=affine("up", layer),
                down=affine("down", layer),
                down_norm=norm("down_norm", layer),
            )
            for layer in range(LAYERS)
        ),
    )


def _open(path: Path) -> BufferedReader:
    try:
        return path.open("rb")
    except OSError as problem:
        raise WeightsCorrupt(f"The weights file {path} cannot be opened: {problem.strerror}.") from problem


def _require(path: Path, digest: str, expected: str) -> None:
    if digest != expected:
        raise WeightsCorrupt(f"The weights file {path} has SHA-256 {digest}, not the released {expected}.")
