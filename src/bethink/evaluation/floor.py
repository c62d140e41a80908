"""Where a floor on cosines may lie: the thresholds at which F1 stays near its best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NEAR = 0.9
"""The share of the best F1 that still counts as near it."""

STEP = 0.01


@dataclass(frozen=True, slots=True)
class Band:
    """The lowest and the highest threshold at which F1 is near its best, and that best with its own threshold."""

    low: float
    high: float
    best: float
    at: float


def band(wanted: Sequence[float], others: Sequence[float]) -> Band:
    """The band over thresholds from 0 to 1 in steps of `STEP`; a pair counts as found from the threshold on.

    Args:
        wanted: the cosines of questions and what answers them, at least one.
        others: those of questions and what does not.
    """
    steps = [round(number * STEP, 2) for number in range(round(1 / STEP) + 1)]
    curve = {least: f1(wanted, others, least) for least in steps}
    best = max(curve.values())
    near = [least for least, value in curve.items() if value >= NEAR * best]
    return Band(near[0], near[-1], best, next(least for least, value in curve.items() if value == best))


def f1(wanted: Sequence[float], others: Sequence[float], least: float) -> float:
    """The harmonic mean of precision and recall where everything from `least` on is taken."""
    right, wrong = (sum(value >= least for value in values) for values in (wanted, others))
    return 2 * right / (right + wrong + len(wanted))
