from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.embedding.windows import embed_windows
from bethink.text.windows import split_to_windows

PROSE = st.text(st.sampled_from("ab .!?\n\t\"'。é中"), max_size=300)


def words(text: str) -> int:
    return len(text.split())


@given(text=PROSE, limit=st.integers(1, 12))
def test_windows_joined_are_the_text_and_none_is_too_long(text, limit):
    windows = split_to_windows(text, limit, words)
    assert "".join(windows) == text
    assert all(words(window) <= limit for window in windows)


@given(text=PROSE, limit=st.integers(3, 12))
def test_the_same_holds_under_the_models_own_count(wordpiece, text, limit):
    def count(piece: str) -> int:
        return len(wordpiece.encode(piece))

    windows = split_to_windows(text, limit, count)
    assert "".join(windows) == text
    assert all(count(window) <= limit for window in windows)


@given(text=PROSE, limit=st.integers(1, 12))
def test_a_text_is_split_exactly_when_it_does_not_fit(text, limit):
    assert (len(split_to_windows(text, limit, words)) == 1) == (words(text) <= limit)


@given(text=PROSE, limit=st.integers(1, 12))
def test_no_window_of_a_split_text_is_blank(text, limit):
    windows = split_to_windows(text, limit, words)
    assert len(windows) == 1 or all(window.strip() for window in windows)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b c d\n\ne\nf. g h", ["a b c d\n\n", "e\nf. g h"]),
        ("a b c d\ne. f g h i", ["a b c d\n", "e. f g h i"]),
        ("a b c d. e f g h i", ["a b c d. ", "e f g h i"]),
        ('a b "c d!" e f g h', ['a b "c d!" ', "e f g h"]),
        ("a b c d e f g h i j", ["a b c d e f ", "g h i j"]),
        ("a\n\nb c d e f g h", ["a\n\nb c d e f ", "g h"]),
    ],
    ids=["blank line", "line end", "sentence end", "closing quote", "white space", "only the second half counts"],
)
def test_a_window_ends_at_the_strongest_boundary_in_its_second_half(text, expected):
    assert split_to_windows(text, 6, words) == expected


def test_text_without_white_space_is_split_at_cjk_stops_and_then_anywhere():
    assert split_to_windows("中文一句。中文二句中文", 8, len) == ["中文一句。", "中文二句中文"]
    assert split_to_windows("x" * 20, 8, len) == ["xxxxxxxx", "xxxxxxxx", "xxxx"]


def test_a_count_that_falls_as_the_text_grows_still_never_exceeds_the_limit(wordpiece):
    def count(piece: str) -> int:
        return len(wordpiece.encode(piece))

    # A word past 100 characters is one token; cut short it is many.
    text = " ".join(["word"] * 250 + ["qz" * 300] + ["word"] * 300)
    windows = split_to_windows(text, 256, count)
    assert "".join(windows) == text
    assert max(map(count, windows)) <= 256


def test_a_boundary_whose_window_would_not_fit_is_passed_over():
    def count(piece: str) -> int:
        return len(piece) if len(piece) == 1 or not piece.endswith(" ") else 99

    windows = split_to_windows("ab cd ef gh", 8, count)
    assert "".join(windows) == "ab cd ef gh"
    assert max(map(count, windows)) <= 8


def test_a_split_text_has_the_normalised_mean_of_its_windows():
    vectors = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [0.6, 0.8]}

    def embed(windows: list[str]) -> np.ndarray:
        return np.array([vectors[window] for window in windows], dtype=np.float32)

    rows = embed_windows(["ab", "c"], list, embed)
    assert np.allclose(rows, [[0.5**0.5, 0.5**0.5], [0.6, 0.8]], atol=1e-7)
    assert rows.dtype == np.float32
