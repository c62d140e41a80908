"""Narrow and rank: only what is filed under the topics of the question is ranked, while that is enough.

Two things bring the whole pool back, and the answer says which: fewer than three candidates are filed there, or the
best of them scores too little for the policy. Topics that the caller named itself narrow for good. At most 500
candidates are ranked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bethink.domain.hit import Fused, Scored
from bethink.domain.taxonomy import Topics
from bethink.domain.trace import Cut
from bethink.operations.recall import Fallback
from bethink.ports.store import Snapshot
from bethink.recall.filter import rank_context
from bethink.recall.policies import base
from bethink.recall.reader import Asked

CANDIDATES = 500
"""Candidates that are ranked at most: the best by their match."""

ENOUGH = 3
"""Candidates filed under the topics that are enough to leave the others out."""

WEAK = {"composite": 0.35}
"""By policy the score that the best of them must reach; a policy without a row has a scale of its own."""

OUTSIDE = "filed under none of the topics"
"""Why a candidate was left out."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates in order, those that were not ranked, and why the topics gave way, if they did."""

    ranked: tuple[Scored, ...]
    cuts: tuple[Cut, ...]
    fallback: Fallback | None = None


def about(asked: Asked, topics: Topics) -> Asked:
    """The request with the topics of its question: they are looked up too, after everything else."""
    if not topics.within:
        return asked
    return replace(asked, topics=topics, profile=replace(asked.profile, arms=(*asked.profile.arms, "taxonomy")))


def ranked(fused: Sequence[Fused], asked: Asked, snapshot: Snapshot) -> Ranking:
    """Rank what is filed under the topics, or everything where there are none or they give way."""
    pool, beyond = _capped(fused)
    context, topics = rank_context(asked), asked.topics
    if not topics.within:
        return Ranking(asked.ranker.rank(pool, context), beyond)
    filed = snapshot.taxonomy.filed([found.candidate.id for found in pool])
    inside = [found for found in pool if not topics.within.isdisjoint(filed.get(found.candidate.id, ()))]
    if len(inside) < ENOUGH and not topics.exact:
        return Ranking(asked.ranker.rank(pool, context), beyond, "few_filed")
    best_first = asked.ranker.rank(inside, context)
    if not topics.exact and best_first[0].score < WEAK.get(base(asked.ranker), 0.0):
        return Ranking(asked.ranker.rank(pool, context), beyond, "weak_filed")
    kept = {found.candidate.id for found in inside}
    others = (found.candidate.id for found in pool if found.candidate.id not in kept)
    return Ranking(best_first, (*beyond, *(Cut("narrow", id_, OUTSIDE) for id_ in others)))


def _capped(fused: Sequence[Fused]) -> tuple[Sequence[Fused], tuple[Cut, ...]]:
    """The candidates that are ranked, in the given order, and those past the bound."""
    if len(fused) <= CANDIDATES:
        return fused, ()
    order = sorted(fused, key=lambda found: (-found.match, found.candidate.id))
    beyond = order[CANDIDATES:]
    gone = {found.candidate.id for found in beyond}
    least = order[CANDIDATES - 1].match
    cuts = (Cut("narrow", found.candidate.id, "past those that are ranked", found.match, least) for found in beyond)
    return [found for found in fused if found.candidate.id not in gone], tuple(cuts)
