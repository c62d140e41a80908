"""One named time at a place of a text: absolute, relative, or a part of a day.

What is read is a `Point`. Settled against the instant it becomes a window; a month or day without a year is the last
one up to that instant, or the one that fits the other end of a range.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from bethink.domain.query import TimeSpan
from bethink.recall.times import END, MONTHS, PARTS, UNITS, WEEKDAYS, WHOLE_MONTHS, WITHIN, Piece
from bethink.text import calendar

YEARS = range(1900, 2101)
"""Years that stand for themselves."""

VERBS = {"may", "march", "mar"}
"""Months that in small letters are another word."""

_LAST_DAY, _ONE_DAY = 31, timedelta(days=1)
_HALF_HOUR = timedelta(minutes=30)
_NOON, _HOURS, _MINUTES = 12, 24, 60
_RELEASES = {"version", "release", "build", "tag"}
"""Words before a number that is no date, though it looks like one: `version 2025.3.4`."""
_PARTIAL = {"half", "quarter", "hundred", "thousand", "dozen"}
"""Words that are part of a number."""
_STEPS = {"last": 1, "previous": 1, "this": 0, "next": -1}


@dataclass(frozen=True, slots=True)
class Text:
    """The pieces of a text, and the instant it is asked for."""

    pieces: list[Piece]
    instant: datetime

    @property
    def today(self) -> date:
        """The day of the instant."""
        return self.instant.date()

    def at(self, place: int) -> Piece:
        """The piece at a place; an empty mark beyond the text."""
        return self.pieces[place] if 0 <= place < len(self.pieces) else END

    def says(self, place: int, *words: str) -> bool:
        """Whether these words stand at a place."""
        return all(self.at(place + step).text == word for step, word in enumerate(words))


@dataclass(frozen=True, slots=True)
class Point:
    """A named time that ends before the piece `after`: a window, or a year, month and day as far as they are named.

    `loose` says that the words alone, the bare name of a month, a weekday or a year, may well mean something else.
    """

    after: int
    window: TimeSpan | None = None
    year: int | None = None
    month: int | None = None
    day: int | None = None
    loose: bool = False


def read_point(text: Text, at: int) -> Point | None:
    """The named time that begins at a place, None where none does.

    Raises:
        ValueError, OverflowError: the calendar has no such day.
    """
    found = _plain(text, at) or _around(text, at)
    return None if found is None else _part_of_day(text, found)


def settle(point: Point, today: date) -> TimeSpan:
    """The window of a point: a missing year is that of the last such day or month up to today.

    Raises:
        ValueError, OverflowError: the calendar has no such day.
    """
    if point.window is not None:
        return point.window
    if point.month is None:
        return calendar.year(point.year or 0)
    if point.day is None:
        named = point.year or calendar.latest(point.month, 1, today).year
        return calendar.month(named, point.month)
    if point.year is None:
        return calendar.days(calendar.latest(point.month, point.day, today))
    return calendar.days(date(point.year, point.month, point.day))


def lone_day(text: Text, at: int) -> Point | None:
    """A day of a month that the other end of a range names: `8`, `the 12th`."""
    at += text.says(at, "the")
    piece = text.at(at)
    if piece.kind == "number" and 1 <= piece.values[0] <= _LAST_DAY:
        return Point(at + 1, day=piece.values[0])
    return None


def month_at(text: Text, at: int) -> int:
    """The month named at a place, 0 without one."""
    piece, before = text.at(at), text.at(at - 1)
    number = 0 if piece.owns else MONTHS.get(piece.text, 0)
    if number and piece.text in VERBS and not piece.capital:
        dated = before.text in (WITHIN - {"and", "to"}) | _STEPS.keys() | {"of"} or before.ordinal
        return number if dated or text.at(at + 1).ordinal else 0
    return number


def year_at(text: Text, at: int) -> int:
    """The year written at a place in four digits, 0 without one."""
    piece = text.at(at)
    if piece.kind == "number" and not piece.ordinal and piece.text.isdigit() and piece.values[0] in YEARS:
        return piece.values[0]
    return 0


def with_year(text: Text, point: Point) -> Point:
    """The point with the year that follows it: `2023`, `, 2023`, `last year`."""
    at = point.after
    comma = at + (text.at(at).text in {",", "of"})
    if year := year_at(text, comma):
        return replace(point, year=year, after=comma + 1, loose=False)
    at += text.at(at).text in {"of", "in"}
    if text.at(at).text in _STEPS and text.says(at + 1, "year"):
        year = text.today.year - _STEPS[text.at(at).text]
        return replace(point, year=year, after=at + 2, loose=False)
    return point


def _absolute(text: Text, at: int) -> Point | None:
    """A day, month or year of the calendar."""
    piece = text.at(at)
    if piece.kind == "date" and text.at(at - 1).text in _RELEASES:
        return None
    if piece.kind == "date":
        return Point(at + 1, year=piece.values[0], month=piece.values[1], day=piece.values[2])
    if (day := lone_day(text, at)) is not None:
        place = day.after + text.says(day.after, "of")
        if month := month_at(text, place):
            place += 1 + text.says(place + 1, ".")
            return with_year(text, replace(day, month=month, after=place))
    if month := month_at(text, at):
        return _month(text, at, month)
    if year := year_at(text, at):
        return Point(at + 1, year=year, loose=True)
    return None


def _month(text: Text, at: int, month: int) -> Point | None:
    """A month, with what follows it: a day, a year, both or neither."""
    after = at + 1
    if text.at(at).text not in WHOLE_MONTHS or text.says(at, "may", "."):
        after += text.says(after, ".") and text.at(after + 1).kind == "number"
    if (day := lone_day(text, after)) and not text.at(day.after).text.startswith(":"):
        return with_year(text, replace(day, month=month))
    found = with_year(text, Point(after, month=month, loose=True))
    return found if found.year or text.at(at).text in WHOLE_MONTHS else None


def _weekday(text: Text, at: int) -> Point | None:
    """A weekday: of the date after it, else the last one before today."""
    number = WEEKDAYS.get(text.at(at).text)
    if number is None:
        return None
    comma = at + 1 + (text.at(at + 1).text in {",", "the"})
    if (dated := _absolute(text, comma)) and dated.day:
        return dated
    if text.says(at + 1, "the") and text.at(at + 2).kind == "number":
        return None  # a Friday the 13th is a kind of day
    return Point(at + 1, calendar.days(calendar.weekday_before(number, text.today)), loose=True)


def _relative(text: Text, at: int) -> Point | None:
    """A time told from the instant."""
    today, word = text.today, text.at(at).text
    named = {"today": 0, "yesterday": 1, "tomorrow": -1}
    if word in named:
        return Point(at + 1, calendar.units_back(text.instant, named[word], "day"))
    if word == "tonight":
        return Point(at + 1, calendar.hours(today, *PARTS["night"]))
    day = at + text.says(at, "the")
    for step, words in ((2, ("day", "before", "yesterday")), (-2, ("day", "after", "tomorrow"))):
        if text.says(day, *words):
            return Point(day + 3, calendar.units_back(text.instant, step, "day"))
    return _ago(text, at) or _trailing(text, at) or _stepped(text, at)


def _count(text: Text, at: int) -> tuple[int, int]:
    """A number of units told at a place, and where it ends; 0 without one."""
    if text.says(at, "a", "couple"):
        return 2, at + 2 + text.says(at + 2, "of")
    if text.at(at).text in {"a", "an"}:
        return 1, at + 1
    piece = text.at(at)
    return (piece.values[0], at + 1) if piece.kind == "number" and not piece.ordinal else (0, at)


def _ago(text: Text, at: int) -> Point | None:
    """`two weeks ago`; not `more than two weeks ago`, `half a year ago` or `three or four days ago`."""
    count, after = _count(text, at)
    unit = UNITS.get(text.at(after).text)
    if not count or not unit or not text.says(after + 1, "ago"):
        return None
    if text.at(at - 1).text in {"over", "than", "least", "almost", "nearly", "under"} or _goes_on(text, at):
        return None
    return Point(after + 2, calendar.units_back(text.instant, count, unit))


def _goes_on(text: Text, at: int) -> bool:
    """Whether a number is only the end of one: `twenty five`, `three or four`, `3,5`, `a hundred and five`."""
    joined = text.at(at - 1).text in {"or", "and", "to", ",", "-", "\u2013"}
    before = text.at(at - 2 if joined else at - 1)
    return (before.kind in {"number", "range"} and not before.ordinal) or before.text in _PARTIAL


def _trailing(text: Text, at: int) -> Point | None:
    """`the last three days`, `this past week`: up to the instant."""
    led = text.at(at).text in {"the", "this", "these"}
    word = at + led
    if text.at(word).text not in {"last", "past"}:
        return None
    count, after = _count(text, word + 1)
    unit = UNITS.get(text.at(after).text)
    if not unit or not (count or led or text.says(word, "past")) or text.says(after + 1, "of"):
        return None
    if not count and unit == "weekend":
        return None
    return Point(after + 1, calendar.trailing(text.instant, count or 1, unit))


def _stepped(text: Text, at: int) -> Point | None:
    """`last week`, `this morning`, `last Tuesday`, `last May`."""
    at += text.says(at, "the") and text.says(at + 1, "previous")
    step, today = _STEPS.get(text.at(at).text), text.today
    name = text.at(at + 1).text
    if step is None or text.says(at + 2, "of"):
        return None
    window = None
    if name in {"week", "month", "year", "weekend"}:
        window = calendar.units_back(text.instant, step, name)
    elif name in PARTS and (step == 0 or (name == "night" and step == 1)):
        window = calendar.hours(today - step * _ONE_DAY, *PARTS[name])
    elif name in WEEKDAYS:
        before = calendar.weekday_before(WEEKDAYS[name], today)
        this = today + timedelta(days=WEEKDAYS[name] - today.weekday())
        window = calendar.days({1: before, 0: this, -1: before + timedelta(days=7 + 7 * (this == today))}[step])
    elif (month := month_at(text, at + 1)) and name in WHOLE_MONTHS and text.at(at + 2).kind not in {"number", "range"}:
        window = calendar.month(today.year - _years(step, month, today), month)
    return None if window is None else Point(at + 2, window)


def _years(step: int, month: int, today: date) -> int:
    """How many years ago the last, this or next such month lies."""
    if step == 0:
        return 0
    return int(month >= today.month) if step > 0 else -int(month <= today.month)


def _around(text: Text, at: int) -> Point | None:
    """`the weekend of 6 May`, `the week of`, `the month of`, `the morning of`, `at 3 pm on`."""
    clock, after = _clock(text, at)
    if clock is not None:
        return _clocked(text, after + text.says(after, "on"), clock)
    at += text.says(at, "the")
    name, led = text.at(at).text, text.says(at + 2, "the") and text.at(at + 3).kind != "number"
    if not text.says(at + 1, "of") or name not in {"week", "weekend", "month", *PARTS}:
        return None
    inner = _plain(text, at + 2 + led)
    if inner is None or name == "month":
        return replace(inner, loose=False) if inner and inner.month and not inner.day else None
    window = settle(inner, text.today)
    if window.end - window.start != _ONE_DAY:
        return None
    day = window.start.date()
    span = {"week": calendar.week, "weekend": calendar.weekend}.get(name)
    return Point(inner.after, span(day) if span else calendar.hours(day, *PARTS[name]))


def _plain(text: Text, at: int) -> Point | None:
    """A named time by itself."""
    return _absolute(text, at) or _weekday(text, at) or _relative(text, at)


def _clocked(text: Text, at: int, clock: timedelta) -> Point | None:
    """A clock time told before its day."""
    inner = _plain(text, at)
    window = settle(inner, text.today) if inner else None
    if inner is None or window is None or window.end - window.start != _ONE_DAY:
        return None
    moment = window.start + clock
    return Point(inner.after, TimeSpan(moment - _HALF_HOUR, moment + _HALF_HOUR))


def _part_of_day(text: Text, point: Point) -> Point:
    """The point narrowed by the part of the day or the clock time after it, where it is a day."""
    at = point.after + text.says(point.after, ",")
    at += 2 * text.says(at, "in", "the")
    part = text.at(at)
    clock, after = _clock(text, at)
    if part.text not in PARTS and clock is None:
        return point
    window = settle(point, text.today)
    if window.end - window.start != _ONE_DAY:
        return point
    if clock is not None:
        moment = window.start + clock
        return Point(after, TimeSpan(moment - _HALF_HOUR, moment + _HALF_HOUR))
    if part.capital:
        return replace(point, loose=True)
    return Point(at + 1, calendar.hours(window.start.date(), *PARTS[part.text]), loose=point.loose)


def _clock(text: Text, at: int) -> tuple[timedelta | None, int]:
    """A time of day, and where it ends: `at 3 pm`, `around 15:30`."""
    led = text.at(at).text in {"at", "around", "about"}
    at += led
    piece, half = text.at(at), {"am": 0, "pm": _NOON}.get(text.at(at + 1).text)
    if piece.kind == "clock":
        hour, minute, told = piece.values
    elif piece.kind == "number" and half is not None and not piece.ordinal:
        hour, minute, told = piece.values[0], 0, -1
    else:
        return None, at
    after = at + 1
    if told < 0 and half is not None:
        told, after = half, at + 2
    if told >= 0:
        hour = hour % _NOON + told if 1 <= hour <= _NOON else _HOURS
    if hour >= _HOURS or minute >= _MINUTES:
        return None, at
    return timedelta(hours=hour, minutes=minute), after
