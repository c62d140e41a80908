"""`revise`: a change to one record, named by its id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.operations.common import Notice

ReviseAction = Literal["confirm", "supersede", "expire", "merge"]

ReviseOutcome = Literal[
    "confirmed",
    "already_confirmed",
    "superseded",
    "superseded_on_arrival",
    "expired",
    "merged",
    "conflict",
    "rejected",
    "replayed",
]


@dataclass(frozen=True, slots=True)
class ReviseRequest:
    """One change to one record.

    ``confirm``: it still holds. ``supersede``: `content` holds in its place. ``expire``: it holds no longer.
    ``merge``: `other` says the same; it gives way to this record, which gains its support.

    Args:
        id: the record, by id or short id.
        action: what to do with it.
        content: the statement that replaces it, or the one that says it is over.
        other: the record that gives way in a merge, by id or short id.
        at: from when the new statement holds, or the old one no longer; unless given, when it was said.
        evidence: the exact words that support the change, as said in `session`.
        session: the session whose turns hold the evidence; the caller's own unless given.
        source: a kind the host vouches for; only an unprivileged kind may be named by an agent.
        source_ref, source_revision: which page, mail or tool it is from, and which state of it.
        idempotency_key: repeats of one request with one key are answered once.
    """

    id: str
    action: ReviseAction
    content: str | None = None
    other: str | None = None
    at: datetime | None = None
    evidence: str | None = None
    session: str | None = None
    source: SourceKind | None = None
    source_ref: str | None = None
    source_revision: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class ReviseResult:
    """What became of it.

    `id` is the confirmed, expired or surviving record, or the one that holds the new statement.
    `superseded` and `conflicts` name the others concerned: a change that a source of lower rank asks for is kept beside
    the record as a conflict, and the record stands. `source` is the kind the change was admitted under, after any
    downgrade, which `notices` explain.
    """

    outcome: ReviseOutcome
    id: str
    short_id: str
    status: Status
    source: SourceKind
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    evidence_located: bool = False
    embedding_pending: bool = False
    notices: tuple[Notice, ...] = ()
    position: int = 0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
