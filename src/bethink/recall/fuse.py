"""Fuse: one number per candidate from what the arms say.

Two fusions. `reciprocal_rank` needs only ranks and is exact in the formula of its source. `score_fusion`, the default,
keeps how much better one hit is than the next: the lexical and the dense arm are each put on standard units by that
arm's own statistics, so an arm can come or go without a word to the others, and lookups that hit exactly count as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.domain.hit import ArmReport, Candidate, Fused
from bethink.domain.query import Query
from bethink.ports.search import Matches
from bethink.recall.arms import Findings

K = 60
"""The constant of reciprocal rank fusion, of its source."""

NEIGHBOUR = 0.3
"""What a turn's cosine gains of its better neighbour's: an answer often stands beside the words of the question."""

SPEAKER = 0.8
"""What a turn gains, in standard units, when the question names its speaker."""

CENTRE, STEEPNESS = 2.0, 0.6
"""The logistic that takes standard units to 0..1: a match at the centre reads one half."""

UNIT_CAP = 8.0
"""The most standard units one arm may say: one lone match in a flat list is no certainty."""

EXACT_SUBJECT, ENTITY, TYPE_ONLY, FUZZY = 1.0, 0.4, 0.25, 0.25
"""What a lookup alone is worth as a match: a subject the caller named, a linked entity, a type, a resembling name."""

TEXT_WITHIN_EXACT = 0.1
"""How far the text orders candidates that the same exact subject hit."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def reciprocal_rank(reports: Sequence[ArmReport], weights: Mapping[str, float] | None = None) -> dict[int, float]:
    """Reciprocal rank fusion: the sum over arms of weight / (60 + rank), rank from 1, by key.

    Args:
        reports: the arms' hits.
        weights: by arm; an arm without one weighs 1.
    """
    weights = weights or {}
    fused: dict[int, float] = {}
    for report in reports:
        weight = weights.get(report.arm, 1.0)
        for hit in report.hits:
            fused[hit.key] = fused.get(hit.key, 0.0) + weight / (K + hit.rank)
    return fused


def score_fusion(findings: Findings, query: Query, dense_weight: float) -> tuple[Fused, ...]:
    """Fuse by scores, in the candidates' order.

    Args:
        findings: what the arms found, the candidates in key order.
        query: for the speakers it names.
        dense_weight: the dense arm's share where it answered, the lexical arm's being the rest.
    """
    candidates = findings.candidates
    if not candidates:
        return ()
    keys = np.fromiter((candidate.key for candidate in candidates), np.int64, len(candidates))
    words, cosines = _Column.of(findings.lexical, keys), _Column.of(findings.dense, keys)
    lent = _neighbours(candidates, cosines.scores) if findings.dense is not None else None
    mixed = _mix(words, cosines, lent, dense_weight) + SPEAKER * _spoken(candidates, query)
    match = 1 / (1 + np.exp(-STEEPNESS * (mixed - CENTRE)))
    return _joined(findings, match, words, cosines)


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One scoring arm over the candidates: its score for each (NaN without one), and where in its matches that is."""

    matches: Matches | None
    scores: Floats
    places: Integers

    @staticmethod
    def of(matches: Matches | None, keys: Integers) -> _Column:
        """The arm's scores of these ascending keys."""
        places = np.full(len(keys), -1, np.int64)
        scores = np.full(len(keys), np.nan)
        if matches is not None and len(matches.keys):
            found = np.flatnonzero(np.isin(matches.keys, keys))
            at = np.searchsorted(keys, matches.keys[found])
            places[at], scores[at] = found, matches.scores[found]
        return _Column(matches, scores, places)

    def units(self, scores: Floats, missing: float) -> Floats:
        """Scores in standard units of the whole arm; a missing score reads as `missing` before the scale."""
        whole = self.matches.scores if self.matches is not None else np.zeros(0)
        if len(whole) == 0:
            return np.zeros(len(scores))
        mean, spread = float(whole.mean()), float(whole.std()) or float(abs(whole[0])) or 1.0
        filled = np.where(np.isnan(scores), mean if np.isnan(missing) else missing, scores)
        return np.minimum((filled - mean) / spread, UNIT_CAP)


def _mix(words: _Column, cosines: _Column, lent: Floats | None, dense_weight: float) -> Floats:
    """The weighted sum of both arms in standard units.

    No word in common is a lexical score of 0. A candidate without a vector stands at the dense mean, neither punished
    nor favoured. Without the dense arm the lexical one speaks alone.
    """
    lexical = words.units(words.scores, 0.0)
    if lent is None:
        return lexical
    dense = cosines.units(cosines.scores + NEIGHBOUR * lent, float("nan"))
    return (1 - dense_weight) * lexical + dense_weight * dense


def _neighbours(candidates: Sequence[Candidate], cosines: Floats) -> Floats:
    """Per candidate the better cosine of the turns before and after it, where they are candidates; never negative."""
    known = np.nan_to_num(cosines, nan=0.0).tolist()
    places = {(c.session, c.seq): at for at, c in enumerate(candidates) if c.type == "turn"}
    lent = np.zeros(len(candidates))
    for (session, seq), at in places.items():
        before, after = places.get((session, seq - 1)), places.get((session, seq + 1))
        lent[at] = max(0.0, known[before] if before is not None else 0.0, known[after] if after is not None else 0.0)
    return lent


def _spoken(candidates: Sequence[Candidate], query: Query) -> Floats:
    """1 for a turn whose speaker, whole or by the first name, is among the names the query may hold; else 0."""
    asked = frozenset(query.names)
    flags = (
        c.type == "turn" and (c.subject_key in asked or c.subject_key.partition(" ")[0] in asked) for c in candidates
    )
    return np.fromiter(flags, np.float64, len(candidates))


def _joined(findings: Findings, match: Floats, words: _Column, cosines: _Column) -> tuple[Fused, ...]:
    """The candidates with everything the arms say of them."""
    arms = _arms_by_key(findings.reports)
    texts = _word_evidence(words)
    known = [None if value != value else round(value, 6) for value in cosines.scores.tolist()]  # noqa: PLR0124 - NaN
    rows = []
    for candidate, text, cosine, evidence in zip(findings.candidates, match.tolist(), known, texts, strict=True):
        hits = arms.get(candidate.key, {})
        coverage, matched, distinctive = evidence
        exact, value = _exact(hits, text)
        lent = "lexical" in hits and matched == 0
        rows.append(Fused(candidate, round(value, 9), hits, cosine, coverage, matched, distinctive, exact, lent))
    return tuple(rows)


def _exact(hits: Mapping[str, tuple[int, float]], text: float) -> tuple[str, float]:
    """The lookup that hit exactly, and the match: what the lookup is worth, or the text where that says more."""
    if "structured" in hits and hits["structured"][1] >= EXACT_SUBJECT:
        return "subject", EXACT_SUBJECT - TEXT_WITHIN_EXACT * (1 - text)
    if "entity" in hits:
        return "entity", max(text, ENTITY)
    if "structured" in hits:
        return "", max(text, TYPE_ONLY)
    if "fuzzy" in hits:
        return "", max(text, FUZZY * hits["fuzzy"][1])
    return "", text


def _arms_by_key(reports: Sequence[ArmReport]) -> dict[int, dict[str, tuple[int, float]]]:
    """Per key the arms that listed it, with rank and raw score."""
    found: dict[int, dict[str, tuple[int, float]]] = {}
    for report in reports:
        for hit in report.hits:
            found.setdefault(hit.key, {})[report.arm] = (hit.rank, hit.raw)
    return found


def _word_evidence(words: _Column) -> list[tuple[float, int, bool]]:
    """Per candidate coverage, matched terms, and whether one of them is distinctive."""
    if words.matches is None or len(words.matches.keys) == 0:
        return [(0.0, 0, False)] * len(words.places)
    columns = (words.matches.coverage, words.matches.matched, words.matches.distinctive)
    rows = zip(*(column[words.places].tolist() for column in columns), strict=True)
    return [row if place >= 0 else (0.0, 0, False) for row, place in zip(rows, words.places.tolist(), strict=True)]
