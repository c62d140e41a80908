"""What recall passes from step to step: hits of an arm, slim candidates, and the texts of the survivors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bethink.domain.record import Status
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind, Portability

Arm = Literal["structured", "lexical", "fuzzy", "dense", "entity"]
ARMS: tuple[Arm, ...] = ("structured", "lexical", "fuzzy", "dense", "entity")


@dataclass(frozen=True, slots=True)
class ArmHit:
    """One arm's finding: the index key, its rank there (from 1) and the arm's raw score.

    `coverage` is the share of the query's terms the hit holds (lexical); `matched` how many, and whether one of
    them is an identifier or an alias.
    """

    key: int
    rank: int
    raw: float
    coverage: float = 0.0
    matched: int = 0
    distinctive: bool = False


@dataclass(frozen=True, slots=True)
class ArmReport:
    """How an arm did: its hits, how many matched before the depth cut, its time, and why it fell short if it did."""

    arm: Arm
    hits: tuple[ArmHit, ...] = ()
    matched: int = 0
    milliseconds: float = 0.0
    degraded: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A slim value checked against the truth inside the fence: enough to rank, not to show.

    For a turn `id` is the turn's id, `subject_key` the folded speaker and `session`/`seq` its place.
    """

    key: int
    id: str
    kind: Kind
    type: str
    status: Status
    scope: Scope
    recorded_at: datetime
    created_at: datetime
    source: SourceKind
    confidence: float
    evidence_count: int
    utility: float
    digest: str
    portability: Portability = Portability.PORTABLE
    sensitivity: Sensitivity = Sensitivity.NORMAL
    project: str | None = None
    subject_key: str = ""
    attribute_key: str = ""
    subject_entity: str | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_at: datetime | None = None
    ends_at: datetime | None = None
    last_evidence_at: datetime | None = None
    flags: frozenset[str] = frozenset()
    conflicts: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    session: str | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score and how it came about.

    `parts` are the weighted terms whose sum is `score`; `arms` maps an arm to (rank, raw score); `match` is the
    fused score in 0..1; `cosine` is the exact similarity when a vector exists; `coverage` the share of query terms.
    """

    candidate: Candidate
    score: float
    match: float
    parts: Mapping[str, float] = field(default_factory=dict)
    arms: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    cosine: float | None = None
    coverage: float = 0.0
    matched: int = 0
    distinctive: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """What a survivor is rendered from, fetched only for survivors."""

    key: int
    text: str
    subject: str | None
    speaker: str | None
    role: str | None
    quote: str | None
    source_ref: str
    creator: str
    revision: str | None = None
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    said_at: datetime | None = None
    message_id: str | None = None
