"""`view`: what a turn, or a session, was given of memory, as its user may see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.trace import Moment

How = Literal["user_stated", "affirmed", "inferred"]


@dataclass(frozen=True, slots=True)
class ViewRequest:
    """Which turn, or which session.

    Args:
        trace_id: the recall that answered the turn. The snapshot that stood at the head of its prompt comes along.
        beside: further recalls of the same turn.
        session: all of a session instead, the oldest first; that of the binding where nothing is named.
        after: go on behind this recall of the session: the `next` of an earlier page.
        limit: at most so many recalls of the session.
    """

    trace_id: str = ""
    beside: tuple[str, ...] = ()
    session: str | None = None
    after: str | None = None
    limit: int = 100


@dataclass(frozen=True, slots=True)
class ViewedMoment:
    """One recall that placed memory in a prompt.

    `placed` are those of its beliefs that may be shown, in the order of its block. The counts are of items that may
    not: `considered_not_shown` was ranked and not placed, `withheld_by_safety` stands in the block as blocked, for its
    text did not pass the screen, `withheld` was placed, and this viewer may not read it. An `erased` one says no more.
    """

    trace_id: str
    moment: Moment
    at: datetime
    as_of: datetime
    placed: tuple[str, ...]
    considered_not_shown: int
    withheld_by_safety: int
    withheld: int
    erased: bool = False


@dataclass(frozen=True, slots=True)
class ViewedBelief:
    """One thing that was placed, as it stood in the block.

    `learned_in` is the project it was learned in, `carried` says that this was another than the prompt's. `how` is who
    says so: the user; something beside user and agent, such as a system, tool, document or import, which `authority`
    names; or the agent alone. `source` leads to where it comes from, and `turn` to the words that support
    it, as that stands now. It is `used` where an answer cited it, one of the session where it stands in the snapshot.
    That anything moved an answer nobody can know: all else was `available`.
    """

    id: str
    short_id: str
    statement: str
    subject: str | None
    learned_at: datetime
    learned_in: str | None
    carried: bool
    how: How
    authority: str
    source: str | None
    turn: str | None
    session: str | None
    band: str
    use: Literal["used", "available"]


@dataclass(frozen=True, slots=True)
class TraceView:
    """What was placed in the context, and how much was not.

    `moments` are the recalls, the oldest first; `beliefs` what they placed, each once. `considered_not_shown` is the
    sum over the moments; `withheld_by_safety` and `withheld` count each item once. `as_of` is the latest instant a
    block spoke for, None without one. `next` asks for the page behind it.
    """

    session: str | None
    moments: tuple[ViewedMoment, ...]
    beliefs: tuple[ViewedBelief, ...]
    considered_not_shown: int
    withheld_by_safety: int
    withheld: int
    as_of: datetime | None
    next: str | None = None
