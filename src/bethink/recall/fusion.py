"""The fusion policy: the fused score times the prior of the row, and nothing after it.

Confidence, use and authority do not order: a last sort by confidence would hide from a prior what it changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bethink.domain.hit import Fused, RankContext, Scored
from bethink.recall.prior import Prior
from bethink.recall.rank import in_order

POLICY = "fusion@1"
"""Name and version. Any change of what a default prior or the product does is a new version."""


@dataclass(frozen=True, slots=True)
class FusionRanker:
    """The fused score times a prior as a `Ranker`. A prior other than the identity stands in the policy's name."""

    prior: Prior = field(default_factory=Prior)

    @property
    def policy(self) -> str:
        """``fusion@1``, followed by what the prior sets."""
        default = Prior()
        told = [
            f"{name}={getattr(self.prior, name)}"
            for name in ("window", "reach", "far_rows", "far_weight", "age_rate", "age_floor")
            if getattr(self.prior, name) != getattr(default, name)
        ]
        told += [f"cue={self.prior.trust}"] if self.prior.cue is not None else []
        return ",".join((POLICY, *told))

    def rank(self, candidates: Sequence[Fused], context: RankContext) -> tuple[Scored, ...]:
        """Score every candidate; score descending, then id ascending. Terms and sums are whole billionths."""
        best_first = sorted(candidates, key=lambda found: (-found.match, found.candidate.id))
        rows = [found.candidate for found in best_first]
        votes = self.prior.weights(rows, context.instant, context.position)
        return in_order(map(_scored, best_first, votes))


def _scored(found: Fused, vote: float) -> Scored:
    """One candidate with its product; what the prior took from the match is a term of its own."""
    score = round(found.match * vote, 9)
    parts = {"match": found.match}
    if score != found.match:
        parts["prior"] = round(score - found.match, 9)
    return Scored(found, score, parts)
