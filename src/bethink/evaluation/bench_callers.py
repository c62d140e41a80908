"""Many callers at once: processes that open the store each for themselves, as agents do."""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.synchronize import Barrier
from typing import Any

from bethink.evaluation.bench_apart import together
from bethink.evaluation.bench_ground import Ground
from bethink.evaluation.bench_timing import rate, recall_timed

WARM = 20
"""Recalls before those that count."""
_APART = 17
"""How many questions lie between the beginnings of two callers of one scope."""

_PATIENCE = 300.0
"""Seconds a caller that is ready waits for the others; one of them failed then."""


def ask_together(ground: Ground, asked: list[list[str]], callers: int) -> dict[str, Any]:
    """How many recalls a second `callers` get together, and what each waits.

    Args:
        ground: the store.
        asked: questions by scope; a caller asks those of one scope, others of that scope ask them in another order.
        callers: how many ask at once.
    """
    gate = multiprocessing.get_context("spawn").Barrier(callers)
    work = []
    for caller in range(callers):
        questions = asked[caller % ground.scopes]
        first = caller // ground.scopes * _APART % len(questions)
        work.append((ground, caller % ground.scopes, questions[first:] + questions[:first], gate))
    told = together(_ask, work)
    seconds = max(ended for _, ended, _ in told) - min(started for started, _, _ in told)
    return rate(callers, seconds, [recall for *_, recalls in told for recall in recalls])


def _ask(
    ground: Ground, scope: int, questions: list[str], gate: Barrier
) -> tuple[float, float, list[tuple[float, bool]]]:
    """Open, warm up, wait for the others, ask; when it began and ended, in the machine's seconds, and its recalls."""
    with ground.open() as memory:
        caller = ground.bind(memory, scope)
        for question in questions[: WARM + 1]:
            caller.recall(question)
        gate.wait(_PATIENCE)
        started = time.monotonic()
        recalls = [recall_timed(caller, question) for question in questions[WARM + 1 :]]
        return started, time.monotonic(), [(spent, result.trace == "stored") for spent, result in recalls]
