"""Feedback: what a use is worth. Retrieval is no evidence, so use moves the usefulness of a record and its last use.

Nothing here touches confidence, the number of sources or the time of the last evidence.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bethink.domain.record import Usage

CITED, UNUSED = 0.10, -0.05
"""What a record's utility gains when it was used, and loses when it was shown and was not."""

MOST, LEAST = 1.0, -1.0


def used(usage: Usage, at: datetime) -> Usage:
    """The counters of a record that was used: more useful, and used at this instant unless it was later already."""
    last = at if usage.last_used_at is None else max(at, usage.last_used_at)
    return replace(usage, utility=_bounded(usage.utility + CITED), last_used_at=last)


def passed_over(usage: Usage) -> Usage:
    """The counters of a record that was shown and not used."""
    return replace(usage, utility=_bounded(usage.utility + UNUSED))


def _bounded(utility: float) -> float:
    """Within -1 and 1, in whole billionths, so that steps add up to what they say."""
    return round(min(MOST, max(LEAST, utility)), 9)
