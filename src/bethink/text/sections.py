"""A Markdown text by its headings: each section with the headings it stands under, long ones in parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bethink.text.door import blank, strip_controls

SECTION_LIMIT = 4_000
"""Characters of one section; a longer one is parted between paragraphs, or between lines."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a text. `key` tells it from the others of its text and stays the same while only its words change."""

    key: str
    headings: tuple[str, ...]
    body: str

    @property
    def text(self) -> str:
        """The headings on a line, then the body."""
        return f"{' > '.join(self.headings)}\n{self.body}" if self.headings else self.body


def sections(text: str) -> tuple[Section, ...]:
    """The sections of a text that say something, in order; front matter is none."""
    clean = _FRONT.sub("", strip_controls(text).replace("\r\n", "\n"), count=1)
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for headings, body in _split(clean):
        if blank(body):
            continue
        seen[headings] += 1
        base = " > ".join(headings) + (f" ({seen[headings]})" if seen[headings] > 1 else "")
        for number, part in enumerate(_parts(body.strip("\n")), 1):
            found.append(Section(base if number == 1 else f"{base} [{number}]", headings, part))
    return tuple(found)


class Outline:
    """The headings that a line stands under, read line by line; what a fence encloses holds no heading."""

    def __init__(self) -> None:
        self._levels: list[tuple[int, str]] = []
        self._fence = ""

    @property
    def headings(self) -> tuple[str, ...]:
        """Those of the line that was read last, the highest first."""
        return tuple(title for _, title in self._levels)

    def read(self, line: str) -> bool:
        """Go on to the next line; whether it is a heading."""
        mark = _FENCE.match(line)
        if mark and not self._fence:
            self._fence = mark[1]
        elif mark and self._fence and mark[1][0] == self._fence[0] and len(mark[1]) >= len(self._fence):
            self._fence = ""
        heading = None if self._fence else _HEADING.fullmatch(line)
        if heading is None:
            return False
        level, title = len(heading[1]), " ".join((heading[2] or "").split())[:120]
        self._levels = [*(one for one in self._levels if one[0] < level), (level, title)]
        return True


def _split(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Headings and the lines below them."""
    outline = Outline()
    lines: list[str] = []
    above: tuple[str, ...] = ()
    for line in text.split("\n"):
        if not outline.read(line):
            lines.append(line)
            continue
        yield above, "\n".join(lines)
        above, lines = outline.headings, []
    yield above, "\n".join(lines)


def _parts(body: str) -> Iterator[str]:
    """A body in pieces of the limit, cut between paragraphs, else lines, else anywhere."""
    while len(body) > SECTION_LIMIT:
        window = body[:SECTION_LIMIT]
        cut = max(window.rfind("\n\n"), 0) or max(window.rfind("\n"), 0) or SECTION_LIMIT
        if not blank(body[:cut]):
            yield body[:cut].strip("\n")
        body = body[cut:].strip("\n")
    if not blank(body):
        yield body
