from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from bethink.embedding.cache import CachedEmbedder
from bethink.embedding.hashing import HashEmbedder
from bethink.errors import InvalidInput


class Counting(HashEmbedder):
    """Remembers which queries reached it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_query(self, text: str) -> np.ndarray:
        self.asked.append(text)
        return super().embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        return super().embed_documents(texts)


def test_a_question_asked_again_is_not_embedded_again_and_has_the_same_bits():
    inner = Counting()
    cached = CachedEmbedder(inner, 4)
    first, second = cached.embed_query("who is Ana?"), cached.embed_query("who is Ana?")
    assert inner.asked == ["who is Ana?"]
    assert np.array_equal(first, second)
    assert np.array_equal(first, HashEmbedder().embed_query("who is Ana?"))


def test_the_least_recently_used_question_goes_first_and_the_bound_holds():
    inner = Counting()
    cached = CachedEmbedder(inner, 2)
    for text in ("a", "b", "a", "c", "a", "b"):
        cached.embed_query(text)
        assert len(cached) <= 2
    assert inner.asked == ["a", "b", "c", "b"]


def test_another_space_never_answers():
    inner = Counting()
    cached = CachedEmbedder(inner, 4)
    cached.embed_query("a")
    inner._spec = replace(inner.spec, revision="2")
    cached.embed_query("a")
    assert inner.asked == ["a", "a"]


def test_an_answer_cannot_be_changed_under_the_next_asker():
    cached = CachedEmbedder(HashEmbedder(), 4)
    with pytest.raises(ValueError, match="read-only"):
        cached.embed_query("a")[0] = 9


def test_no_text_is_kept_and_clearing_forgets_every_vector():
    inner = Counting()
    cached = CachedEmbedder(inner, 4)
    cached.embed_query("the marker to be erased\ud800")
    assert all("marker" not in repr(key) for key in cached._vectors)
    cached.clear()
    assert len(cached) == 0
    cached.embed_query("the marker to be erased\ud800")
    assert len(inner.asked) == 2


def test_everything_but_queries_is_the_wrapped_embedders():
    inner = HashEmbedder()
    cached = CachedEmbedder(inner, 1)
    texts = ["one", "word " * 300]
    assert cached.spec == inner.spec
    assert np.array_equal(cached.embed_documents(texts), inner.embed_documents(texts))
    assert [cached.count_tokens(text) for text in texts] == [1, 300]
    assert [cached.windows(text) for text in texts] == [1, 2]
    assert len(cached) == 0


def test_many_threads_stay_within_the_bound_and_get_right_answers():
    cached = CachedEmbedder(HashEmbedder(), 8)
    texts = [f"question {number % 20}" for number in range(400)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(cached.embed_query, texts))
    assert len(cached) == 8
    expected = {text: HashEmbedder().embed_query(text) for text in texts}
    assert all(np.array_equal(row, expected[text]) for row, text in zip(answers, texts, strict=True))


def test_a_cache_of_nothing_is_refused():
    with pytest.raises(InvalidInput, match="at least one"):
        CachedEmbedder(HashEmbedder(), 0)
