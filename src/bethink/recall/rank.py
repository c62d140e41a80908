"""Rank: an explicit weighted sum, every term on the record.

``score = match + confidence + reinforcement + authority + scope + utility + freshness - penalty``, each term weighted
by the profile. The terms are A102 to A106 of the design's source; the weights are hand-set and versioned by `POLICY`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bethink.domain.hit import Candidate, Fused, RankContext, Scored
from bethink.domain.record import Status
from bethink.domain.source import AUTHORITY
from bethink.domain.types import TYPES, Kind, Portability

POLICY = "task@1"
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

_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class TaskRanker:
    """The default `Ranker`."""

    policy: str = POLICY

    def rank(self, candidates: Sequence[Fused], context: RankContext) -> tuple[Scored, ...]:
        """Score every candidate; score descending, then id ascending."""
        return in_order(_scored(found, context) for found in candidates)


def in_order(scored: Iterable[Scored]) -> tuple[Scored, ...]:
    """The one total order: score descending, then id ascending, never the order things were found in."""
    return tuple(sorted(scored, key=lambda item: (-item.score, item.found.candidate.id)))


def _scored(found: Fused, context: RankContext) -> Scored:
    candidate, weights = found.candidate, context.weights
    parts = {
        "match": weights.match * found.match,
        "confidence": weights.confidence * confidence(candidate),
        "reinforcement": weights.reinforcement * reinforcement(candidate, context.instant),
        "authority": weights.authority * AUTHORITY[candidate.source],
        "scope": weights.scope * scope_affinity(candidate, context.project),
    }
    if not context.pinned:
        parts["utility"] = weights.utility * min(1.0, max(0.0, candidate.utility))
    if weights.freshness and candidate.kind is Kind.EPISODIC and not context.windowed:
        parts["freshness"] = weights.freshness * freshness(candidate, context.instant)
    if cost := penalty(candidate, context.instant):
        parts["penalty"] = -cost
    return Scored(found, round(sum(parts.values()), 9), parts)


def confidence(candidate: Candidate) -> float:
    """A102: stored confidence, counting 0.4 while provisional."""
    return candidate.confidence * (PROVISIONAL if candidate.status is Status.PROVISIONAL else 1.0)


def reinforcement(candidate: Candidate, instant: datetime) -> float:
    """A103: min(1, ln(1 + sources) / ln(11)) times exp(-age / τ), age since the last evidence, τ by type."""
    volume = min(1.0, math.log1p(max(0, candidate.evidence_count)) / math.log1p(EVIDENCE_MAX))
    tau = TYPES[candidate.type].decay_days
    if tau is None or candidate.last_evidence_at is None:
        return volume
    return volume * math.exp(-_days(candidate.last_evidence_at, instant) / tau)


def scope_affinity(candidate: Candidate, project: str | None) -> float:
    """A105: 1 at home and for what belongs to no project; carried records by how far they carry."""
    if candidate.project is None or candidate.project == project:
        return 1.0
    return CARRIED[candidate.portability]


def freshness(candidate: Candidate, instant: datetime) -> float:
    """E43: max(0.5, 0.5^(days / 30)) since the episode happened."""
    happened = candidate.event_at or candidate.valid_from or candidate.recorded_at
    return max(FRESH_FLOOR, math.pow(0.5, _days(happened, instant) / FRESH_DAYS))


def penalty(candidate: Candidate, instant: datetime) -> float:
    """A106 but for near-duplicates, which need the texts: flagged for review, and past its expiry hint."""
    flagged = FLAGGED if "review" in candidate.flags else 0.0
    past = candidate.ends_at is not None and candidate.ends_at <= instant
    return flagged + (STALE if past or "stale" in candidate.flags else 0.0)


def _days(since: datetime, instant: datetime) -> float:
    """Days from `since` to `instant`, 0 when it lies ahead."""
    return max(0.0, (instant - since).total_seconds() / _DAY)
