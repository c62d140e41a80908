"""When a statement speaks for: expressions of time in English, where they stand, and the windows they name.

Told from the moment something was said, never from the present. A question looks back, so its calendar does; a
statement may look ahead: the Friday of a plan is the next one. What is not understood gives no window.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from bethink.domain.query import TimeSpan
from bethink.text import calendar

Lead = Literal["", "until", "since", "by", "before", "after"]

_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_COUNTS = {name: at for at, name in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_COUNTS |= {"a": 1, "an": 1, "a couple of": 2}
_LEADS: dict[str, Lead] = {
    **dict.fromkeys(("until", "till", "through", "up to"), "until"),
    **dict.fromkeys(("since", "from", "starting", "starting on", "starting in", "as of", "beginning"), "since"),
    **dict.fromkeys(("by", "due", "due on"), "by"),
    "before": "before",
    "after": "after",
}
_MONTH, _DAY = "|".join(_MONTHS), "|".join(_DAYS)
_LEAD = "|".join(sorted(map(re.escape, _LEADS), key=len, reverse=True))
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_SHAPES = re.compile(
    rf"(?:\b(?P<lead>{_LEAD}|on|in|at|this coming|during)\s+)?"
    r"(?:the\s+)?\b(?:"
    r"(?P<iso>\d{4}-\d{2}-\d{2})"
    rf"|(?P<dm_day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<dm_month>{_MONTH})(?:,?\s+(?P<dm_year>\d{{4}}))?"
    rf"|(?P<md_month>{_MONTH})\s+(?P<md_day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?P<md_year>\d{{4}}))?"
    rf"|(?P<m_month>{_MONTH})(?:\s+(?P<m_year>\d{{4}}))?"
    r"|(?P<year>(?:19|20)\d{2})"
    r"|(?P<named>day after tomorrow|day before yesterday|today|tonight|tomorrow|yesterday)"
    rf"|(?P<step>this|next|last|coming)\s+(?P<unit>week|weekend|month|year|{_DAY})"
    rf"|{_COUNT}\s+(?P<units>days?|weeks?|months?|years?)(?P<ago>\s+ago|\s+from now)?"
    rf"|(?P<weekday>{_DAY})"
    r")\b",
    re.IGNORECASE,
)
_NAMED = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2, "day before yesterday": -2}
_LED = {"on", "in", "at", "during", *_LEADS}
_ONE_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """Words that name a time: where they stand, the window they name, and the word that leads to it.

    `relative` says that the words alone, read another day, would name another window.
    """

    start: int
    end: int
    window: TimeSpan
    lead: Lead = ""
    relative: bool = True


def expressions(text: str, said_at: datetime, *, ahead: bool = False) -> tuple[TimeExpression, ...]:
    """The expressions of time in a text, in order.

    Args:
        text: what was said.
        said_at: when, aware UTC; a week begins on Monday, a day is a day in UTC.
        ahead: whether a bare weekday or day of a year means the next one rather than the last.
    """
    found = (_read(match, said_at, ahead=ahead) for match in _SHAPES.finditer(text))
    return tuple(item for item in found if item is not None)


def dated(text: str, said_at: datetime, *, ahead: bool = False) -> str:
    """The text with every relative expression written as the date it names, so that it reads the same any day."""
    for item in reversed(expressions(text, said_at, ahead=ahead)):
        if item.relative:
            text = f"{text[: item.start]}{_absolute(item)}{text[item.end :]}"
    return text


def _read(match: re.Match[str], said_at: datetime, *, ahead: bool) -> TimeExpression | None:
    """The expression of a match, None where the calendar has no such day or the words mean something else."""
    word = (match["lead"] or "").casefold()
    try:
        window, relative = next(_windows(match, said_at, ahead=ahead), (None, False))
    except (ValueError, OverflowError):
        return None
    bare = match["year"] or (match["m_month"] and not match["m_year"])
    if window is None or (bare and word not in _LED):
        return None  # a bare number is no year, and a bare "may" or "march" is a verb
    return TimeExpression(match.start(), match.end(), window, _LEADS.get(word, ""), relative)


def _windows(match: re.Match[str], said_at: datetime, *, ahead: bool) -> Iterator[tuple[TimeSpan | None, bool]]:
    """The one window a match names, and whether it is told from the moment."""
    today = said_at.date()
    if match["iso"]:
        yield calendar.days(date.fromisoformat(match["iso"])), False
    for form in ("dm", "md"):
        if match[f"{form}_day"]:
            named = int(match[f"{form}_year"] or 0)
            number = _MONTHS.index(match[f"{form}_month"].casefold()) + 1
            yield _day(int(match[f"{form}_day"]), number, named, (today, ahead)), not named
    if match["m_month"]:
        number = _MONTHS.index(match["m_month"].casefold()) + 1
        year = int(match["m_year"]) if match["m_year"] else _month_year(number, today, ahead=ahead)
        yield calendar.month(year, number), not match["m_year"]
    if match["year"]:
        yield calendar.year(int(match["year"])), False
    if match["named"]:
        yield calendar.days(today + _NAMED[match["named"].casefold()] * _ONE_DAY), True
    if match["step"]:
        yield _stepped(match["step"].casefold(), match["unit"].casefold(), said_at), True
    if match["count"]:
        yield _counted(match, said_at), True
    if match["weekday"]:
        yield calendar.days(_weekday(_DAYS.index(match["weekday"].casefold()), today, ahead=ahead)), True


def _day(day: int, month: int, year: int, told: tuple[date, bool]) -> TimeSpan:
    """A day of the calendar; without a year the next one from today on, or the last one up to it."""
    today, ahead = told
    if year:
        return calendar.days(date(year, month, day))
    here = date(today.year, month, day)
    if ahead and here < today:
        here = date(today.year + 1, month, day)
    elif not ahead and here > today:
        here = date(today.year - 1, month, day)
    return calendar.days(here)


def _month_year(number: int, today: date, *, ahead: bool) -> int:
    """The year of a bare month: the next such month, or the last one; this month is both."""
    if ahead:
        return today.year + (number < today.month)
    return today.year - (number > today.month)


def _weekday(number: int, today: date, *, ahead: bool) -> date:
    """A bare weekday: the next one after today, or the last one before it."""
    if not ahead:
        return calendar.weekday_before(number, today)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _stepped(step: str, unit: str, said_at: datetime) -> TimeSpan:
    """`next week`, `this Friday`, `last year`."""
    today = said_at.date()
    if unit in _DAYS:
        number = _DAYS.index(unit)
        if step == "last":
            return calendar.days(calendar.weekday_before(number, today))
        here = today - timedelta(days=today.weekday()) + timedelta(days=number)
        if step == "next":
            return calendar.days(here + _WEEK)
        return calendar.days(here if here >= today else here + _WEEK)
    back = {"last": 1, "this": 0, "next": -1, "coming": -1}[step]
    if step == "coming" and unit == "weekend" and calendar.weekend(today).end > said_at:
        back = 0
    return calendar.units_back(said_at, back, unit)


def _counted(match: re.Match[str], said_at: datetime) -> TimeSpan | None:
    """`in three days`, `two weeks ago`, `a month from now`; a mere length of time names no window."""
    text = match["count"].casefold()
    count = int(text) if text.isdigit() else _COUNTS[text]
    ago = (match["ago"] or "").strip().casefold()
    if not ago and (match["lead"] or "").casefold() != "in":
        return None
    return calendar.units_back(said_at, count if ago == "ago" else -count, match["units"].casefold().rstrip("s"))


def _absolute(item: TimeExpression) -> str:
    """The window in words, behind the word that leads to it."""
    first, length = item.window.start.date(), item.window.end - item.window.start
    month = f"{_MONTHS[first.month - 1].capitalize()} {first.year}"
    plain, name = "on", f"{first.day} {month}"
    if length > timedelta(days=32):
        plain, name = "in", str(first.year)
    elif length > timedelta(days=27):
        plain, name = "in", month
    elif length > _ONE_DAY:
        plain, name = "in", f"the {'weekend' if length < _WEEK else 'week'} of {first.day} {month}"
    return f"{item.lead or plain} {name}"
