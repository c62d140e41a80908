"""Aside: what is left out of a block though it passed: what the prompt holds already, what would not help a draft."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bethink.domain.hit import Body, Scored
from bethink.domain.trace import Cut
from bethink.recall.collapse import Collapsed
from bethink.recall.reader import Admitting

HELD = "the prompt holds it already"
"""Why a record was left out that the request names."""


def held(kept: Sequence[Scored], without: Collection[str]) -> Collapsed:
    """Leave out the records of these ids."""
    if not without:
        return Collapsed(tuple(kept), ())
    named = frozenset(without)
    cuts = (Cut("held", item.candidate.id, HELD) for item in kept if item.candidate.id in named)
    return Collapsed(tuple(item for item in kept if item.candidate.id not in named), tuple(cuts))


def helping(tried: Sequence[Scored], bodies: Mapping[int, Body], admission: Admitting | None) -> Collapsed:
    """Leave out what an admission refuses; everything helps where there is none."""
    if admission is None:
        return Collapsed(tuple(tried), ())
    verdicts = [(item, _verdict(item, bodies, admission)) for item in tried]
    cuts = (Cut("admission", item.candidate.id, reason) for item, reason in verdicts if reason)
    return Collapsed(tuple(item for item, reason in verdicts if not reason), tuple(cuts))


def _verdict(item: Scored, bodies: Mapping[int, Body], admission: Admitting) -> str:
    """Why an item is refused; one without a text is left to the step that shows it."""
    body = bodies.get(item.candidate.key)
    return "" if body is None else admission.refused(item.candidate, body)
