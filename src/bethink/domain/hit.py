"""What recall passes from step to step: hits of an arm, slim candidates, and the texts of the survivors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple

from bethink.domain.record import Status
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind, Portability

Arm = Literal["structured", "lexical", "fuzzy", "dense", "entity", "time", "taxonomy", "graph", "external"]
ARMS: tuple[Arm, ...] = ("structured", "lexical", "fuzzy", "dense", "entity", "time")
"""The arms of every recall. `taxonomy` joins them where a question has topics; `graph`, one relation away, and
`external`, a host's provider, are off at first."""


class ArmHit(NamedTuple):
    """One arm's finding: the index key, its rank there (from 1) and the arm's raw score.

    `coverage` is the share of the query's terms the hit holds (lexical); `matched` how many, and whether one of
    them is an identifier or an alias.

    A named tuple, as all are of which a recall makes hundreds: a frozen dataclass takes seven times as long.
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


class Candidate(NamedTuple):
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


class Fused(NamedTuple):
    """A candidate with what the arms say of it, made one number.

    `match` in 0..1 is how well it answers, `text` how well its text does, before any lookup counts. `arms` maps an arm
    to (rank from 1, raw score); an arm that did not list it is absent. `cosine` is the exact similarity when a vector
    exists, `coverage` and `matched` the share and number of query terms its own fields hold, `said` how many stand in
    its text or day and are no name of its own, or in its neighbours' text. `exact` names the lookup that hit (subject,
    owned, entity, type, change, relation, time), empty without one. `lent` is whether the words of its neighbours alone
    made the lexical arm find it.
    """

    candidate: Candidate
    match: float
    text: float = 0.0
    arms: Mapping[str, tuple[int, float]] = MappingProxyType({})
    cosine: float | None = None
    coverage: float = 0.0
    matched: int = 0
    said: int = 0
    distinctive: bool = False
    exact: str = ""
    lent: bool = False


class Scored(NamedTuple):
    """A fused candidate with its score; `parts` are the signed, weighted terms whose sum is `score`."""

    found: Fused
    score: float
    parts: Mapping[str, float]

    @property
    def candidate(self) -> Candidate:
        """The slim value ranked."""
        return self.found.candidate


@dataclass(frozen=True, slots=True)
class Weights:
    """What each term of the explicit sum is worth; all at 1, the terms themselves lie in 0..1."""

    match: float
    confidence: float
    reinforcement: float
    authority: float
    scope: float
    utility: float
    freshness: float = 0.0


@dataclass(frozen=True, slots=True)
class RankContext:
    """What ranking may know beside the candidates.

    `instant` is the time the answer speaks for; `project` where it is asked; `pinned` leaves usage out, so that a
    pinned answer does not move when a record is used; `windowed` says the caller chose a time window itself; `position`
    is the store's write counter.
    """

    weights: Weights
    instant: datetime
    project: str | None = None
    pinned: bool = False
    windowed: bool = False
    position: int = 0


@dataclass(frozen=True, slots=True)
class Body:
    """What a survivor is rendered from, fetched only for survivors.

    `clean` says that the screen, under the rules of today, found nothing in what is shown of it when it was stored.
    """

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
    clean: bool = False
