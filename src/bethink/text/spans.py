"""Where a quote stands in its source: verbatim but for white space, Unicode form and the shape of quotation marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from bethink.domain.invisible import INVISIBLE
from bethink.text.characters import MARKS, UNSPACED, clusters

MIN_CHARACTERS = 15
MIN_WORDS = 3
"""The shortest quote that is evidence."""

MIN_UNSPACED = 8
"""The shortest quote in a script without spaces, counted in letters of that script: about four words."""

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORDS = re.compile(r"\S+")
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
_INSIDE_WORD = re.compile(
    rf"[{MARKS}]|(?<=[\w{MARKS}])(?<![{UNSPACED}])[^\W{UNSPACED}]"  # before an accent, between two letters or digits
    r"|(?<=[^\W\d_])'(?=[^\W\d_])|(?<=[^\W\d_]')(?=[^\W\d_])"  # beside the apostrophe of can't
    r"|(?<=\d)[.,:](?=\d)|(?<=\d[.,:])(?=\d)|(?<=-)(?=\d)"  # inside 5.50 and -5
)

_ENDS = re.compile(r"[.!?\u2026\u3002\uff01\uff1f]+(?=\s|$)|[\u3002\uff01\uff1f]|\n+")
"""Where a sentence ends."""


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open offsets in the original text: ``text[start:end]``."""

    start: int
    end: int


@dataclass(slots=True)
class _Plain:
    """A text in the form quotes are compared in, and where each of its characters lies in the original."""

    pieces: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, piece: str, starts: Iterable[int], ends: Iterable[int]) -> None:
        """Append a piece, with the origin of each of its characters."""
        self.pieces.append(piece)
        self.starts.extend(starts)
        self.ends.extend(ends)

    @property
    def text(self) -> str:
        """The whole."""
        return "".join(self.pieces)


def locate(quote: str, text: str) -> Span | None:
    """The first place where the quote stands in the text, or None. Case matters; half a word or number is no match.

    Runs of white space count as one space; composed and decomposed letters, full-width forms, typographic quotes and
    dashes count as their plain forms; invisible characters count for nothing. The span covers what was found, in
    offsets of the original text.
    """
    wanted = _plain(quote).text
    if not wanted:
        return None
    source = _plain(text)
    plain = source.text
    at = plain.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not _INSIDE_WORD.match(plain, at) and not _INSIDE_WORD.match(plain, end):
            return Span(source.starts[at], source.ends[end - 1])
        at = plain.find(wanted, at + 1)
    return None


def long_enough(quote: str, text: str | None = None) -> bool:
    """Whether a quote says enough to be evidence: 15 characters and 3 words, or all of a short text.

    In a script without spaces 8 of its letters are enough, since words cannot be counted.

    Args:
        quote: the quote.
        text: its source, when known; a quote of the whole source is always long enough.
    """
    plain = _plain(quote).text
    if not plain:
        return False
    if text is not None and plain == _plain(text).text:
        return True
    if len(_UNSPACED.findall(plain)) >= MIN_UNSPACED:
        return True
    return len(plain) >= MIN_CHARACTERS and len(plain.split(" ")) >= MIN_WORDS


def _plain(text: str) -> _Plain:
    """The text with its words in plain form and one space between them."""
    made = _Plain()
    for word in _WORDS.finditer(text):
        first, last = word.span()
        before = len(made.pieces)
        if before:
            made.add(" ", range(first, first + 1), range(first, first + 1))
        if word[0].isascii():
            made.add(word[0], range(first, last), range(first + 1, last + 1))
        else:
            _add_letters(made, word[0], first)
        if before and len(made.pieces) == before + 1:
            made.pieces.pop()
            made.starts.pop()
            made.ends.pop()
    return made


def _add_letters(made: _Plain, word: str, first: int) -> None:
    """Add a word letter by letter; all characters that one letter becomes share its place."""
    for cluster in clusters(word):
        plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", cluster).translate(_ALIKE))
        last = first + len(cluster)
        if plain:
            made.add(plain, [first] * len(plain), [last] * len(plain))
        first = last


def sentence_around(text: str, start: int, end: int) -> str:
    """The sentence or sentences of a text that hold ``text[start:end]``, without white space around them."""
    begins = max((found.end() for found in _ENDS.finditer(text, 0, start)), default=0)
    closing = _ENDS.search(text, max(start, end - 1))
    return text[begins : len(text) if closing is None else closing.end()].strip()
