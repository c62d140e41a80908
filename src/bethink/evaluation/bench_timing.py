"""Taking time, and saying how it spreads."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bethink.memory import BoundMemory
from bethink.operations.recall import RecallResult


def timed(call: Callable[..., object], argument: object) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    call(argument)
    return (time.perf_counter() - started) * 1e3


def recall_timed(caller: BoundMemory, question: str) -> tuple[float, RecallResult]:
    """One read with its trace stored; milliseconds of the whole call without the embed stage, and the answer."""
    started = time.perf_counter()
    result = caller.recall(question)
    return (time.perf_counter() - started) * 1e3 - result.stages_ms.get("embed", 0.0), result


def spread(values: Sequence[float]) -> dict[str, float]:
    """p50, p95 and the mean, to a thousandth, and how many there were."""
    return {
        "p50_ms": round(float(np.percentile(values, 50)), 3),
        "p95_ms": round(float(np.percentile(values, 95)), 3),
        "mean_ms": round(float(np.mean(values)), 3),
        "count": len(values),
    }


def rate(callers: int, seconds: float, asked: Sequence[tuple[float, bool]]) -> dict[str, Any]:
    """What callers got in so many seconds together: recalls a second, milliseconds of each, traces kept at once.

    `asked` are (milliseconds, whether its trace was stored) of every recall.
    """
    stored = sum(kept for _, kept in asked)
    return {
        **spread([spent for spent, _ in asked]),
        "count": callers,
        "recalls_per_second": round(len(asked) / seconds, 1),
        "traces_stored": round(stored / len(asked), 3),
    }
