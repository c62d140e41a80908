"""`reads`: what was read from memory, as events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.source import SourceKind
from bethink.domain.trace import Moment


@dataclass(frozen=True, slots=True)
class ReadsRequest:
    """The reads of a caller behind the event `after`, the oldest first, `limit` at most; of one `session` if named."""

    after: str | None = None
    session: str | None = None
    limit: int = 100


@dataclass(frozen=True, slots=True)
class MatchSource:
    """Where one match comes from: the kind of source as it stands now, its reference, the turn its evidence is in."""

    id: str
    kind: SourceKind
    ref: str
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryRead:
    """One search, as the event ``memory.read``.

    `id` is that of its trace, which holds the whole account. `query` is the question, or the goal of what answers none.
    `match_ids` are the items of its answer, best first; a passage's begin with its document's. `sources` are those of
    the matches that the caller may still read. A read whose words were erased is `erased`: of it ids and times
    are left.
    """

    id: str
    at: datetime
    query: str
    match_ids: tuple[str, ...]
    sources: tuple[MatchSource, ...]
    moment: Moment
    session: str | None = None
    empty_reason: str | None = None
    erased: bool = False
    kind: Literal["memory.read"] = "memory.read"


@dataclass(frozen=True, slots=True)
class ReadsResult:
    """A page of events; `next` is what to ask for `after` to go on, and stays as it was when nothing came."""

    reads: tuple[MemoryRead, ...]
    next: str | None
