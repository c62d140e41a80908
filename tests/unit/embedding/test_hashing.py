from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.embedding.hashing import HashEmbedder
from bethink.errors import InvalidInput


def test_vectors_are_the_same_on_every_machine_and_run():
    vector = HashEmbedder(8).embed_query("Ana likes strong coffee")
    assert np.round(vector, 4).tolist() == [
        0.0,
        -0.534500002861023,
        0.0,
        0.0,
        0.534500002861023,
        0.267300009727478,
        -0.534500002861023,
        0.267300009727478,
    ]


def test_it_says_that_it_is_a_test_double():
    spec = HashEmbedder().spec
    assert (spec.provider, spec.dims, spec.weights_sha256) == ("hash", 64, None)
    assert HashEmbedder(32).spec.space_id != spec.space_id


def test_shared_words_are_nearer_than_none():
    embedder = HashEmbedder()
    query = embedder.embed_query("When did Ana move to Lisbon?")
    near, far = embedder.embed_documents(["Ana moved to Lisbon in March", "The kettle whistles twice"])
    assert query @ near > query @ far + 0.2


def test_every_text_has_a_finite_vector_of_length_one_alone_and_in_a_batch(any_text):
    embedder = HashEmbedder(8)

    @given(texts=st.lists(any_text, max_size=4))
    def holds(texts: list[str]) -> None:
        vectors = embedder.embed_documents(texts)
        assert vectors.shape == (len(texts), 8)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
        assert all(np.array_equal(row, embedder.embed_query(text)) for row, text in zip(vectors, texts, strict=True))

    holds()


def test_text_without_a_word_has_the_first_unit_vector():
    assert all(row.tolist() == [1] + [0] * 63 for row in HashEmbedder().embed_documents(["", " \n", "?!", "\ud800"]))


def test_long_text_is_split_and_said_so():
    embedder = HashEmbedder()
    assert embedder.count_tokens("one two three") == 3
    assert embedder.windows("word " * 256) == 1
    assert embedder.windows("word " * 257) == 2
    ending = embedder.embed_query("word " * 300 + "cello")
    assert not np.array_equal(ending, embedder.embed_query("word " * 300 + "kettle"))


def test_too_few_dimensions_are_refused():
    with pytest.raises(InvalidInput, match="at least 8"):
        HashEmbedder(7)
