"""Texts longer than a model reads: where they are split, and which characters each part of an entry's words covers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

# Strongest first: a blank line, a line's end, a sentence's end (closing quotes stay with it; CJK stops need no space),
# white space.
_BOUNDARIES: Final = (
    re.compile(r"\n[^\S\n]*\n"),
    re.compile(r"\n"),
    re.compile(r"""[.!?\u2026][")'\]\u2019\u201d\u00bb]*\s|[\u3002\uff01\uff1f]"""),
    re.compile(r"\s"),
)
# Where the search for a window's end starts; English takes a little over four characters a token.
_CHARACTERS_A_TOKEN: Final = 4


def split_to_windows(text: str, max_tokens: int, count: Callable[[str], int]) -> list[str]:
    """`text` as consecutive windows of at most `max_tokens` by `count`; joined they are `text` again.

    A text that fits is one window. Otherwise each window reaches as far as it can, then falls back to the strongest
    boundary in its second half: blank line, line end, sentence end, white space, or any character if there is none.
    `count` must find any single character within `max_tokens`.
    """
    if count(text) <= max_tokens:
        return [text]
    windows: list[str] = []
    start = 0
    while start < len(text):
        end = _window_end(text, start, lambda piece: count(piece) <= max_tokens, max_tokens * _CHARACTERS_A_TOKEN)
        windows.append(text[start:end])
        start = end
    return windows


def _window_end(text: str, start: int, fits: Callable[[str], bool], guess: int) -> int:
    reach = _reach(text, start, fits, guess)
    if reach == len(text):
        return reach
    half = start + (reach - start) // 2
    for boundary in _BOUNDARIES:
        ends = [match.end() for match in boundary.finditer(text, half, reach)]
        if ends and fits(text[start : ends[-1]]):
            return ends[-1]
    return reach


def _reach(text: str, start: int, fits: Callable[[str], bool], guess: int) -> int:
    """A far end for which the window still fits: doubling from `guess`, then halving the gap."""
    near, far = start + 1, min(len(text), start + guess)
    while fits(text[start:far]):
        if far == len(text):
            return far
        near, far = far, min(len(text), far + (far - start))
    while far - near > 1:
        middle = (near + far) // 2
        if fits(text[start:middle]):
            near = middle
        else:
            far = middle
    return near


def covered(windows: Sequence[str], lead: int) -> tuple[tuple[int, int] | None, ...]:
    """Which characters of an entry's own words each window of its text holds, as half-open ranges.

    The ranges follow one another and cover the words exactly. A window that holds none of them has no range.

    Args:
        windows: the text in windows; joined they are the text.
        lead: how many characters of the text stand before the entry's own words.
    """
    ranges: list[tuple[int, int] | None] = []
    at = -lead
    for window in windows:
        start, end = max(at, 0), at + len(window)
        ranges.append((start, end) if end > start else None)
        at = end
    return tuple(ranges)
