"""Where a floor on cosines may lie in a model's space, and what its cosines of unrelated texts and of evidence are.

A floor lies in the band of thresholds at which F1 stays near its best, over questions with their evidence and as many
turns of the same conversations that are none.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bethink.errors import InvalidInput
from bethink.evaluation.cases import Dataset, Utterance
from bethink.ports.embedder import Embedder
from bethink.text.template import turn_text

NEAR = 0.9
"""The share of the best F1 that still counts as near it."""

STEP = 0.01

SEED = 11
"""Of the turns drawn at random."""


@dataclass(frozen=True, slots=True)
class Band:
    """The lowest and the highest threshold at which F1 is near its best, and that best with its own threshold."""

    low: float
    high: float
    best: float
    at: float


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines of questions: to their `wanted` evidence, to as many `others` of the conversation, to `foreign` turns."""

    wanted: tuple[float, ...]
    others: tuple[float, ...]
    foreign: tuple[float, ...]


def floor_of(dataset: Dataset, embedder: Embedder) -> dict[str, Any]:
    """What is measured for a model: the band, and the three kinds of cosines in numbers.

    Raises:
        InvalidInput: the set has no two conversations of turns with questions that are answered in them.
        EmbedderError: the model cannot answer.
    """
    found = cosines(dataset, embedder)
    near = band(found.wanted, found.others)
    return {
        "kind": "floor",
        "dataset": dataset.name,
        "split": dataset.split,
        "data": dataset.digest,
        "model": embedder.spec.model,
        "type": "turn",
        "pairs": len(found.wanted),
        "low": near.low,
        "high": near.high,
        "best": round(near.best, 4),
        "at": near.at,
        "evidence": round(float(np.median(found.wanted)), 3),
        "unrelated": round(float(np.mean(found.foreign)), 3),
        "unrelated_p95": round(float(np.percentile(found.foreign, 95)), 3),
    }


def cosines(dataset: Dataset, embedder: Embedder) -> Cosines:
    """The cosines of every question that one turn answers and that turn, each with two turns drawn at random.

    Where an answer takes several turns, each holds a part of it, and its cosine says nothing about a whole one.
    """
    turns = {one.scope: one.utterances for one in dataset.conversations if one.utterances}
    cases = [case for case in dataset.cases if case.answerable and case.scope in turns and len(case.evidence) == 1]
    if len(turns) < 2 or not cases:
        raise InvalidInput("A floor is measured on two conversations or more, whose turns answer questions.")
    draw, triples = random.Random(SEED), []  # noqa: S311 - a sample, no secret
    for case in cases:
        here = turns[case.scope]
        besides = [turn for turn in here if turn.id not in case.evidence]
        away = turns[draw.choice([scope for scope in sorted(turns) if scope != case.scope])]
        said = (turn for turn in here if turn.id in case.evidence)
        triples += [(case.question, turn, draw.choice(besides), draw.choice(away)) for turn in said]
    asked = np.stack([embedder.embed_query(question) for question, *_ in triples])
    columns = list(zip(*(drawn for _, *drawn in triples), strict=True))
    wanted, others, foreign = (np.einsum("ij,ij->i", asked, _rows(column, embedder)) for column in columns)
    return Cosines(tuple(wanted.tolist()), tuple(others.tolist()), tuple(foreign.tolist()))


def _rows(turns: Sequence[Utterance], embedder: Embedder) -> Any:
    """The vectors of turns, as they are embedded when they are stored."""
    return embedder.embed_documents([turn_text(turn.speaker, turn.text, turn.said_at) for turn in turns])


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
