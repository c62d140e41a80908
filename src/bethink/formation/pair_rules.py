"""The rules that decide about pairs where no model is handed in: by words alone, and rather to keep both.

Statements are never taken for one because they are alike: a number, a name or a negation makes the difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.source import RANK, SourceKind
from bethink.ports.advice import PairDecision, PairQuestion, PairVerdict, Side, TensionLabel
from bethink.text.analyse import analyse
from bethink.text.entailment import entails
from bethink.text.entailment_words import NEGATIONS

_CARRYING = frozenset("do does did don doesn didn is are was were am be been isn aren wasn weren has have had".split())
"""Verbs that a negation brings along or leaves behind."""

_HALF = frozenset({"t", "s", "only", "rather", "instead", "anymore", "quit", "stopped"})
"""What is left of a contraction, and words that restrict or end rather than deny."""


class PairRules:
    """The `PairJudge` by rule: what says what the other says, and no less, stands for both."""

    name = "rules"

    def review(self, pairs: Sequence[PairQuestion]) -> tuple[PairVerdict, ...]:
        """One verdict a pair."""
        return tuple(PairVerdict(_decided(pair.a, pair.b)) for pair in pairs)


class TensionRules:
    """The `TensionJudge` by rule: two that differ by a negation alone contradict each other."""

    name = "rules"

    def label(self, pairs: Sequence[PairQuestion]) -> tuple[TensionLabel, ...]:
        """One label a pair."""
        return tuple(_labelled(pair.a.text, pair.b.text) for pair in pairs)


def _decided(a: Side, b: Side) -> PairDecision:
    """What becomes of two statements."""
    says_b, says_a = bool(entails(a.text, b.text)), bool(entails(b.text, a.text))
    if says_a and says_b:
        return "supersede_b" if RANK[SourceKind(a.source)] > RANK[SourceKind(b.source)] else "supersede_a"
    if says_b:
        return "supersede_b"
    return "supersede_a" if says_a else "keep_both"


def _labelled(one: str, other: str) -> TensionLabel:
    """How two statements stand to each other."""
    if entails(one, other) and entails(other, one):
        return "redundant"
    first, second = _plain(one), _plain(other)
    same = first[0] == second[0] and bool(first[0])
    return "contradictory" if same and first[1] != second[1] else "independent"


def _plain(text: str) -> tuple[frozenset[str], bool]:
    """The words of a statement in one form without its negations, and whether it denies."""
    words = set(analyse(text))
    negations = words & (NEGATIONS - _HALF)
    return frozenset(words - negations - _CARRYING - {"t"}), bool(negations)
