"""The script that builds the shipped weights. The tests that need the official file skip visibly without it."""

from __future__ import annotations

import importlib.util
import struct
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.embedding.encoder import encode
from bethink.embedding.weights import FOLDER, assemble

SCRIPT = Path(__file__).parents[3] / "scripts" / "build_weights.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_weights", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["build_weights"] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


def test_building_twice_gives_the_shipped_bytes(script, weights_source, tmp_path):
    for name in ("first", "second"):
        script.build(weights_source, tmp_path / name)
    for path in FOLDER.iterdir():
        for name in ("first", "second"):
            assert (tmp_path / name / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_encoder_over_the_official_weights_equals_the_float64_forward_pass(
    script, weights_source, golden, wordpiece
):
    texts = [row["text"] for row in golden]
    vectors = encode(official_weights(script, weights_source), [wordpiece.encode(text) for text in texts])
    expected = np.array([row["fp32_e5"] for row in golden]) / 1e5
    assert np.abs(vectors - expected).max() < 1e-4


def test_int8_costs_under_two_thousandths_of_cosine_on_two_hundred_sentences(script, weights_source, wordpiece, minilm):
    people, places = ("Ana", "Yusuf", "Mei", "Tom", "Ingrid"), ("Lisbon", "Oslo", "the clinic", "school", "work")
    matters = (
        "is allergic to peanuts and says so before every dinner",
        "moved away after the second interview and likes the new flat",
        "asked whether we could meet on Tuesday instead, around half past four",
        "never finished the report; the deadline slipped to 15 March 2024",
        "prefers short answers, no greetings, and code before prose",
        "sold the old car, then borrowed mine for a fortnight",
        "played the cello at the concert and was nervous all week",
        "wants the deploy script to stop when a health check fails",
    )
    texts = [f"{who}, back from {where}, {what}." for who in people for where in places for what in matters]
    official = encode(official_weights(script, weights_source), [wordpiece.encode(text) for text in texts])
    cosines = np.sum(minilm.embed_documents(texts) * official, axis=1)
    assert len(texts) == 200
    assert cosines.min() >= 0.998
    assert cosines.mean() >= 0.999


def official_weights(script, source):
    """The official float32 weights in the encoder's shape: quantising that keeps every number, with scales of one."""
    original = script.quantise
    script.quantise = lambda matrix: (matrix, np.ones(len(matrix), dtype=np.float32))
    try:
        return assemble(script.convert(script.parse_safetensors(script.read_source(source).safetensors)))
    finally:
        script.quantise = original


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 8), columns=st.integers(1, 16))
def test_quantising_errs_by_at_most_half_a_step_per_row(script, seed, rows, columns):
    matrix = np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)
    matrix[0] = 0
    quantised, scale = script.quantise(matrix)
    assert quantised.dtype == np.int8
    assert np.all(np.abs(quantised * scale[:, None] - matrix) <= scale[:, None] * 0.5001)
    assert np.all(np.abs(quantised[1:].astype(int)).max(axis=1) == 127)


def test_a_packed_file_carries_neither_clock_nor_order(script):
    arrays = {"b": np.arange(3, dtype=np.float32), "a": np.ones((2, 2), dtype=np.int8)}
    packed = script.pack(arrays)
    assert packed == script.pack(dict(reversed(arrays.items())))


def test_safetensors_are_read_without_unpickling(script):
    header = (
        b'{"__metadata__":{"format":"pt"},"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},'
        b'"w":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]}}'
    )
    content = struct.pack("<Q", len(header)) + header + bytes(8) + struct.pack("<2f", 1.5, -2)
    tensors = script.parse_safetensors(content)
    assert {name: tensor.tolist() for name, tensor in tensors.items()} == {"w": [[1.5], [-2.0]]}


def test_any_other_file_is_refused_by_its_digest(script, tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"not the model")
    (tmp_path / "vocab.txt").write_bytes(b"words")
    with pytest.raises(SystemExit, match="not the official"):
        script.build(tmp_path / "model.safetensors", tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr("pkg/readme.txt", "nothing here")
    with pytest.raises(SystemExit, match=r"no model\.safetensors"):
        script.build(tmp_path / "other.whl", tmp_path / "out")
    assert not (tmp_path / "out").exists()
