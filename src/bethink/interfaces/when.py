"""Times as a caller writes them at an interface: a date means that whole day, a time names its zone."""

from __future__ import annotations

from datetime import datetime, timedelta

from bethink.domain.time import parse_instant


def moment(text: str | None, what: str) -> datetime | None:
    """The instant named; a date is taken at its last microsecond, so that what came true that day counts.

    Raises:
        InvalidInput: it cannot be read, or names no zone.
    """
    first, after = start(text, what), end(text, what)
    return first if after is None or after == first else after - timedelta(microseconds=1)


def start(text: str | None, what: str) -> datetime | None:
    """The first instant of what is named.

    Raises:
        InvalidInput: it cannot be read, or names no zone.
    """
    return None if text is None else parse_instant(text, what)


def end(text: str | None, what: str) -> datetime | None:
    """The first instant after the date that is named; a time is itself.

    Raises:
        InvalidInput: it cannot be read, or names no zone.
    """
    return None if text is None else parse_instant(text, what, end_of_day=True)
