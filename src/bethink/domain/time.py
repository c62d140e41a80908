"""Instants. Aware UTC only, microseconds, half-open intervals.

The store keeps an instant as microseconds since 1970 UTC, so that both databases order and compare it alike.
`BEGINNING` and `FOREVER` stand for an open end; they lie outside what a datetime can hold.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from bethink.errors import InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BEGINNING = -(2**60)
FOREVER = 2**60
_MICROSECOND = timedelta(microseconds=1)
_DAY = 86_400.0


def utc(value: object, what: str) -> datetime:
    """Return `value` in UTC.

    Raises:
        InvalidInput: no datetime, a naive one (its zone would be a guess), or one that leaves the calendar in UTC.
    """
    if not isinstance(value, datetime):
        msg = f"{what} must be a datetime, not {type(value).__name__}."
        raise InvalidInput(msg, remedy="Pass an aware datetime, such as datetime.now(timezone.utc).")
    if value.tzinfo is None or value.utcoffset() is None:
        msg = f"{what} {value.isoformat()} has no time zone."
        raise InvalidInput(msg, remedy="Pass an aware datetime, such as datetime.now(timezone.utc).")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        msg = f"{what} {value.isoformat()} lies outside years 1 to 9999 in UTC."
        raise InvalidInput(msg) from None


def to_micros(value: datetime) -> int:
    """Microseconds since 1970 UTC of an aware datetime, exact."""
    return (value - EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    """The aware UTC datetime of `to_micros`."""
    return EPOCH + timedelta(microseconds=value)


def lower_micros(value: datetime | None) -> int:
    """The stored form of an optional lower end; None is `BEGINNING`."""
    return BEGINNING if value is None else to_micros(value)


def upper_micros(value: datetime | None) -> int:
    """The stored form of an optional upper end; None is `FOREVER`."""
    return FOREVER if value is None else to_micros(value)


def optional_instant(value: int | None) -> datetime | None:
    """The datetime of a stored end, None for an open or absent one."""
    return None if value is None or value <= BEGINNING or value >= FOREVER else from_micros(value)


def earliest(*ends: datetime | None) -> datetime | None:
    """The first of some optional ends; None when all are open."""
    return min((end for end in ends if end is not None), default=None)


def iso(value: datetime) -> str:
    """The one textual form: fixed width, microseconds, ``Z``."""
    return value.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def days_between(since: datetime, instant: datetime) -> float:
    """Days from `since` to `instant`, 0 when it lies ahead."""
    return max(0.0, (instant - since).total_seconds() / _DAY)


def parse_instant(text: str, what: str, *, end_of_day: bool = False) -> datetime:
    """Read an ISO date or datetime given by a caller. A date means that whole day in UTC.

    Args:
        text: such as ``2026-03-01`` or ``2026-03-01T09:30:00+01:00``.
        what: the argument's name, for the message.
        end_of_day: for a date, return the first instant after the day instead of its first one; after the last day of
            the calendar its last instant.

    Raises:
        InvalidInput: unreadable, or a datetime without a zone.
    """
    try:
        if len(text) == len("2026-03-01"):
            day = datetime.combine(date.fromisoformat(text), time.min, tzinfo=UTC)
            if end_of_day:
                return day + timedelta(days=1) if day.date() < date.max else datetime.max.replace(tzinfo=UTC)
            return day
        return utc(datetime.fromisoformat(text), what)
    except (ValueError, OverflowError):
        msg = f"{what} {text[:40]!r} is not an ISO date or datetime."
        raise InvalidInput(msg, remedy="Write 2026-03-01 or 2026-03-01T09:30:00+00:00.") from None
