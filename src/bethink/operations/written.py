"""`written`: what a session left in memory, for its user to see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bethink.domain.record import Status
from bethink.domain.source import SourceKind


@dataclass(frozen=True, slots=True)
class WrittenRequest:
    """The records of one session, the caller's own unless named, `limit` at most; `before` is a page's `next`."""

    session: str | None = None
    before: int | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class WrittenCard:
    """One record as a user should see it. `lasting` says that it is a standing preference, constraint or procedure."""

    id: str
    short_id: str
    type: str
    text: str
    subject: str | None
    status: Status
    source: SourceKind
    lasting: bool
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class WrittenResult:
    """What was written in a session and is not forgotten, the newest first; `next` asks for the page behind it."""

    session: str
    records: tuple[WrittenCard, ...]
    next: int | None = None
