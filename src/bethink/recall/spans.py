"""Spans: the windows of time a question names, by English rules alone.

A span is a cue and never a filter: what lies outside is found as before. What the rules do not understand gives no
window, and neither does a date that is only part of another phrase: no window is better than a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from bethink.domain.query import TimeSpan
from bethink.errors import DeadlineExceeded
from bethink.ports.store import Snapshot
from bethink.recall.dates import Point, Text, lone_day, month_at, read_point, settle, with_year, year_at
from bethink.recall.ordinals import Counted, read_counted, sessions_span
from bethink.recall.reader import Asked
from bethink.recall.times import (
    FUNCTION,
    MONTHS,
    OPENERS,
    TALK,
    UNITS,
    WEEKDAYS,
    WITHIN,
    Piece,
    may_begin,
    pieces,
    said_only,
)

MAX_SPANS = 8
"""Windows taken from one question, from its beginning."""

_CUE = re.compile(
    r"\d|\b(?:yesterday|to(?:day|morrow|night)|ago|last|past|previous|this|next|recent|first|second|third|session"
    r"|conversation|chat|discussion|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b",
    re.IGNORECASE,
)
"""What no question without a named time holds; spares all others the reading."""

_TO = frozenset({"to", "until", "till", "through", "thru", "-", "\u2013", "\u2014"})
_OWN = frozenset({"my", "our", "your", "his", "her", "their", "its"})
_THE = _OWN | {"the", "a", "an", "every", "each"}
_STOPS = frozenset(".?!:;()-\u2013\u2014\u2026")
_ALWAYS = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Times:
    """The times a question names.

    `spans` are windows, `counted` sessions to be looked up, both in the question's order. `only` says that the question
    asks what was said then, and nothing else.
    """

    spans: tuple[TimeSpan, ...] = ()
    counted: tuple[Counted, ...] = ()
    only: bool = False


def named_times(question: str, instant: datetime) -> Times:
    """Read the times of a question, in time that grows with its length.

    Beside a date, `last Friday` may be told from that date and not from the instant, so it gives no window.

    Args:
        question: its text.
        instant: aware UTC; what `yesterday` is told from, and a day without a year is not after.
    """
    if not _CUE.search(question):
        return Times()
    text = Text(pieces(question), instant)
    named: list[tuple[TimeSpan, bool]] = []
    counted: list[Counted] = []
    rest: list[Piece] = []
    at = 0
    while at < len(text.pieces) and len(named) + len(counted) < MAX_SPANS:
        begins = may_begin(text.at(at), text.at(at + 1))
        sessions = read_counted(text, at) if begins else None
        found = _read(text, at) if begins and not sessions else None
        if sessions:
            counted.append(sessions)
        elif found and found.window:
            named.append((found.window, _dated(text, at, found.after)))
        if not sessions and not found:
            rest.append(text.at(at))
        at = sessions.after if sessions else found.after if found else at + 1
    dated = any(absolute for _, absolute in named)
    spans = [window for window, absolute in named if absolute or not dated]
    only = bool(spans or counted) and said_only([*rest, *text.pieces[at:]])
    return Times(tuple(dict.fromkeys(spans)), tuple(dict.fromkeys(counted)), only)


def timed(asked: Asked, snapshot: Snapshot) -> Asked:
    """The request with the windows its question names, told from its `as_of`, else from when it is asked.

    Sessions are counted among those the fence shows, without the one the question is asked in.
    """
    times = named_times(asked.query.text, asked.fence.instant)
    if not times.spans and not times.counted:
        return asked
    spans = list(times.spans)
    if times.counted:
        try:
            sessions = snapshot.search.sessions(asked.fence, asked.request.session or asked.caller.session)
        except DeadlineExceeded:
            sessions = ()  # the arms read the same columns, and say so where these cannot be had
        spans += [span for one in times.counted if (span := sessions_span(one, sessions))]
    query = replace(asked.query, spans=tuple(spans), time_only=times.only and bool(spans))
    return replace(asked, query=query)


def _dated(text: Text, first: int, after: int) -> bool:
    """Whether some of these pieces are of the calendar, and do not count from the instant alone."""
    places = range(first, after)
    return any(text.at(at).kind == "date" or month_at(text, at) or year_at(text, at) for at in places)


def _read(text: Text, at: int) -> Point | None:
    """The window that begins at a place; one without a window for a phrase that is understood and names none."""
    try:
        found = _range(text, at) or _open(text, at) or _single(text, at)
    except (ValueError, OverflowError):
        return None  # the calendar has no such day
    return None if found and found.window and found.window.start >= found.window.end else found


def _range(text: Text, at: int) -> Point | None:
    """`between X and Y`, `from X to Y`, `X to Y`, `May 8-12`."""
    opener = text.at(at).text if text.at(at).text in {"between", "from"} else ""
    first = at + bool(opener)
    if days := _days_of_month(text, first):
        return days
    one = read_point(text, first) or lone_day(text, first)
    if one is None:
        return None
    joined = text.at(one.after).text
    if joined not in ({"and", "-", "\u2013"} if opener == "between" else _TO):
        return None
    other = read_point(text, one.after + 1) or lone_day(text, one.after + 1)
    if other is None or not (one.month or one.window or one.year or other.month):
        return None
    if not opener and (one.loose or other.loose or not _stands(text, at, replace(one, after=other.after))):
        return None
    window = _between(one, other, text.today)
    return window and Point(other.after, window)


def _days_of_month(text: Text, at: int) -> Point | None:
    """`May 8-12`, `8-12 May`, with a year or without."""
    for month_place, days_place in ((at, at + 1), (at + 1, at)):
        month, days = month_at(text, month_place), text.at(days_place)
        if month and days.kind == "range":
            first, last = (with_year(text, Point(at + 2, month=month, day=day)) for day in days.values)
            window = _between(first, last, text.today)
            return window and Point(first.after, window)
    return None


def _between(one: Point, other: Point, today: date) -> TimeSpan | None:
    """From the beginning of one to the end of the other, each lending the other the month and the year it lacks."""
    if one.window or other.window or not (one.month or other.month):
        start, end = settle(one, today).start, settle(other, today).end
        if start >= end and one.window and one.loose:
            start -= timedelta(days=7)
        return TimeSpan(start, end) if start < end else None
    one = replace(one, month=one.month or other.month)
    other = replace(other, month=other.month or one.month)
    if one.month is None or other.month is None or (one.day is None) != (other.day is None and one.day is None):
        return None
    late = (one.month, one.day or 1) > (other.month, other.day or one.day or 1)
    if one.year is None:
        one = replace(one, year=other.year - late if other.year else settle(one, today).start.year)
    if other.year is None:
        other = replace(other, year=(one.year or 0) + late)
    start, end = settle(one, today).start, settle(other, today).end
    return TimeSpan(start, end) if start < end else None


def _open(text: Text, at: int) -> Point | None:
    """`before X`, `after X`, `since X`, `until X`; and `two days after X`, which is no open end."""
    word = text.at(at).text
    if word not in {"before", "after", "since", "until", "till"}:
        return None
    found = read_point(text, at + 1)
    if found is None or not _stands(text, at + 1, found):
        return None
    window = settle(found, text.today)
    start, end = _ALWAYS
    if (unit := UNITS.get(text.at(at - 1).text)) and word in {"before", "after"}:
        return Point(found.after, _beside(text, at, window, unit))
    if word in {"after", "since"}:
        return Point(found.after, TimeSpan(window.end if word == "after" else window.start, end))
    return Point(found.after, TimeSpan(start, window.start if word == "before" else window.end))


def _beside(text: Text, at: int, window: TimeSpan, unit: str) -> TimeSpan | None:
    """The day some days before or after a day: `the day after 8 May`, `two weeks before it`."""
    count = text.at(at - 2)
    number = count.values[0] if count.kind == "number" and not count.ordinal else int(count.text in {"the", "a"})
    if window.end - window.start != timedelta(days=1) or unit not in {"day", "week"} or not number:
        return None
    if unit == "week" and count.text == "the":
        return None
    step = timedelta(days=number * (7 if unit == "week" else 1)) * (1 if text.says(at, "after") else -1)
    return TimeSpan(window.start + step, window.end + step)


def _single(text: Text, at: int) -> Point | None:
    """One named time."""
    found = read_point(text, at)
    if found is None or not _stands(text, at, found) or (month_at(text, at) and text.at(at - 1).kind == "number"):
        return None
    window = settle(found, text.today)
    onwards = text.at(found.after).text
    if text.says(at - 1, "from") and (onwards in {"onward", "onwards"} or text.says(found.after, "on")):
        return Point(found.after + 1, TimeSpan(window.start, _ALWAYS[1]))
    return Point(found.after, window)


def _stands(text: Text, at: int, found: Point) -> bool:
    """Whether a named time stands for itself and is not part of another phrase."""
    before, behind, first = text.at(at - 1), text.at(found.after), text.at(at)
    opens = at == 0 or before.text in _STOPS
    goes_on = behind.kind in {"word", "opaque"} and behind.text not in FUNCTION | TALK
    if goes_on and (before.text in _THE or before.owns or first.text == "the"):
        return False
    if found.loose:
        return _opened(text, at, found) and not (goes_on and (not behind.capital or not _opens(text, at - 1)))
    if found.window is not None and first.text not in MONTHS | WEEKDAYS and first.kind == "word":
        return (opens or not first.capital) and before.text not in _OWN
    return bool(found.year) or not goes_on or opens or before.text in WITHIN


def _opened(text: Text, at: int, found: Point) -> bool:
    """Whether what stands before a bare name makes it a time."""
    before, behind = text.at(at - 1), text.at(found.after)
    if text.at(at).text in WEEKDAYS:
        ends = behind.kind == "mark" and behind.text != ":"
        return before.text in OPENERS | {"on"} or (ends and before.kind == "word" and _plain(before))
    return before.text in OPENERS and behind.text != ":"


def _opens(text: Text, at: int) -> bool:
    """Whether a sentence begins at a place."""
    return at <= 0 or text.at(at - 1).text in _STOPS


def _plain(piece: Piece) -> bool:
    """Whether a word is in small letters and no article."""
    return not piece.capital and piece.text not in _THE
