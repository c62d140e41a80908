"""Rerank: a host's model may order the survivors anew. Off unless it is handed in and the settings switch it on.

It reads the question and the texts of what survived gate and collapse, never the store. Placed ``after`` the floors it
changes the order alone; placed ``instead`` of them the gate is open and its own floor drops what it scores too low.
When it is late, fails or answers for another number of texts, floors and fused order stand, and the answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bethink.domain.hit import Scored
from bethink.domain.trace import Cut
from bethink.errors import InvalidInput
from bethink.recall.choose import Chosen
from bethink.recall.gate import gate, gate_context
from bethink.recall.profiles import PROFILES, GateRule
from bethink.recall.rank import in_order
from bethink.recall.reader import Asked, Reader
from bethink.text.template import belief_text

PLACES = ("off", "after", "instead")
"""Where it may stand, by the words of the setting."""

MOST = 30
"""Survivors that are read at most: the best of them; those behind stay behind, in their order."""

FLOOR = 0.5
"""Placed instead of the floors: the score below which a survivor is dropped."""

OPEN = GateRule(answer=0.0, leaned=0.0, together=0.0, coverage=0.0, cosine=-2.0, relative=0.0, score=0.0)
"""The gate where the reranker stands in place of the floors."""


class Reranked(NamedTuple):
    """The request, saying whether its survivors were ordered anew; the survivors in order; and what was dropped."""

    asked: Asked
    kept: tuple[Scored, ...]
    cuts: tuple[Cut, ...] = ()


def switched_on(reader: Reader) -> bool:
    """Whether a read asks the reranker at all: it is handed in, placed somewhere, and reads may use models.

    Raises:
        InvalidInput: it is to be placed where there is no place.
    """
    settings = reader.settings
    if settings.rerank not in PLACES:
        raise InvalidInput(f"Setting recall.rerank {settings.rerank[:40]!r} is none of {', '.join(PLACES)}.")
    return reader.reranker is not None and settings.rerank != "off" and settings.read_models


def opened(asked: Asked, reader: Reader) -> Asked:
    """The request with an open gate, where the reranker is placed instead of the floors."""
    if not switched_on(reader) or reader.settings.rerank != "instead":
        return asked
    return replace(asked, profile=replace(asked.profile, gate=OPEN))


def reranked(asked: Asked, chosen: Chosen, reader: Reader, dense: tuple[float, float]) -> Reranked:
    """Order the survivors by what the reranker says of each, score descending, then id ascending.

    `dense` are the two shares of meaning that the gate knows.
    """
    kept, bodies = chosen.kept, chosen.bodies
    read = [item for item in kept if item.candidate.key in bodies][:MOST]
    model = reader.reranker
    if model is None or not read or not asked.query.text or not switched_on(reader):
        return _left(asked, kept, reader, dense)
    texts = [belief_text(bodies[item.candidate.key].subject, bodies[item.candidate.key].text) for item in read]
    seconds = reader.settings.rerank_ms / 1000
    said, problem = reader.asking.within(seconds, lambda: model.scores(asked.query.text, texts))
    if not problem and not _sound(said, len(read)):
        problem = "it did not score each text from 0 to 1"
    if problem or said is None:
        return _left(replace(asked, not_reranked=problem), kept, reader, dense)
    scores = {item.candidate.id: round(float(score), 9) for item, score in zip(read, said, strict=True)}
    best_first = in_order(_scored(item, scores[item.candidate.id]) for item in read)
    # What was not read keeps its place behind all that was: scores below 0 say so without a second order.
    behind = [item for item in kept if item.candidate.id not in scores]
    rest = tuple(Scored(item.found, float(-at), {"unread": float(-at)}) for at, item in enumerate(behind, 1))
    cuts: tuple[Cut, ...] = ()
    if reader.settings.rerank == "instead":
        low = [item for item in best_first if item.score < FLOOR]
        cuts = tuple(Cut("rerank", item.candidate.id, "reranker floor", item.score, FLOOR) for item in low)
        best_first, rest = tuple(item for item in best_first if item.score >= FLOOR), ()
        cuts += tuple(Cut("rerank", item.candidate.id, "past those the reranker reads") for item in behind)
    return Reranked(replace(asked, reranked=True), (*best_first, *rest), cuts)


def _left(asked: Asked, kept: Sequence[Scored], reader: Reader, dense: tuple[float, float]) -> Reranked:
    """The survivors in their fused order, behind the floors that the reranker was to stand in for."""
    closed = PROFILES[asked.request.profile].gate
    if asked.profile.gate == closed:
        return Reranked(asked, tuple(kept))
    asked = replace(asked, profile=replace(asked.profile, gate=closed))
    gated = gate(kept, gate_context(asked, reader.calibration, dense))
    return Reranked(asked, gated.admitted, gated.cuts)


def _scored(item: Scored, score: float) -> Scored:
    """The item under its new score."""
    return Scored(item.found, score, {"rerank": score})


def _sound(said: Sequence[float] | None, count: int) -> bool:
    """Whether there is a number from 0 to 1 for each text."""
    return said is not None and len(said) == count and all(math.isfinite(score) and 0 <= score <= 1 for score in said)
