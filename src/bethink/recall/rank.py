"""Rank: an explicit weighted sum, every term on the record.

``score = match + confidence + reinforcement + authority + scope + utility + freshness - penalty``, each term weighted
by the profile. The terms are A102 to A106 of the design's source; the weights are hand-set and versioned by `POLICY`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from bethink.domain.hit import Candidate, Fused, RankContext, Scored
from bethink.domain.record import Status
from bethink.domain.source import AUTHORITY
from bethink.domain.time import days_between
from bethink.domain.types import TYPES, Kind, Portability

POLICY = "task@7"
"""Name and version of the weighted sum. Any change of a constant here or in the profiles is a new version."""

PROVISIONAL = 0.4
"""What a provisional record's confidence counts for; an active one's counts whole."""

EVIDENCE_MAX = 10
"""The number of independent sources past which one more says nothing new."""

CARRIED = {Portability.PORTABLE: 0.8, Portability.CONTEXTUAL: 0.55, Portability.LOCAL: 0.15}
"""Scope affinity of a record learned in another project; at home and without a project it is 1."""

FLAGGED, STALE, NEAR_DUPLICATE = 0.2, 0.1, 0.1
"""Penalties: flagged for review; past its expiry hint; nearly what a higher item says (taken in collapse)."""

FRESH_DAYS, FRESH_FLOOR = 30.0, 0.5
"""An episode's freshness halves every 30 days down to one half."""

TERMS = ("match", "confidence", "reinforcement", "authority", "scope", "utility", "freshness", "penalty")
"""The terms of the sum, in its order."""

_PROVISIONAL, _EPISODIC = Status.PROVISIONAL, Kind.EPISODIC
_TAU = {name: rule.decay_days for name, rule in TYPES.items()}
_VOLUME = tuple(math.log1p(count) / math.log1p(EVIDENCE_MAX) for count in range(EVIDENCE_MAX + 1))


@dataclass(frozen=True, slots=True)
class TaskRanker:
    """The default `Ranker`."""

    policy: str = POLICY

    def rank(self, candidates: Sequence[Fused], context: RankContext) -> tuple[Scored, ...]:
        """Score every candidate; score descending, then id ascending. Terms and sums are whole billionths."""
        if not candidates:
            return ()
        terms = np.round(np.array([_terms(found, context) for found in candidates]) * _weights(context), 9)
        scores = np.round(terms.sum(axis=1), 9).tolist()
        return in_order(map(Scored, candidates, scores, _parts(terms, pinned=context.pinned)))


def in_order(scored: Iterable[Scored]) -> tuple[Scored, ...]:
    """The one total order: score descending, then id ascending, never the order things were found in."""
    return tuple(sorted(scored, key=lambda item: (-item.score, item.found.candidate.id)))


def _terms(found: Fused, context: RankContext) -> tuple[float, ...]:
    """The terms of one candidate, in the order of `TERMS`, before their weights."""
    candidate, weights = found.candidate, context.weights
    return (
        found.match,
        confidence(candidate),
        reinforcement(candidate, context.instant),
        AUTHORITY[candidate.source],
        scope_affinity(candidate, context.project),
        min(1.0, max(0.0, candidate.utility)),
        freshness(candidate, context.instant) if weights.freshness else 0.0,
        penalty(candidate, context.instant),
    )


def _parts(terms: NDArray[np.float64], *, pinned: bool) -> list[dict[str, float]]:
    """The weighted terms by name: the first five, use unless pinned, the last two where they are something."""
    match, conf, reinforce, authority, scope, utility, *seldom = TERMS
    parts = [
        {match: a, conf: b, reinforce: c, authority: d, scope: e, utility: f}
        for a, b, c, d, e, f in terms[:, :6].tolist()
    ]
    if pinned:
        for row in parts:
            del row[utility]
    for at, name in enumerate(seldom, 6):
        for place in np.flatnonzero(terms[:, at]).tolist():
            parts[place][name] = float(terms[place, at])
    return parts


def _weights(context: RankContext) -> NDArray[np.float64]:
    """The weights of the terms; a pinned recall leaves use out, a window of the caller's own leaves freshness out."""
    own = context.weights
    utility = 0.0 if context.pinned else own.utility
    fresh = 0.0 if context.windowed else own.freshness
    return np.array(
        (own.match, own.confidence, own.reinforcement, own.authority, own.scope, utility, fresh, -1.0), np.float64
    )


def confidence(candidate: Candidate) -> float:
    """A102: stored confidence, counting 0.4 while provisional."""
    return candidate.confidence * PROVISIONAL if candidate.status is _PROVISIONAL else candidate.confidence


def reinforcement(candidate: Candidate, instant: datetime) -> float:
    """A103: min(1, ln(1 + sources) / ln(11)) times exp(-age / τ), age since the last evidence, τ by type."""
    volume = _VOLUME[max(0, min(candidate.evidence_count, EVIDENCE_MAX))]
    tau = _TAU[candidate.type]
    if tau is None or candidate.last_evidence_at is None:
        return volume
    return volume * math.exp(-days_between(candidate.last_evidence_at, instant) / tau)


def scope_affinity(candidate: Candidate, project: str | None) -> float:
    """A105: 1 at home and for what belongs to no project; carried records by how far they carry."""
    if candidate.project is None or candidate.project == project:
        return 1.0
    return CARRIED[candidate.portability]


def freshness(candidate: Candidate, instant: datetime) -> float:
    """E43: max(0.5, 0.5^(days / 30)) since an episode happened; nothing for a belief."""
    if candidate.kind is not _EPISODIC:
        return 0.0
    happened = candidate.event_at or candidate.valid_from or candidate.recorded_at
    return max(FRESH_FLOOR, math.pow(0.5, days_between(happened, instant) / FRESH_DAYS))


def penalty(candidate: Candidate, instant: datetime) -> float:
    """A106 but for near-duplicates, which need the texts: flagged for review, and past its expiry hint."""
    if not candidate.flags and candidate.ends_at is None:
        return 0.0
    flagged = FLAGGED if "review" in candidate.flags else 0.0
    past = candidate.ends_at is not None and candidate.ends_at <= instant
    return flagged + (STALE if past or "stale" in candidate.flags else 0.0)
