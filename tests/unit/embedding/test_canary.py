from __future__ import annotations

import numpy as np
import pytest

from bethink.embedding.canary import CANARY_TEXTS, canary, verify_canary
from bethink.embedding.hashing import HashEmbedder
from bethink.errors import EmbedderError


def test_the_canary_is_eight_distinct_vectors_of_the_model(minilm):
    vectors = canary(minilm)
    assert len(set(CANARY_TEXTS)) == 8
    assert vectors.shape == (8, 384)
    assert np.array_equal(vectors, minilm.embed_documents(CANARY_TEXTS))


def test_an_unchanged_model_passes_even_with_another_machines_rounding(minilm):
    stored = canary(minilm)
    verify_canary(minilm, stored)
    verify_canary(minilm, stored + np.float32(1e-5))
    verify_canary(minilm, stored * np.float32(2))


def test_another_model_of_the_same_shape_is_refused_by_name():
    embedder = HashEmbedder()
    with pytest.raises(EmbedderError, match="hash:words-and-trigrams changed under the store"):
        verify_canary(embedder, np.roll(canary(embedder), 1, axis=1))


def test_one_changed_sentence_is_enough_and_is_named():
    embedder = HashEmbedder()
    stored = canary(embedder)
    stored[4] = -stored[4]
    with pytest.raises(EmbedderError, match=r"sentence 5 has cosine -1\.0000"):
        verify_canary(embedder, stored)


@pytest.mark.parametrize("damage", [np.nan, np.inf, 0.0])
def test_a_stored_canary_that_is_no_direction_is_refused(damage):
    embedder = HashEmbedder()
    stored = canary(embedder)
    stored[2] = damage
    with pytest.raises(EmbedderError, match="sentence 3"):
        verify_canary(embedder, stored)


def test_another_shape_is_refused():
    with pytest.raises(EmbedderError, match=r"shape \(8, 64\)"):
        verify_canary(HashEmbedder(64), canary(HashEmbedder(32)))
