"""Replay: what was rejected stays away when it is derived again. Pure: a statement and its rejections in, both out.

A rejection gives way to a statement made after it by a source of no lower rank than whoever rejected: people change
their minds. A statement made before, or by less, is held to it, whatever derives it and under which policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.record import QUARANTINED, REVIEW, Content, Usage
from bethink.domain.rejection import LEAST_CONFIDENCE, WEAKENED, Rejection
from bethink.domain.types import Portability


@dataclass(frozen=True, slots=True)
class Held:
    """A statement after its rejections.

    `barred` is the rejection that keeps it out altogether. `doubted` says that it comes in doubted. `lifted` are the
    rejections it overcomes, `absolved` whether one of them had cast the doubt.
    """

    content: Content
    barred: Rejection | None = None
    doubted: bool = False
    lifted: tuple[str, ...] = ()
    absolved: bool = False


def held(content: Content, spoken: datetime, rejections: Sequence[Rejection]) -> Held:
    """A statement as its rejections leave it.

    Args:
        content: what is stated; a retraction is held to none.
        spoken: when it was said.
        rejections: those of its words in its scope.
    """
    if content.polarity == "retract":
        return Held(content)
    overcome = [rejection for rejection in rejections if _overcome(content, spoken, rejection)]
    standing = [rejection for rejection in rejections if rejection not in overcome]
    for rejection in standing:
        content, barred = _under(content, rejection)
        if barred:
            return Held(content, barred=rejection)
    return Held(
        content,
        doubted=any(rejection.reason == "unspecified" for rejection in standing),
        lifted=tuple(rejection.id for rejection in overcome),
        absolved=any(rejection.reason == "unspecified" for rejection in overcome),
    )


def weakened(usage: Usage) -> Usage:
    """The counters of a record that was rejected without a reason."""
    return replace(usage, confidence=max(LEAST_CONFIDENCE, round(usage.confidence - WEAKENED, 6)))


def _under(content: Content, rejection: Rejection) -> tuple[Content, bool]:
    """A statement under one rejection that stands, and whether it is kept out."""
    if rejection.reason == "unspecified":
        return replace(content, flags=content.flags | {REVIEW}), False
    home = content.origin.project
    if rejection.reason == "elsewhere" and home is not None and home != rejection.project:
        return replace(content, portability=Portability.LOCAL), False
    return content, True


def _overcome(content: Content, spoken: datetime, rejection: Rejection) -> bool:
    """Whether the statement was made after the rejection, by who may overrule it."""
    outranks = content.source.rank >= rejection.rank and QUARANTINED not in content.flags
    return outranks and spoken > rejection.said_at
