"""Is one run better than another? A paired bootstrap over the questions that both were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bethink.evaluation.metrics import Values

COMPARED = ("R@5", "R@10", "R@50", "recall_all@10", "hit@1", "MRR", "NDCG@10", "noise", "tokens")
SAMPLES = 10_000
SEED = 20_260_101
_AT_ONCE = 250
"""Resamples drawn at a time, which bounds the memory of a large set."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Ours less theirs over the shared questions, with the 95 % interval of the mean difference.

    `higher` and `lower` count the questions on which ours is greater and smaller. `clear` says that the interval
    excludes zero; which direction is better is the metric's affair.
    """

    ours: float
    theirs: float
    difference: float
    low: float
    high: float
    higher: int
    lower: int
    queries: int

    @property
    def clear(self) -> bool:
        """Whether chance alone would hardly do it."""
        return self.low > 0 or self.high < 0


def compare(ours: Mapping[str, Values], theirs: Mapping[str, Values], *, seed: int = SEED) -> dict[str, Difference]:
    """The difference of each metric over the questions in both runs that have a value in both.

    Percentile bootstrap of the mean paired difference (Efron and Tibshirani, 1993), `SAMPLES` resamples of the
    questions drawn by one seeded generator, so that the interval repeats.
    """
    shared = sorted(ours.keys() & theirs.keys())
    found = {}
    for name in COMPARED:
        pairs = [
            (mine, other)
            for key in shared
            if (mine := ours[key].get(name)) is not None and (other := theirs[key].get(name)) is not None
        ]
        if pairs:
            found[name] = paired(pairs, seed=seed)
    return found


def paired(values: Sequence[tuple[float, float]], *, seed: int = SEED) -> Difference:
    """The mean paired difference of at least one (ours, theirs) and its interval."""
    pairs = np.array(values, dtype=np.float64)
    gaps = pairs[:, 0] - pairs[:, 1]
    random = np.random.default_rng(seed)
    means = np.concatenate(
        [gaps[random.integers(0, len(gaps), (_AT_ONCE, len(gaps)))].mean(axis=1) for _ in range(SAMPLES // _AT_ONCE)]
    )
    low, high = np.percentile(means, (2.5, 97.5))
    return Difference(
        ours=float(pairs[:, 0].mean()),
        theirs=float(pairs[:, 1].mean()),
        difference=float(gaps.mean()),
        low=float(low),
        high=float(high),
        higher=int((gaps > 0).sum()),
        lower=int((gaps < 0).sum()),
        queries=len(gaps),
    )
