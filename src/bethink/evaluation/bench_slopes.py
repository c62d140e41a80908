"""The slope between sizes: how each number of the bench grows with the records, which one size alone cannot say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

Run = Mapping[str, Any]

GROWING: Mapping[str, Callable[[Run], float | None]] = {
    "recall_p50": lambda run: run["recall"]["p50_ms"],
    "recall_p95": lambda run: run["recall"]["p95_ms"],
    "long_p50": lambda run: run["questions"]["long"]["p50_ms"],
    "common_p50": lambda run: run["questions"]["common"]["p50_ms"],
    "remember_p50": lambda run: run["remember"]["p50_ms"],
    "open": lambda run: run["open_ms"],
    "rss": lambda run: run["rss_mb"],
    "file": lambda run: run["file_mb"],
}
"""What grows by a power of the records: 0 stays as it is, 1 grows with them, 0.5 with their root."""

SHIFTING: Mapping[str, Callable[[Run], float | None]] = {
    "tokens": lambda run: run["tokens"]["p50"],
    "planted_R@10": lambda run: run["quality"]["planted"]["R@10"],
    "nearest_R@10": lambda run: run["quality"]["nearest"]["R@10"],
}
"""What moves by so much with each tenfold of the records."""


def slopes(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Between each size and the next: exponents of what grows, differences a tenfold of what shifts, else None."""
    ordered = sorted(runs, key=lambda run: int(run["records"]))
    return [_between(*pair) for pair in pairwise(ordered) if pair[0]["records"] < pair[1]["records"]]


def _between(less: Run, more: Run) -> dict[str, Any]:
    """The slopes from one size to a larger one."""
    wider = math.log(more["records"] / less["records"])
    found: dict[str, Any] = {"from": less["records"], "to": more["records"]}
    for name, read in GROWING.items():
        one, other = read(less), read(more)
        found[name] = round(math.log(other / one) / wider, 3) if one and other else None
    for name, read in SHIFTING.items():
        one, other = read(less), read(more)
        known = one is not None and other is not None
        found[name] = round((other - one) / (wider / math.log(10)), 4) if known else None  # type: ignore[operator]  # both are known
    return found
