"""Gate: what is admitted. Returning nothing is an answer, and each rejection names the number it missed by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bethink.domain.hit import Fused, Scored
from bethink.domain.trace import Cut
from bethink.domain.types import TYPES
from bethink.operations.recall import OnWeak
from bethink.recall.profiles import GateRule, gate_rule
from bethink.recall.reader import Asked, Calibration

MIN_MATCHED = 2
"""Words that must agree, unless one alone is distinctive or the question has only one."""

FEW = 3
"""Candidates that may share a name with the question and nothing else; where more do, the name tells nothing.

Asking for more than a name costs no recall on LoCoMo (recall@10 of two conversations 0.825 with and without it).
"""


@dataclass(frozen=True, slots=True)
class GateContext:
    """What the gate may know: its rule, the space's floor scale, how many terms were asked, the caller's own floor."""

    rule: GateRule
    floor_scale: float
    terms: int
    min_score: float | None = None
    on_weak: OnWeak = "empty"


@dataclass(frozen=True, slots=True)
class Gated:
    """The admitted in their order, why each passed (by id), what was cut, and how a weak answer was rescued."""

    admitted: tuple[Scored, ...]
    passed: Mapping[str, str]
    cuts: tuple[Cut, ...]
    weak: str = ""


def gate_context(asked: Asked, calibration: Calibration) -> GateContext:
    """What the gate of this request knows."""
    return GateContext(
        rule=gate_rule(asked.profile, asked.request.moment),
        floor_scale=calibration.floor_scale,
        terms=len(asked.query.terms),
        min_score=asked.request.min_score,
        on_weak=asked.request.on_weak,
    )


def gate(scored: Sequence[Scored], context: GateContext) -> Gated:
    """Admit what shows enough, in the given order.

    An exactly named entity speaks for what is linked to it. Where it does so for many and something says more, those
    that share no more than the name are left out; where nothing says more, they are the answer.
    """
    crowd = frozenset(item.candidate.id for item in scored if _bare(item.found))
    if len(crowd) <= FEW:
        crowd = frozenset()
    gated = _judged(scored, context, crowd)
    if crowd and not gated.admitted:
        unnamed = frozenset(item.candidate.id for item in scored if not item.found.exact)
        gated = _judged(scored, context, crowd & unnamed)
    gated = _with_partners(scored, gated)
    return gated if gated.admitted else _weak(scored, gated, context)


def _judged(scored: Sequence[Scored], context: GateContext, crowd: frozenset[str]) -> Gated:
    """Every item admitted or cut; of the crowd a name alone does not speak."""
    best = max((item.found.text for item in scored), default=0.0)
    admitted, passed, cuts = [], {}, []
    for item in scored:
        id_ = item.candidate.id
        reason, cut = _verdict(item, best, context, named=id_ in crowd)
        if cut is None:
            admitted.append(item)
            passed[id_] = reason
        else:
            cuts.append(cut)
    return Gated(tuple(admitted), passed, tuple(cuts))


def _verdict(item: Scored, best: float, context: GateContext, *, named: bool) -> tuple[str, Cut | None]:
    """Why an item passes, or the cut: its evidence first, then the floors."""
    found, rule = item.found, context.rule
    reason, cut = _evidence(found, context, named=named)
    if cut is not None:
        return "", cut
    floors = {
        "score floor": (item.score, max(rule.score, context.min_score or 0.0)),
        "everything is weak": (max(best, found.match), 0.0 if found.exact else rule.answer),
        "relative floor": (found.match, 0.0 if found.exact else round(rule.relative * best, 6)),
    }
    for name, (value, bound) in floors.items():
        if value < bound:
            return "", Cut("gate", found.candidate.id, name, value, bound)
    return reason, None


def _evidence(found: Fused, context: GateContext, *, named: bool) -> tuple[str, Cut | None]:
    """The signal that speaks for a candidate, or the cut that names the one it came nearest to.

    `named` says that it is one of many that share a name with the question and nothing else: meaning has to speak.
    """
    rule = context.rule
    if found.exact and not named:
        return f"exact {found.exact}", None
    if not named and found.coverage >= rule.coverage and _enough(found, context.terms):
        return "words", None
    floor = round((TYPES[found.candidate.type].floor + rule.cosine) * context.floor_scale, 6)
    if found.cosine is not None and found.cosine >= floor:
        return "meaning", None
    if named:
        return "", Cut("gate", found.candidate.id, "only a common name agrees", found.cosine or 0.0, floor)
    if found.match >= rule.together:
        return "neighbours" if found.lent else "words and meaning", None
    few = found.coverage >= rule.coverage
    near = {
        "too few of the words": (found.matched, MIN_MATCHED) if few else (found.coverage, rule.coverage),
        "cosine floor": (found.cosine or 0.0, floor),
        "words and meaning together": (found.match, rule.together),
    }
    reason = max(near, key=lambda name: near[name][0] / near[name][1])
    return "", Cut("gate", found.candidate.id, reason, *near[reason])


def _bare(found: Fused) -> bool:
    """Whether nothing but a name agrees, the caller did not name it as the subject, and the question asks for more."""
    return found.matched > 0 and found.said == 0 and found.coverage < 1 and found.exact in {"", "entity"}


def _enough(found: Fused, terms: int) -> bool:
    """Whether the matched words are more than chance: two, a distinctive one, or all there was to match."""
    return found.matched >= MIN_MATCHED or found.distinctive or terms == 1


def _with_partners(scored: Sequence[Scored], gated: Gated) -> Gated:
    """The other side of an admitted conflict is admitted with it."""
    sides = {other for item in gated.admitted for other in item.candidate.conflicts} - gated.passed.keys()
    if not sides:
        return gated
    both = tuple(item for item in scored if item.candidate.id in sides or item.candidate.id in gated.passed)
    passed = {**gated.passed, **{item.candidate.id: "conflict partner" for item in both if item.candidate.id in sides}}
    cuts = tuple(cut for cut in gated.cuts if cut.id not in sides)
    return Gated(both, passed, cuts)


def _weak(scored: Sequence[Scored], gated: Gated, context: GateContext) -> Gated:
    """What the caller wants when nothing passed: nothing, the word matches, or the scope's best; always flagged."""
    if context.on_weak == "empty":
        return gated
    if context.on_weak == "lexical":
        rescued = tuple(item for item in scored if item.found.matched > 0)
    else:
        rescued = tuple(scored)
    if not rescued:
        return gated
    passed = {item.candidate.id: f"weak: {context.on_weak}" for item in rescued}
    cuts = tuple(cut for cut in gated.cuts if cut.id not in passed)
    return Gated(rescued, passed, cuts, weak=context.on_weak)
