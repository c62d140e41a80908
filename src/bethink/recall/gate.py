"""Gate: what is admitted. Returning nothing is an answer, and each rejection names the number it missed by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bethink.domain.calibration import Calibration
from bethink.domain.hit import Fused, Scored
from bethink.domain.trace import Cut
from bethink.domain.types import TYPES
from bethink.operations.recall import OnWeak
from bethink.recall.profiles import GateRule, gate_rule
from bethink.recall.reader import Asked

MIN_MATCHED = 2
"""Words that must agree, unless one alone is distinctive or the question has only one."""

FEW = 3
"""Candidates that may share a name with the question and nothing else; where more do, the name tells nothing.

Asking for more than a name costs no recall on LoCoMo (recall@10 of two conversations 0.825 with and without it).
"""


@dataclass(frozen=True, slots=True)
class GateContext:
    """What the gate may know: its rule, the cosine floor by type, how many terms were asked, the caller's own floor."""

    rule: GateRule
    floors: Mapping[str, float]
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


def gate_context(asked: Asked, calibration: Calibration, dense: tuple[float, float]) -> GateContext:
    """What the gate of this request knows; `dense` are the share of meaning that is set and the one it was given."""
    rule = leaned(gate_rule(asked.profile, asked.request.moment), *dense)
    return GateContext(
        rule=rule,
        floors=floors(rule, calibration),
        terms=len(asked.query.terms),
        min_score=asked.request.min_score,
        on_weak=asked.request.on_weak,
    )


def leaned(rule: GateRule, usual: float, given: float) -> GateRule:
    """The rule where meaning was given another share than the usual one.

    Where it has more, the floors rise: meaning alone has to say as much as before to count as a signal.
    """
    if not given > usual > 0:
        return rule
    answer = round(rule.answer + rule.leaned * (given - usual), 9)
    return replace(rule, answer=answer, together=round(rule.together * given / usual, 9))


def floors(rule: GateRule, calibration: Calibration) -> dict[str, float]:
    """The cosine at which meaning alone speaks, by type, on a space's scale."""
    return {name: calibration.floor(known.floor + rule.cosine) for name, known in TYPES.items()}


def gate(scored: Sequence[Scored], context: GateContext) -> Gated:
    """Admit what shows enough, in the given order.

    An exactly named entity speaks for what is linked to it. Where it does so for many and something says more, those
    that share no more than the name are left out; where nothing says more, they are the answer.
    """
    crowd = frozenset(item.found.candidate.key for item in scored if _bare(item.found))
    if len(crowd) <= FEW:
        crowd = frozenset()
    gated = _judged(scored, context, crowd)
    if crowd and not gated.admitted:
        unnamed = frozenset(item.found.candidate.key for item in scored if not item.found.exact)
        gated = _judged(scored, context, crowd & unnamed)
    gated = _with_partners(scored, gated)
    return gated if gated.admitted else _weak(scored, gated, context)


def _judged(scored: Sequence[Scored], context: GateContext, crowd: frozenset[int]) -> Gated:
    """Every item admitted or cut; of the crowd a name alone does not speak."""
    best = max((item.found.text for item in scored), default=0.0)
    admitted: list[Scored] = []
    passed: dict[str, str] = {}
    cuts: list[Cut] = []
    for item in scored:
        candidate = item.found.candidate
        verdict = _verdict(item, best, context, named=candidate.key in crowd)
        if isinstance(verdict, str):
            admitted.append(item)
            passed[candidate.id] = verdict
        else:
            cuts.append(verdict)
    return Gated(tuple(admitted), passed, tuple(cuts))


def _verdict(item: Scored, best: float, context: GateContext, *, named: bool) -> str | Cut:
    """The signal by which an item passes, or its cut: the evidence first, then the floors.

    `named` says that it is one of many that share a name with the question and nothing else: meaning has to speak.
    """
    found, rule = item.found, context.rule
    least, cut = max(rule.score, context.min_score or 0.0), None
    signal = _signal(found, context, named=named)
    if not signal:
        cut = _missed(found, context, named=named)
    elif item.score < least:
        cut = Cut("gate", found.candidate.id, "score floor", item.score, least)
    elif not found.exact and max(best, found.match) < rule.answer:
        cut = Cut("gate", found.candidate.id, "everything is weak", max(best, found.match), rule.answer)
    elif not found.exact and found.match < rule.relative * best:
        cut = Cut("gate", found.candidate.id, "relative floor", found.match, round(rule.relative * best, 9))
    return cut or signal


def _signal(found: Fused, context: GateContext, *, named: bool) -> str:
    """The one signal that speaks for a candidate, empty without one."""
    rule, signal = context.rule, ""
    if found.cosine is not None and found.cosine >= context.floors[found.candidate.type]:
        signal = "meaning"
    elif found.match >= rule.together and not named:
        outside = "external" in found.arms and found.match > found.text
        signal = "outside provider" if outside else "neighbours" if found.lent else "words and meaning"
    if found.coverage >= rule.coverage and not named and _enough(found, context.terms):
        signal = "words"
    return f"exact {found.exact}" if found.exact and not named else signal


def _missed(found: Fused, context: GateContext, *, named: bool) -> Cut:
    """The cut of a candidate without a signal: the one it came nearest to, what it had and what it needed."""
    rule, cosine, floor = context.rule, found.cosine or 0.0, context.floors[found.candidate.type]
    reason, value, bound = "words and meaning together", found.match, rule.together
    if cosine * bound > value * floor:
        reason, value, bound = "cosine floor", cosine, floor
    if named:
        reason, value, bound = "only a common name agrees", cosine, floor
    elif found.coverage >= rule.coverage:
        reason, value, bound = "too few of the words", found.matched, MIN_MATCHED
    elif found.coverage * bound > value * rule.coverage:
        reason, value, bound = "too few of the words", found.coverage, rule.coverage
    return Cut("gate", found.candidate.id, reason, value, bound)


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
