"""`reject`: a record that should not have been recalled, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bethink.domain.record import Status
from bethink.domain.rejection import Reason
from bethink.operations.common import Notice

RejectOutcome = Literal[
    "retired", "superseded", "superseded_on_arrival", "expired", "narrowed", "flagged", "conflict", "already_rejected"
]


@dataclass(frozen=True, slots=True)
class RejectRequest:
    """What is wrong with one record.

    ``untrue``: it never was so; it is retired. ``changed``: it was so; `content` holds now, or it is over.
    ``elsewhere``: it holds in another project and not in this one. ``unspecified``: something is wrong with it; it is
    doubted and stays.

    Args:
        id: the record, by id or short id.
        reason: what is wrong with it.
        content: what holds in its place, where it has changed.
        where: the project it does hold in; the one it was learned in unless given.
        at: from when it holds no longer, or `content` does.
        trace: the recall that showed it.
        evidence: the user's exact words that reject it, as said in `session`; an agent's own word rejects only what is
            an inference too.
        session: the session whose turns hold the evidence; the caller's own unless given.
    """

    id: str
    reason: Reason = "unspecified"
    content: str | None = None
    where: str | None = None
    at: datetime | None = None
    trace: str | None = None
    evidence: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class HintCard:
    """A subject that was asked for in vain, so often, first and last when.

    `name` is that of the entity, and None where the store knows no such entity: a hint keeps no name itself.
    """

    asked: int
    first_at: datetime
    last_at: datetime
    name: str | None = None
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class HintsResult:
    """What a user asked for again and again and nothing is known of, the most often first."""

    hints: tuple[HintCard, ...]


@dataclass(frozen=True, slots=True)
class RejectResult:
    """What became of it.

    `id` is the record, or the one that holds in its place. `superseded` names what gave way. ``conflict``: the record
    comes from a better source than whoever rejects it, and nothing of it changed.
    """

    outcome: RejectOutcome
    id: str
    short_id: str
    status: Status
    superseded: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    stages_ms: Mapping[str, float] = field(default_factory=dict)
