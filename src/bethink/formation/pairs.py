"""Pairs: which records a record may say the same as, and which it may contradict. Reads only; nothing is decided here.

Near: a cosine of 0.88 and more. In tension: between 0.7 and 0.87, about something both speak of. Cosines of any space
are read on the built-in encoder's scale. A pair is only a question, and similarity alone never answers it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from bethink.domain.calibration import Calibration
from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, QUARANTINED, Record
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.types import ENTITY_PROFILE, Kind, Portability
from bethink.ports.pairs import PairKind, RecordPair
from bethink.ports.store import Snapshot

NEAR = 0.88
TENSION_FROM, TENSION_TO = 0.70, 0.87
DEPTH = 32
"""Neighbours looked at for each record."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Where neighbours are looked for: a snapshot, its tenant, the space of the vectors, how it reads, the present."""

    snapshot: Snapshot
    tenant: str
    space: str
    now: datetime
    calibration: Calibration = field(default_factory=Calibration)

    def fence(self, scope: Scope, project: str | None) -> Fence:
        """What a record of this owner, learned in this project, may be compared with."""
        beliefs = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL})
        return Fence(self.tenant, (scope,), Sensitivity.SECRET, LIVE, self.now, kinds=beliefs, project=project)


def pairs_of(record: Record, vector: NDArray[np.float32], around: Neighbourhood) -> tuple[RecordPair, ...]:
    """The pairs that a record makes with what its owner knows already, the most alike first."""
    if not comparable(record):
        return ()
    fence = around.fence(record.content.scope, record.content.origin.project)
    found = around.snapshot.search.dense(fence, around.space, vector, DEPTH)
    places = found.best(DEPTH)
    scores = map(around.calibration.read, found.scores[places].tolist())
    cosines = dict(zip(found.keys[places].tolist(), scores, strict=True))
    close = {key: cosine for key, cosine in cosines.items() if cosine >= TENSION_FROM}
    ids = {item.key: item.id for item in around.snapshot.records.candidates(fence, sorted(close))}
    others = {other.id: other for other in around.snapshot.records.get(fence, tuple(ids.values()))}
    made = [pair_of(record, others[ids[key]], cosine) for key, cosine in close.items() if ids.get(key) in others]
    return tuple(sorted((pair for pair in made if pair), key=lambda pair: (-pair.cosine, pair.first, pair.second)))


def pair_of(one: Record, other: Record, cosine: float) -> RecordPair | None:
    """The question that two records ask, if any."""
    kind = _kind(one, other, cosine)
    apart = (
        one.id == other.id
        or not comparable(other)
        or one.content.scope != other.content.scope
        or one.content.channel != other.content.channel
        or _homes_differ(one, other)
        or other.id in one.conflicts
        or one.id in other.content.parents
        or other.id in one.content.parents
    )
    return None if kind is None or apart else RecordPair.of(one.id, other.id, kind, round(cosine, 6))


def comparable(record: Record) -> bool:
    """Whether a record takes part: a belief that asserts something, not held back and no profile."""
    content = record.content
    plain = content.polarity == "assert" and QUARANTINED not in content.flags and content.type != ENTITY_PROFILE
    return plain and record.kind is not Kind.EPISODIC


def _kind(one: Record, other: Record, cosine: float) -> PairKind | None:
    """What two records so alike may be to each other."""
    if cosine >= NEAR:
        subjects = {one.content.subject_key, other.content.subject_key} - {""}
        return "near" if one.content.type == other.content.type and len(subjects) < 2 else None
    shared = set(one.entities) & set(other.entities)
    return "tension" if TENSION_FROM <= cosine <= TENSION_TO and shared else None


def _homes_differ(one: Record, other: Record) -> bool:
    """Whether one of them belongs to a project alone and the other was learned in another."""
    local = Portability.LOCAL in {one.content.portability, other.content.portability}
    return local and one.content.origin.project != other.content.origin.project
