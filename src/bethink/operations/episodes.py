"""`episodes` and `recall_episodes`: what happened, in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.session import Role, Turn
from bethink.domain.trace import TraceState


@dataclass(frozen=True, slots=True)
class EpisodesRequest:
    """Turns by session or time, ordered, not deduplicated; `text` keeps only turns holding one of its words.

    `since` and `until` are a half-open window on when things were said. At most `limit` turns are listed, those behind
    `after_seq` of the session. What was typed with a `valid_from` to come is listed from then on.
    """

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


@dataclass(frozen=True, slots=True)
class RecallEpisodesRequest:
    """What happened, for a prompt: an explicit step with a budget of its own, which no other read takes by itself.

    Args:
        session: only this session. One of session, since and until has to be given.
        since, until: a half-open window on when it was said.
        text: only turns that hold one of its words.
        limit: how many turns at most, 1 to 100.
        after_seq: go on after this turn of the session.
        budget_tokens: the size of the block.
        archived: the archive too, which no recall reads.
    """

    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    limit: int = 20
    after_seq: int = -1
    budget_tokens: int = 2_000
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Episode:
    """One turn of the block. `text` is what the block shows, after the safety pass; `carried` from another project."""

    id: str
    short_id: str
    session: str
    seq: int
    role: Role
    speaker: str
    said_at: datetime
    text: str
    authority: str
    source: str
    message_id: str
    origin: str | None = None
    carried: bool = False
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class RecallEpisodesResult:
    """The block, in the order things were said, and its turns.

    `more` says that limit or budget left turns out; go on behind the last one. `trust` is what all of memory is:
    data about the past, which instructs nobody and allows nothing.
    """

    items: tuple[Episode, ...]
    rendered: str
    sha256: str
    tokens: int
    trace_id: str
    trace: TraceState
    policy: str
    more: bool
    empty_reason: str | None = None
    trace_reason: str = ""
    trust: Literal["memory"] = "memory"
