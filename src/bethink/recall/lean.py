"""Lean: which of the two scoring arms a question leans on, read off their own scores.

An arm that sees one answer puts it far above what follows; one that is at a loss scores everything alike. How far the
best score of an arm stands above the mean of those behind it, as a share of the best, is its margin, and the arms
share the mix in proportion to their margins. Nothing is fitted to a model or to a kind of question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bethink.domain.hit import ArmReport
from bethink.recall.reader import Mix

LOOKED_AT = 20
"""How many of an arm's best hits tell its margin: about as many as a block shows."""

PRIOR = 0.2
"""The margin that the set mix counts for: where neither arm tells much, it decides."""

MOST = 0.5
"""The share that meaning may take: an exact word is never outweighed by what only resembles it."""


def leaning(reports: Sequence[ArmReport], mix: Mix) -> Mix:
    """The mix of this question, by the margins of both arms; the given one where an arm found nothing."""
    hits = {report.arm: [hit.raw for hit in report.hits[:LOOKED_AT]] for report in reports}
    words, cosines = hits.get("lexical", []), hits.get("dense", [])
    if not words or not cosines:
        return mix
    lexical = margin(words)
    dense = margin([max(cosine - mix.zero, 0.0) for cosine in cosines])
    share = (dense + PRIOR * mix.dense) / (lexical + dense + PRIOR)
    return replace(mix, dense=min(max(MOST, mix.dense), share))


def margin(scores: Sequence[float]) -> float:
    """How far the best of descending scores stands above the mean of those behind it, as a share of the best, 0 to 1.

    Of those behind it `LOOKED_AT` less one are counted, and what the arm did not score has 0.
    """
    if scores[0] <= 0:
        return 0.0
    return 1 - (sum(scores) - scores[0]) / (LOOKED_AT - 1) / scores[0]
