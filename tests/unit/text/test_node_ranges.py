"""Where a text is split, and which of its characters each node holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.text.windows import covered, split_to_windows

PROSE = st.text(st.sampled_from("ab .!?\n\t\"'。é中\U0001f600"), min_size=1, max_size=300)


def words(text: str) -> int:
    """How long the window counts a text to be."""
    return len(text.split())


@requirement("B51")
@given(text=PROSE, lead=st.text(st.sampled_from("[] ab:"), max_size=40), limit=st.integers(1, 12))
def test_nodes_cover_the_words_exactly_and_none_overlaps(text, lead, limit):
    windows = split_to_windows(lead + text, limit, words)
    ranges = covered(windows, len(lead))
    held = [place for place in ranges if place is not None]

    assert "".join(text[start:end] for start, end in held) == text
    assert [start for start, _ in held] == [0, *(end for _, end in held[:-1])]
    assert held[-1][1] == len(text)
    assert all(
        (lead + text)[start + len(lead) : end + len(lead)] == window[-(end - start) :]
        for window, place in zip(windows, ranges, strict=True)
        if place is not None
        for start, end in (place,)
    )


@requirement("B51")
@given(text=PROSE, limit=st.integers(1, 12))
def test_the_same_text_and_window_give_the_same_nodes(text, limit):
    first = covered(split_to_windows(text, limit, words), 0)
    assert covered(split_to_windows(text, limit, words), 0) == first


def test_a_window_that_the_template_fills_alone_holds_no_words():
    assert covered(["[8 May] ", "Ann: x", "y"], 13) == (None, (0, 1), (1, 2))
