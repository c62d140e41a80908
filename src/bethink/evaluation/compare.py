"""Is one run better than another? A paired bootstrap over the questions that both were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.evaluation.metrics import Values

COMPARED = ("R@5", "R@10", "R@50", "recall_all@10", "hit@1", "MRR", "NDCG@10", "noise", "tokens")
SAMPLES = 10_000
SEED = 20_260_101
_AT_ONCE = 250
"""Resamples drawn at a time, which bounds the memory of a large set."""

Pairs = NDArray[np.float64]
"""Shape (questions, 2): ours and theirs."""


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
    return balanced([(ours, theirs)], seed=seed)


def balanced(
    sets: Sequence[tuple[Mapping[str, Values], Mapping[str, Values]]], *, seed: int = SEED
) -> dict[str, Difference]:
    """The same over several sets that weigh alike, however many questions each has: the mean of their differences.

    The questions of each set are resampled among themselves. A metric is compared where every set has it.
    """
    found = {}
    for name in COMPARED:
        strata = [_pairs(ours, theirs, name) for ours, theirs in sets]
        if strata and all(len(pairs) for pairs in strata):
            found[name] = _difference(strata, seed)
    return found


def paired(values: Sequence[tuple[float, float]], *, seed: int = SEED) -> Difference:
    """The mean paired difference of at least one (ours, theirs) and its interval."""
    return _difference([np.array(values, dtype=np.float64)], seed)


def _pairs(ours: Mapping[str, Values], theirs: Mapping[str, Values], name: str) -> Pairs:
    """Both values of a metric, a row for each question in both runs that has a value in both."""
    rows = [
        (mine, other)
        for key in sorted(ours.keys() & theirs.keys())
        if (mine := ours[key].get(name)) is not None and (other := theirs[key].get(name)) is not None
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _difference(strata: Sequence[Pairs], seed: int) -> Difference:
    """The mean paired difference and its interval, the mean over the strata."""
    gaps = [pairs[:, 0] - pairs[:, 1] for pairs in strata]
    random = np.random.default_rng(seed)
    means = np.mean([_resampled(found, random) for found in gaps], axis=0)
    low, high = np.percentile(means, (2.5, 97.5))
    ours, theirs = np.mean([pairs.mean(axis=0) for pairs in strata], axis=0)
    return Difference(
        ours=float(ours),
        theirs=float(theirs),
        difference=float(np.mean([found.mean() for found in gaps])),
        low=float(low),
        high=float(high),
        higher=sum(int((found > 0).sum()) for found in gaps),
        lower=sum(int((found < 0).sum()) for found in gaps),
        queries=sum(map(len, gaps)),
    )


def _resampled(gaps: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.float64]:
    """The means of `SAMPLES` resamples."""
    rounds = range(SAMPLES // _AT_ONCE)
    return np.concatenate([gaps[random.integers(0, len(gaps), (_AT_ONCE, len(gaps)))].mean(axis=1) for _ in rounds])
