from __future__ import annotations

import hashlib

import numpy as np

from bethink.embedding.minilm import SPEC
from bethink.embedding.weights import (
    FOLDER,
    VOCABULARY_NAME,
    VOCABULARY_SHA256,
    WEIGHTS_NAME,
    WEIGHTS_SHA256,
    load_vocabulary,
    load_weights,
)


def test_every_shipped_file_has_the_digest_that_is_written_beside_it_and_in_the_code():
    sums = dict(reversed(line.split("  ")) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {path.name for path in FOLDER.iterdir()} - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name
    assert sums[WEIGHTS_NAME] == WEIGHTS_SHA256 == SPEC.weights_sha256
    assert sums[VOCABULARY_NAME] == VOCABULARY_SHA256


def test_the_notice_names_the_model_its_revision_its_digest_and_the_change():
    notice = (FOLDER / "NOTICE").read_text()
    for words in (
        "sentence-transformers/all-MiniLM-L6-v2",
        SPEC.revision,
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "quantised to int8 per row",
    ):
        assert words in notice
    assert (FOLDER / "LICENSE").read_text().lstrip().startswith("Apache License")


def test_the_vocabulary_has_every_piece_of_the_word_table():
    vocabulary = load_vocabulary()
    assert len(vocabulary) == len(set(vocabulary)) == len(load_weights().word) == 30_522
    assert [vocabulary[number] for number in (0, 100, 101, 102, 103)] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def test_matrices_are_int8_and_everything_else_float32():
    weights = load_weights()
    assert weights.word.dtype == np.int8
    assert weights.position.shape == (SPEC.max_tokens, SPEC.dims)
    for layer in weights.layers:
        assert [affine.matrix.dtype for affine in layer.affines] == [np.int8] * 4
        assert [affine.matrix.shape for affine in layer.affines] == [(384, 1152), (384, 384), (384, 1536), (1536, 384)]
        assert {affine.scale.dtype for affine in layer.affines} == {np.dtype(np.float32)}
