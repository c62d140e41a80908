import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.text.characters import clusters
from bethink.text.tokens import BYTES_PER_TOKEN, ESTIMATOR, MARKER, cut_to_tokens, estimate_tokens

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
LIVELY = st.lists(
    st.sampled_from(["word", " ", "é", "e\u0301", "👨\u200d👩\u200d👧", "🇩🇪", "👍🏽", "我", "क्ष", "\n"]), max_size=60
)


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("我", 1), ("我们", 2), ("é" * 4, 2)]
)
def test_a_token_is_a_quarter_of_the_bytes_rounded_up(text, tokens):
    assert ESTIMATOR == "bytes/4"
    assert estimate_tokens(text) == tokens


@given(TEXTS)
def test_the_estimate_is_exactly_that_of_the_bytes(text):
    assert estimate_tokens(text) == -(-len(text.encode()) // BYTES_PER_TOKEN)


@given(TEXTS, st.integers(-3, 80))
def test_a_cut_never_exceeds_the_budget_and_tells_whether_it_cut(text, budget):
    kept, was_cut = cut_to_tokens(text, budget)
    assert estimate_tokens(kept) <= max(budget, 0)
    assert was_cut == (kept != text)
    if was_cut and kept:
        assert kept.endswith(MARKER)
        assert text.startswith(kept.removesuffix(MARKER))


@given(LIVELY, st.integers(3, 40))
def test_a_cut_falls_between_characters(parts, budget):
    text = "".join(parts)
    kept, was_cut = cut_to_tokens(text, budget)
    if was_cut and kept:
        rest = kept.removesuffix(MARKER)
        assert clusters(text)[: len(clusters(rest))] == clusters(rest)
        following = text[len(rest) : len(rest) + 1]
        assert not following or not unicodedata.combining(following)


def test_a_cut_falls_between_words_when_a_space_is_near():
    assert cut_to_tokens("remember that Caroline moved to Berlin", 9) == ("remember that Caroline moved […]", True)


def test_text_without_spaces_is_cut_between_letters():
    assert cut_to_tokens("我喜欢喝咖啡和茶", 5) == ("我喜欢喝 […]", True)


def test_a_budget_too_small_for_anything_leaves_nothing():
    assert cut_to_tokens("hello world", 1) == ("", True)
    assert cut_to_tokens("hello world", 0) == ("", True)
    assert cut_to_tokens("", 0) == ("", False)


def test_one_character_larger_than_the_budget_is_cut_rather_than_lost():
    kept, was_cut = cut_to_tokens("a" + "\u0301" * 400, 20)
    assert was_cut
    assert kept.startswith("a\u0301")
    assert estimate_tokens(kept) <= 20


def test_another_marker_counts_too():
    kept, _ = cut_to_tokens("one two three four five six", 5, marker="...")
    assert kept == "one two three..."
    assert estimate_tokens(kept) <= 5
