"""Times as data sets write them. They name no zone; UTC is assumed, and the store is told so."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from bethink.errors import InvalidInput

_MONTHS = "january february march april may june july august september october november december".split()
_LAST = 9_000
"""The last year: what is kept for a time after a question still has a date."""

_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?\s*(?P<half>[ap]m)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_CLOCK} on (?:[a-z]+day )?(?P<day>\d{{1,2}}) (?P<month>[a-z]+),? (?P<year>\d{{4}})",
        r"(?P<month>[a-z]+)-(?P<day>\d{1,2})-(?P<year>\d{4})",
        rf"(?P<year>\d{{4}})/(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})(?: \([a-z]+\))?(?: {_CLOCK})?",
    )
)
"""``1:56 pm on 8 May, 2023``, ``01:56:04 AM on Monday 08 May, 2023``; ``March-15-2024``; ``2023/05/20 (Sat) 02:21``."""


def read_date(text: str) -> datetime:
    """The time a data set writes, in one of its forms or in ISO 8601; a date alone is its midnight.

    Raises:
        InvalidInput: it is none of them.
    """
    match = next((found for form in _FORMS if (found := form.fullmatch(text.strip()))), None)
    try:
        moment = datetime.fromisoformat(text.strip()) if match is None else _moment(match)
        told = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        told = None
    if told is None or told.year > _LAST:
        msg = f"{text[:40]!r} is no date that an evaluation reads."
        raise InvalidInput(msg, remedy="Write dates as 2023-05-08T13:56:00Z.")
    return told


def _moment(match: re.Match[str]) -> datetime:
    """The parts of a form as an instant."""
    part = match.groupdict()
    month = str(part["month"]).lower()
    number = int(month) if month.isdigit() else _MONTHS.index(month) + 1
    hour = int(part.get("hour") or 0)
    if half := part.get("half"):
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    minute, second = int(part.get("minute") or 0), int(part.get("second") or 0)
    return datetime(int(part["year"]), number, int(part["day"]), hour, minute, second, tzinfo=UTC)
