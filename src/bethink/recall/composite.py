"""The composite policy: half closeness of meaning, three tenths recency, two tenths confidence.

``score = 0.5 cosine + 0.3 recency + 0.2 confidence``. Recency halves with every half-life since the record was made. A
candidate without a vector has a cosine of 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bethink.domain.hit import Candidate, Fused, RankContext, Scored
from bethink.domain.time import days_between
from bethink.domain.types import Kind
from bethink.recall.rank import confidence, in_order

POLICY = "composite@1"
"""Name and version. Any change of a constant here is a new version."""

COSINE, RECENCY, CONFIDENCE = 0.5, 0.3, 0.2
"""What each term is worth; each lies in 0..1."""

EPISODE_DAYS, BELIEF_DAYS = 30.0, 180.0
"""Half-lives: of what happened (turns, events, summaries of sessions and executions), and of what is held to be so."""


@dataclass(frozen=True, slots=True)
class CompositeRanker:
    """The composite sum as a `Ranker`."""

    policy: str = POLICY

    def rank(self, candidates: Sequence[Fused], context: RankContext) -> tuple[Scored, ...]:
        """Score every candidate; score descending, then id ascending. Terms and sums are whole billionths."""
        return in_order(_scored(found, context) for found in candidates)


def recency(candidate: Candidate, context: RankContext) -> float:
    """0.5^(days since it was made / half-life), 1 for what was made later than the instant."""
    half = EPISODE_DAYS if candidate.kind is Kind.EPISODIC else BELIEF_DAYS
    return math.pow(0.5, days_between(candidate.created_at, context.instant) / half)


def _scored(found: Fused, context: RankContext) -> Scored:
    """One candidate with its sum and the terms of it."""
    parts = {
        "cosine": round(COSINE * (found.cosine or 0.0), 9),
        "recency": round(RECENCY * recency(found.candidate, context), 9),
        "confidence": round(CONFIDENCE * confidence(found.candidate), 9),
    }
    return Scored(found, round(sum(parts.values()), 9), parts)
