"""Times as transcripts write them. What cannot be read gives no time, never a wrong one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bethink.domain.time import EPOCH, from_micros
from bethink.errors import InvalidInput

_MONTHS = (
    "january february march april may june july august september october november december"
).split()  # written out: strptime's month names follow the machine's locale
_SPOKEN = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})\s*(?P<half>[ap])\.?m\.?\s+on\s+"
    r"(?P<day>\d{1,2})\s+(?P<month>[a-z]+),?\s+(?P<year>\d{4})",
    re.IGNORECASE,
)
_LONGEST = 100
_LAST_SECOND = 253_402_300_800  # the first second of year 10000
_UNITS = ((10**11, 1), (10**14, 1_000), (10**17, 1_000_000), (10**20, 1_000_000_000))
"""Numbers below the first value count as seconds, then as milliseconds, microseconds, nanoseconds."""


@dataclass(frozen=True, slots=True)
class SaidAt:
    """A time that was read: the instant in UTC, the words it stood in, and whether its zone had to be assumed."""

    at: datetime
    text: str | None = None
    zone_assumed: bool = False


def zone(name: str) -> tzinfo:
    """The time zone of that name.

    Raises:
        InvalidInput: there is none.
    """
    if name.upper() == "UTC":
        return UTC  # needs no zone database
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        msg = f"There is no time zone {name[:40]!r}."
        raise InvalidInput(msg, remedy="Name one such as Europe/Berlin, America/New_York or UTC.") from None


def read_time(value: object, assumed: tzinfo) -> SaidAt | None:
    """Read a time.

    Args:
        value: seconds (or milliseconds, microseconds, nanoseconds, told by size) since 1970 UTC, an ISO 8601 text,
            or a spoken one such as ``1:56 pm on 8 May, 2023``.
        assumed: the zone of times that name none.

    Returns:
        None when there is no time, or none that can be read with certainty.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        return _since_epoch(value)
    text = value.strip()
    if not text or len(text) > _LONGEST or not text.isprintable():
        return None
    moment = _iso(text) or _spoken(text)
    if moment is None:
        seconds = _since_epoch(float(text)) if re.fullmatch(r"\d{9,19}(\.\d{1,9})?", text, re.ASCII) else None
        return None if seconds is None else SaidAt(seconds.at, text)
    naive = moment.utcoffset() is None
    try:
        at = (moment.replace(tzinfo=assumed) if naive else moment).astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return SaidAt(at, text, naive) if EPOCH.year <= at.year else None


def _since_epoch(number: float) -> SaidAt | None:
    """A number as time since 1970; zero and less is how exports write that they do not know."""
    if not 0 < number < _UNITS[-1][0]:  # false for NaN too
        return None
    unit = next(unit for bound, unit in _UNITS if number < bound)
    if number / unit >= _LAST_SECOND:
        return None
    micros = number * 1_000_000 // unit if isinstance(number, int) else round(number * (1_000_000 / unit))
    return SaidAt(from_micros(int(micros)))


def _iso(text: str) -> datetime | None:
    """An ISO 8601 text; a trailing ``UTC`` is one way to write ``Z``. Digits alone are no date here."""
    if text.isdigit():
        return None
    try:
        return datetime.fromisoformat(re.sub(r"\s*(UTC|GMT)$", "+00:00", text))
    except ValueError:
        return None


def _spoken(text: str) -> datetime | None:
    """A time such as ``1:56 pm on 8 May, 2023``."""
    found = _SPOKEN.fullmatch(text)
    if found is None or found["month"].lower() not in _MONTHS or not 1 <= int(found["hour"]) <= 12:
        return None
    hour = int(found["hour"]) % 12 + (12 if found["half"].lower() == "p" else 0)
    month = _MONTHS.index(found["month"].lower()) + 1
    try:
        return datetime(int(found["year"]), month, int(found["day"]), hour, int(found["minute"]))  # noqa: DTZ001 - the zone is what the caller assumes
    except ValueError:
        return None
