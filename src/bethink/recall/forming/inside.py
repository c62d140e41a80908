"""Names inside runs of letters: where a script writes no space around a name, or hangs its particles on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bethink.domain.record import fold
from bethink.text.characters import HANGUL, MARKS, UNSPACED, clusters

LEAST = 2
"""Characters of a name inside a run: one alone is a part of too many words."""

LONGEST = 8
"""Characters of a name inside a run."""

WORDS = 4
"""Words of a name in another script."""

MOST = 512
"""Names looked for inside the runs of one text; a long text is read from its beginning."""

_RUN = re.compile(
    rf"(?P<unspaced>[{UNSPACED}][{UNSPACED}{MARKS}]*)|(?P<hangul>[{HANGUL}]+)"
    rf"|(?P<other>(?:(?![{UNSPACED}{HANGUL}])[\w{MARKS}'\u2019.\- ])+)"
)
_APART = re.compile(f"[{UNSPACED}{HANGUL}]")


def names_inside(text: str) -> tuple[str, ...]:
    """What may be a name inside the words of a text, folded, in its order; nothing of a text whose words stand apart.

    Of a run without spaces that is every part of 2 to 8 characters, of a Korean word its beginnings, for particles
    follow a name, and of a word that changes its script each part in another one.
    """
    if text.isascii() or not _APART.search(text):
        return ()
    return tuple(dict.fromkeys(fold(part) for part in islice(_parts(text), MOST)))


def _parts(text: str) -> Iterator[str]:
    """Every part that may be a name, a run at a time."""
    for run in _RUN.finditer(text):
        if run["other"]:
            if _touches(text, run):
                yield from _names(run["other"].split())
            continue
        letters = clusters(run[0][:MOST])
        starts = range(1 if run["hangul"] else max(1, len(letters) - LEAST + 1))
        for start in starts:
            for end in range(start + LEAST, min(start + LONGEST, len(letters)) + 1):
                yield "".join(letters[start:end])


def _names(words: Sequence[str]) -> Iterator[str]:
    """Every run of a few words."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + WORDS, len(words)) + 1):
            yield " ".join(words[start:end]).strip("'\u2019.-")


def _touches(text: str, run: re.Match[str]) -> bool:
    """Whether letters of a script that stands apart follow or precede a run without a space."""
    around = text[max(0, run.start() - 1) : run.start()] + text[run.end() : run.end() + 1]
    return _APART.search(around) is not None
