"""How people name times in English: the words, and a text cut into the pieces the rules read.

A piece that is joined to something (``v2023``, ``#5``, ``RFC-2023-05-08``) or stands in quotation marks is opaque: a
date that is only part of another phrase is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from bethink.text.language import language_named, words_of

Kind = Literal["word", "number", "date", "range", "clock", "mark", "opaque"]

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
WHOLE_MONTHS = frozenset(name for name in MONTHS if len(name) > len("sept") or name in {"may", "june", "july"})
"""Months by their whole name; an abbreviation alone is too often something else."""

WEEKDAYS = {
    name: number for number, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
UNITS = {
    name: unit for unit in ("minute", "hour", "day", "week", "month", "year", "weekend") for name in (unit, unit + "s")
}
PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)}
"""Parts of a day as hours from its midnight; the night ends in the next morning."""

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_ONES += ["seventeen", "eighteen", "nineteen"]
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_FIRST = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_ORDINALS = {name: at for at, name in enumerate([*_FIRST, *(f"{name}th" for name in _ONES[12:])], 1)}
_CARDINALS = {name: at for at, name in enumerate(_ONES, 1)}
CARDINALS = _CARDINALS | {name: 20 + 10 * at for at, name in enumerate(_TENS)}
CARDINALS |= {
    f"{ten}-{one}": 20 + 10 * at + n for at, ten in enumerate(_TENS) for one, n in _CARDINALS.items() if n < 10
}
ORDINALS = _ORDINALS | {f"{name[:-1]}ieth": 20 + 10 * at for at, name in enumerate(_TENS)}
ORDINALS |= {f"{ten}-{one}": 20 + 10 * at + n for at, ten in enumerate(_TENS) for one, n in _ORDINALS.items() if n < 10}
"""Numbers in words, one to ninety-nine."""

WITHIN = words_of(
    "on in during over throughout within around since before after until till from between to through by and"
)
"""What may stand before a date and makes it one."""

OPENERS = words_of("in during throughout since before after until till from between to through and")
"""What may stand before the bare name of a month or a year."""

TALK = words_of("""
    talk talked talking talks discuss discussed discussing discussion discussions chat chats chatted chatting
    speak spoke spoken speaking say said saying tell told telling mention mentioned cover covered happen
    happened happening go going goes went conversation conversations session sessions topic topics subject
    subjects thing things stuff recap review summarize summarise summary remind recall remember bring brought
    come came up over out through during between since before after until till within throughout around give
    list show let's everything anything something all earlier else exchange exchanged again back main exactly
    together previously get got onward onwards
""")
"""Words of asking what was said; a question that holds no more asks for the time alone."""

_SESSIONS = words_of("session sessions conversation conversations chat chats discussion discussions")
_BEGIN = words_of("today yesterday tomorrow tonight day between from before after since until till second")
_BEGIN |= _SESSIONS | MONTHS.keys() | WEEKDAYS.keys() | PARTS.keys() | {"week", "weekend", "month"}
_STEP = words_of("last past next previous latest this these most")
_LEAD = words_of("the a an our my at around about")
_STEPPED = UNITS.keys() | PARTS.keys() | WEEKDAYS.keys() | MONTHS.keys() | _SESSIONS
_STEPPED |= words_of("couple a last past previous time recent")
_LED = _BEGIN | _STEP | _STEPPED

FUNCTION = language_named("english").function_words
_SAID = FUNCTION | TALK

_PIECE = re.compile(
    r"\"[^\"\n]{1,200}\"|\u201c[^\u201d\n]{1,200}\u201d"  # a name or a title in quotation marks
    r"|[#@$\u20ac\u00a3/\\~]?\w+(?:[-/.:'\u2019@#+&\\]\w+)*|[^\w\s]"
)
_ISO = re.compile(r"(\d{4})(?:-(?=\d+-)|/(?=\d+/)|\.(?=\d+\.))(\d{1,2})[-/.](\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,2})([/.\-])(\d{1,2})\2(\d{4})")
_NUMBER = re.compile(r"(\d{1,4})(st|nd|rd|th)?")
_PAIR = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?-(\d{1,2})(?:st|nd|rd|th)?")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?\s*(am|pm)?")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a text.

    `text` is small letters without a possessive ending. `values` are the numbers it holds: a number; a year, month and
    day; the two ends of a range; hour and minute. `ordinal` is whether it is written as one, `owns` whether it ends in
    a possessive, `capital` whether it begins with a capital letter.
    """

    kind: Kind
    text: str
    values: tuple[int, ...] = ()
    capital: bool = False
    ordinal: bool = False
    owns: bool = False


END = Piece("mark", "")
"""What lies beyond a text."""


def pieces(text: str) -> list[Piece]:
    """The text in pieces, in time that grows with its length."""
    return [_piece(found) for found in _PIECE.findall(text)]


def said_only(rest: list[Piece]) -> bool:
    """Whether the pieces hold no more than the asking what was said."""
    return all(piece.kind == "mark" or piece.text in _SAID for piece in rest)


def may_begin(piece: Piece, following: Piece) -> bool:
    """Whether a named time can begin with a piece, given the one after it; spares the rules most places of a text."""
    if piece.kind not in {"word", "mark", "opaque"} or piece.text in _BEGIN:
        return True
    if piece.text in _STEP:
        return following.kind == "number" or following.text in _STEPPED
    return piece.text in _LEAD and (following.kind not in {"word", "mark", "opaque"} or following.text in _LED)


def _piece(found: str) -> Piece:
    """Classify one piece."""
    plain = found.replace("\u2019", "'").lower()
    if not found[0].isalnum():
        return Piece("mark" if len(found) == 1 else "opaque", plain)
    if found[0].isdigit():
        return _numbered(plain)
    owns = plain.endswith("'s")
    plain = plain.removesuffix("'s")
    if plain in {"a.m", "p.m"}:
        plain = plain.replace(".", "")
    if plain in ORDINALS:
        return Piece("number", plain, (ORDINALS[plain],), ordinal=True)
    if plain in CARDINALS:
        return Piece("number", plain, (CARDINALS[plain],))
    kind: Kind = "word" if _WORD.fullmatch(plain) else "opaque"
    return Piece(kind, plain, capital=found[0].isupper(), owns=owns)


def _numbered(plain: str) -> Piece:
    """Classify a piece that begins with a digit."""
    if date := _ISO.fullmatch(plain):
        return Piece("date", plain, (int(date[1]), int(date[2]), int(date[3])))
    if date := _NUMERIC.fullmatch(plain):
        return _numeric(plain, int(date[1]), int(date[3]), int(date[4]))
    if number := _NUMBER.fullmatch(plain):
        return Piece("number", plain, (int(number[1]),), ordinal=bool(number[2]))
    if pair := _PAIR.fullmatch(plain):
        return Piece("range", plain, (int(pair[1]), int(pair[2])))
    if (clock := _CLOCK.fullmatch(plain)) and (clock[2] or clock[3]):
        return Piece("clock", plain, (int(clock[1]), int(clock[2] or 0), {"am": 0, "pm": 12}.get(clock[3] or "", -1)))
    return Piece("opaque", plain)


def _numeric(plain: str, one: int, other: int, year: int) -> Piece:
    """A date all in numbers, where only one of the two can be the month or both are the same; else nobody knows."""
    last = 12
    if one > last >= other or one == other:
        return Piece("date", plain, (year, other, one))
    return Piece("date", plain, (year, one, other)) if other > last >= one else Piece("opaque", plain)
