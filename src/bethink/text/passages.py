"""A document in passages: by its headings, each of a size to be read at once, word for word and without overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from bethink.text.sections import Outline
from bethink.text.tokens import estimate_tokens
from bethink.text.windows import split_to_windows

SPLITTER: Final = "passages@1"
"""Name and version of the rules; the same text has the same passages under them."""

TARGET, CEILING, FLOOR = 600, 1_000, 100
"""Tokens of a passage by the budget's estimate: what a long section is parted into, the most, and what stands alone."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text: ``text[start:end]``, the headings it stands under, and the line it begins in, from 1."""

    start: int
    end: int
    line: int
    headings: tuple[str, ...]


def passages(text: str) -> tuple[Passage, ...]:
    """The passages of a text, in order; joined they are the text.

    A heading begins a section, with its own line in it. A section of more than `CEILING` tokens is parted into pieces
    of at most `TARGET`, at the strongest boundary in the second half of each: blank line, line, sentence, white space.
    A section below `FLOOR` goes with the next while both have at most `TARGET`, the last with the one before.
    """
    parts: list[Passage] = []
    for section in _sections(text):
        before = parts[-1] if parts else None
        if before is not None and _size(text, before) < FLOOR and _joined_size(text, before, section) <= TARGET:
            parts[-1] = replace(before, end=section.end, headings=_shared(before.headings, section.headings))
        elif _size(text, section) > CEILING:
            parts += _parted(text, section)
        else:
            parts.append(section)
    if len(parts) > 1 and _size(text, parts[-1]) < FLOOR and _joined_size(text, parts[-2], parts[-1]) <= CEILING:
        last, before = parts.pop(), parts.pop()
        parts.append(replace(before, end=last.end, headings=before.headings))
    return tuple(parts)


def title_of(text: str) -> str | None:
    """The first heading of the highest level there is, None without one."""
    headings = [section.headings for section in _sections(text) if section.headings]
    return headings[0][0] if headings else None


def _sections(text: str) -> Iterator[Passage]:
    """The text at its headings, nothing left out."""
    outline = Outline()
    start, at, begun = 0, 0, 1
    headings: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if outline.read(line):
            if at > start:
                yield Passage(start, at, begun, headings)
            start, begun, headings = at, number, outline.headings
        at += len(line) + 1
    if len(text) > start:
        yield Passage(start, len(text), begun, headings)


def _parted(text: str, section: Passage) -> Iterator[Passage]:
    """A long section in pieces."""
    at, line = section.start, section.line
    for piece in split_to_windows(text[section.start : section.end], TARGET, estimate_tokens):
        yield Passage(at, at + len(piece), line, section.headings)
        at += len(piece)
        line += piece.count("\n")


def _shared(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The headings of two sections together: the second's where it stands below the first, else those both have."""
    if second[: len(first)] == first:
        return second
    return tuple(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _size(text: str, part: Passage) -> int:
    """Its tokens."""
    return estimate_tokens(text[part.start : part.end])


def _joined_size(text: str, first: Passage, second: Passage) -> int:
    """The tokens of two that follow each other."""
    return estimate_tokens(text[first.start : second.end])
