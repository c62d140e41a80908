"""`episodes`: what happened, in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bethink.domain.session import Turn


@dataclass(frozen=True, slots=True)
class EpisodesRequest:
    """Turns by session or time, ordered, not deduplicated; `text` keeps only turns holding one of its words."""

    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    limit: int = 50
    after_seq: int = -1


@dataclass(frozen=True, slots=True)
class EpisodesResult:
    """The turns, in the order they were said; `more` says that the limit cut."""

    turns: tuple[Turn, ...]
    more: bool
    empty_reason: str | None = None
