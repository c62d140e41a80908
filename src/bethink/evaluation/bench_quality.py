"""What is found at a size: planted answers, and the dense arm beside brute force over every vector.

An answer is planted where a question was made of a text's own words: is that text among the first ten? At a large size
other texts hold the same words, so the share falls with the size by itself; what matters is how steeply.

The arms are compared with truth: a store whose arms look ten deep is asked questions that name nobody, so that words
and meaning alone nominate, and the trace lists all ten hits of each. The ten nearest by brute force are found by
comparing the question's vector with that of every text of the scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.evaluation.bench_ground import SAID, Ground
from bethink.evaluation.corpus import ClusteredVectors, Planted
from bethink.evaluation.order import ADMITTING
from bethink.memory import BoundMemory
from bethink.operations.recall import RecallResult
from bethink.text.template import belief_text, turn_text

TEN = 10
NOTE = "note "
"""How the texts begin that a run writes into a filled scope; no text of the corpus does."""

_BLOCK = 4_096
"""Texts compared at a time."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A question that names nobody, and the ten texts nearest to it by brute force, with their cosines."""

    question: str
    texts: tuple[str, ...]
    cosines: tuple[float, ...]


def brute_force(ground: Ground, texts: Sequence[tuple[str, str]], questions: Sequence[str]) -> list[Nearest]:
    """The ten texts of the first scope nearest to each question, by its exact cosine to all of them."""
    share, embedder = ground.share(texts, 0), ClusteredVectors()
    beliefs = len(ground.beliefs(texts, 0))
    asked = np.stack([embedder.embed_query(question) for question in questions]).astype(np.float64)
    best = np.full((len(questions), TEN), -np.inf)
    places = np.full((len(questions), TEN), -1)
    for start in range(0, len(share), _BLOCK):
        block = [
            belief_text(speaker, text) if start + at < beliefs else turn_text(speaker, text, SAID)
            for at, (speaker, text) in enumerate(share[start : start + _BLOCK])
        ]
        scores = np.concatenate([best, asked @ embedder.embed_documents(block).astype(np.float64).T], axis=1)
        known = np.concatenate([places, np.tile(np.arange(start, start + len(block)), (len(questions), 1))], axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :TEN]
        best, places = np.take_along_axis(scores, order, 1), np.take_along_axis(known, order, 1)
    return [_nearest(*told, share) for told in zip(questions, places, best, strict=True)]


def planted_found(caller: BoundMemory, asked: Sequence[tuple[Planted, RecallResult]]) -> dict[str, Any]:
    """How many planted answers the recalls found: R@10 and hit@1 by the trace's order, and the share in the pool."""
    ranks = [_rank(caller, planted.text, result) for planted, result in asked if result.trace == "stored"]
    return {
        "questions": len(ranks),
        "R@10": _share(rank is not None and rank <= TEN for rank in ranks),
        "hit@1": _share(rank == 1 for rank in ranks),
        "pool": _share(rank is not None for rank in ranks),
    }


def exactness(ground: Ground, truth: Sequence[Nearest]) -> dict[str, Any]:
    """R@10 of the dense arm against brute force: of the ten nearest, the share among the ten it lists.

    The notes that runs have written since are no part of it: so many fewer of the nearest are expected.
    """
    found = []
    with replace(ground, depth=TEN).open() as memory:
        caller = ground.bind(memory, 0)
        for nearest in truth:
            result = caller.recall(nearest.question)
            if result.trace == "stored":
                arms = caller.trace(result.trace_id).trace.arms
                ids = [hit[0] for arm in arms if arm["arm"] == "dense" for hit in arm["hits"]]
                known = [text for one in ids if not (text := _text(caller, one)).startswith(NOTE)]
                found.append(_share(text in known for text in nearest.texts[: len(known)]))
    return {"questions": len(found), "R@10": round(float(np.mean(found)), 4) if found else None}


def _rank(caller: BoundMemory, text: str, result: RecallResult) -> int | None:
    """Where in the order of the trace a text stands, from 1; None where it is not among the candidates."""
    trace = caller.trace(result.trace_id).trace
    out = {cut.id for cut in trace.cuts if cut.stage in ADMITTING}
    order = [str(row["id"]) for row in trace.pool]
    order = [one for one in order if one not in out] + [one for one in order if one in out]
    return next((rank for rank, one in enumerate(order, 1) if _text(caller, one) == text), None)


def _text(caller: BoundMemory, id_: str) -> str:
    """The words of a record or turn."""
    found = caller.get(id_)
    return found.turn.text if found.turn is not None else found.record.content.text if found.record is not None else ""


def _nearest(
    question: str, places: NDArray[np.int64], best: NDArray[np.float64], share: Sequence[tuple[str, str]]
) -> Nearest:
    """As a value; a scope of fewer than ten texts has fewer."""
    kept = [int(place) for place in places if place >= 0]
    cosines = tuple(round(float(score), 6) for score in best[: len(kept)])
    return Nearest(question, tuple(share[place][1] for place in kept), cosines)


def _share(held: Any) -> float:
    """How many of them hold, as a share; 0 of none."""
    found = list(held)
    return round(sum(found) / len(found), 4) if found else 0.0
