"""The sessions a question counts: `our third session`, `sessions 2 to 4`, `the last one`, `two sessions ago`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bethink.domain.query import TimeSpan
from bethink.recall.dates import Text
from bethink.recall.times import FUNCTION, TALK, Piece
from bethink.text.calendar import MICROSECOND

_ONE = frozenset({"session", "conversation", "chat", "discussion"})
_MANY = frozenset({"sessions", "conversations", "chats", "discussions"})
_LATEST = frozenset({"last", "latest", "previous"})
_TO = frozenset({"to", "through", "thru", "until", "till", "and", "-", "\u2013", "\u2014"})
_OTHERS = frozenset({"his", "her", "their", "a", "an", "every", "each"})
_NARROWED = frozenset({"with", "about", "of", "for", "at"})
"""What makes it the last one of a kind: `the last conversation about tea` is no ordinal among all."""


class Counted(NamedTuple):
    """Sessions a text counts, first and last included, up to the piece `after`: from 1 on, or from -1 backwards."""

    after: int
    first: int
    last: int


def read_counted(text: Text, at: int) -> Counted | None:
    """The sessions counted from a place on, None where none are."""
    first = at + (text.at(at).text in {"our", "the", "my", "this"})
    numbered = _numbered(text, at)
    found = numbered or _ago(text, at) or _last(text, first) or _ordinal(text, first)
    before, behind = text.at(at - 1), text.at(found.after if found else 0)
    if found is None or before.owns or before.text in _OTHERS or (not numbered and behind.text in _NARROWED):
        return None
    return None if _goes_on(behind) else found


def sessions_span(counted: Counted, sessions: Sequence[TimeSpan]) -> TimeSpan | None:
    """From the beginning of the first to the end of the last of the counted; None when there are not so many.

    Args:
        counted: what a question counts.
        sessions: when each session's first and last words were said, in the order they began.
    """
    places = [at - 1 if at > 0 else len(sessions) + at for at in counted[1:]]
    first, last = max(0, min(places)) if counted.first < 0 else min(places), max(places)
    inside = sessions[first : last + 1] if first >= 0 and last < len(sessions) else ()
    if not inside:
        return None
    return TimeSpan(min(one.start for one in inside), max(one.end for one in inside) + MICROSECOND)


def _numbered(text: Text, at: int) -> Counted | None:
    """`session 5`, `sessions 2 through 4`."""
    noun, before = text.at(at).text, text.at(at - 1)
    if noun not in _ONE | _MANY or (before.kind == "word" and before.text not in FUNCTION | TALK):
        return None
    at += 1 + (text.at(at + 1).text in {"number", "no"})
    piece = text.at(at)
    if noun in _MANY and piece.kind == "range":
        return Counted(at + 1, *sorted(piece.values))
    if piece.text[:1] == "#" and piece.text[1:].isdecimal() and len(piece.text) < len("#10000"):
        return Counted(at + 1, int(piece.text[1:]), int(piece.text[1:])) if int(piece.text[1:]) else None
    if piece.kind != "number" or piece.ordinal or not piece.values[0]:
        return None
    other = text.at(at + 2)
    if noun in _MANY and text.at(at + 1).text in _TO and other.kind == "number" and other.values[0]:
        return Counted(at + 3, *sorted((piece.values[0], other.values[0])))
    return Counted(at + 1, piece.values[0], piece.values[0]) if noun in _ONE else None


def _ago(text: Text, at: int) -> Counted | None:
    """`two sessions ago`."""
    piece, noun = text.at(at), text.at(at + 1).text
    count = 1 if piece.text in {"a", "one"} else _number(piece)
    if count and noun in _ONE | _MANY and text.says(at + 2, "ago"):
        return Counted(at + 3, -count, -count)
    return None


def _last(text: Text, at: int) -> Counted | None:
    """`the last session`, `the last three sessions`, `the session before last`, `last time`."""
    if text.at(at).text in _ONE and text.says(at + 1, "before", "last"):
        return Counted(at + 3, -2, -2)
    if text.says(at, "most", "recent"):
        at += 1
    elif text.says(at, "second", "to", "last"):
        return Counted(at + 4, -2, -2) if text.at(at + 3).text in _ONE else None
    elif text.at(at).text not in _LATEST:
        return None
    if text.at(at + 1).text in _ONE:
        return Counted(at + 2, -1, -1)
    if text.says(at, "last", "time") and (text.at(at + 2).kind == "mark" or _talked(text, at + 2)):
        return Counted(at + 2, -1, -1)
    count = _number(text.at(at + 1))
    return Counted(at + 3, -count, -1) if count and text.at(at + 2).text in _MANY else None


def _ordinal(text: Text, at: int) -> Counted | None:
    """`our third session`, `the second to fourth sessions`."""
    piece = text.at(at)
    if piece.kind != "number" or not piece.ordinal or not piece.values[0]:
        return None
    if text.at(at + 1).text in _ONE:
        return Counted(at + 2, piece.values[0], piece.values[0])
    at += 2 + text.says(at + 2, "the")
    other = text.at(at)
    if text.at(at - 1).text in _TO | {"the"} and other.ordinal and text.at(at + 1).text in _ONE | _MANY:
        return Counted(at + 2, *sorted((piece.values[0], other.values[0])))
    return None


def _number(piece: Piece) -> int:
    """A plain number, 0 without one."""
    return piece.values[0] if piece.kind == "number" and not piece.ordinal else 0


def _talked(text: Text, at: int) -> bool:
    """Whether `we talked` stands at a place."""
    return text.says(at, "we") and text.at(at + 1).text in TALK


def _goes_on(behind: Piece) -> bool:
    """Whether the noun was only part of a longer one: `the last chat room`."""
    return behind.kind == "word" and not behind.capital and behind.text not in FUNCTION | TALK
