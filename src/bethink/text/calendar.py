"""The calendar of a question: days, weeks, months and years as half-open windows in UTC.

Weeks begin on Monday. A function raises `ValueError` or `OverflowError` where there is no such day; who reads a text
takes that for no window.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from bethink.domain.query import TimeSpan

MICROSECOND = timedelta(microseconds=1)
_MONTHS = 12
_LEAP = 8
"""Years within which every day of the calendar comes again."""


def midnight(day: date) -> datetime:
    """The first instant of a day."""
    return datetime.combine(day, time.min, tzinfo=UTC)


def days(first: date, count: int = 1) -> TimeSpan:
    """As many days from a first."""
    return TimeSpan(midnight(first), midnight(first + timedelta(days=count)))


def week(day: date) -> TimeSpan:
    """The week that a day lies in."""
    return days(day - timedelta(days=day.weekday()), 7)


def weekend(day: date) -> TimeSpan:
    """The Saturday and Sunday of the week that a day lies in."""
    return days(day + timedelta(days=5 - day.weekday()), 2)


def month(year: int, number: int) -> TimeSpan:
    """A month; a number outside 1 to 12 counts on into other years."""
    first, after = (date(year + (at - 1) // _MONTHS, (at - 1) % _MONTHS + 1, 1) for at in (number, number + 1))
    return TimeSpan(midnight(first), midnight(after))


def year(number: int) -> TimeSpan:
    """A year."""
    return TimeSpan(midnight(date(number, 1, 1)), midnight(date(number + 1, 1, 1)))


def hours(day: date, first: int, last: int) -> TimeSpan:
    """Some hours of a day, counted from its midnight."""
    return TimeSpan(midnight(day) + timedelta(hours=first), midnight(day) + timedelta(hours=last))


def units_back(instant: datetime, count: int, unit: str) -> TimeSpan:
    """The unit that lies some units before the one of the instant; a count below 0 looks ahead."""
    day = instant.date()
    if unit in {"minute", "hour"}:
        half = timedelta(**{unit + "s": 1}) / 2
        middle = instant - 2 * half * count
        return TimeSpan(middle - half, middle + half)
    if unit in {"week", "weekend"}:
        return (week if unit == "week" else weekend)(day - timedelta(weeks=count))
    if unit == "month":
        return month(day.year, day.month - count)
    return days(day - timedelta(days=count)) if unit == "day" else year(day.year - count)


def trailing(instant: datetime, count: int, unit: str) -> TimeSpan:
    """The last so many units up to the instant, its own included; from days on, whole days."""
    day, end = instant.date(), instant + MICROSECOND
    if unit in {"minute", "hour"}:
        return TimeSpan(instant - timedelta(**{unit + "s": count}), end)
    if unit == "weekend":
        return TimeSpan(weekend(day - timedelta(weeks=count)).start, end)
    if unit in {"month", "year"}:
        months = count * (_MONTHS if unit == "year" else 1)
        first = month(day.year, day.month - months).start.date()
        length = (month(first.year, first.month).end - midnight(first)).days
        return TimeSpan(midnight(first.replace(day=min(day.day, length))), end)
    return TimeSpan(midnight(day - timedelta(days=count * (7 if unit == "week" else 1))), end)


def latest(number: int, day: int, today: date) -> date:
    """The last such day and month up to today."""
    for before in range(_LEAP + 1):
        try:
            found = date(today.year - before, number, day)
        except ValueError:
            continue  # 29 February, or no such day in any year
        if found <= today:
            return found
    msg = f"No year has a day {day} in month {number}."
    raise ValueError(msg)


def weekday_before(weekday: int, today: date) -> date:
    """The last such weekday before today."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
