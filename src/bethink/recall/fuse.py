"""Fuse: one number per candidate from what the arms say.

Two ways to one number, of which the profile names one. `rank_fusion` needs only ranks: reciprocal rank, exact in its
source's formula, on a scale of 0 to 1. `score_fusion`, the default, keeps how much better one hit is than the next.
Both of its scores are absolute: the lexical one is the share of what a perfect match would earn, the dense one a cosine
on its space's own scale. How much of each a question takes is its `Mix`, fixed or by the arms' margins (`lean`). Within
one mix no candidate moves another but through its session, and by how much of the question that says: the turns beside
a turn count whether an arm found them or not. Standard units over the same scores ranked no better (LoCoMo, recall@10
0.767 to 0.772 against 0.770).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bethink.domain.hit import ArmReport, Candidate, Fused
from bethink.domain.query import Query
from bethink.domain.types import Kind
from bethink.ports.search import Matches
from bethink.recall.arms import Findings
from bethink.recall.lift import Bearings, Floats, Integers, lifted
from bethink.recall.pool import mixed, scores_of
from bethink.recall.profiles import Fusion
from bethink.recall.reader import Mix

K = 60
"""The constant of reciprocal rank fusion, of its source."""

EXACT_SUBJECT, OWNED, ENTITY, TYPE_ONLY, RESEMBLING, CHANGED = 1.0, 0.5, 0.4, 0.25, 0.25, 0.15
"""What a lookup alone is worth as a match: a subject the caller named, a statement of owning, a linked entity, a type,
a belief's subject that resembles a name (times how much), what changed."""

RELATED, OUTSIDE = 0.2, 0.25
"""What a record of an entity one relation away is worth as a match, and one that an outside provider is sure of."""

TEXT_WITHIN_EXACT = 0.1
"""How far the text orders candidates that the same exact subject hit."""

Arms = Mapping[str, tuple[int, float]]
_SCORING = {"lexical", "dense"}


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


def fuse(fusion: Fusion, findings: Findings, query: Query, mix: Mix) -> tuple[Fused, ...]:
    """Fuse as the profile asks: by scores, or by ranks."""
    return (rank_fusion if fusion == "ranks" else score_fusion)(findings, query, mix)


def rank_fusion(findings: Findings, query: Query, mix: Mix) -> tuple[Fused, ...]:
    """Fuse by reciprocal rank, in the candidates' order; a candidate first in every arm has a `match` of 1.

    What the text says stands beside it as in `score_fusion`, for the gate's signals.
    """
    weights = {"lexical": 2 * (1 - mix.votes), "dense": 2 * mix.votes}
    ranks = reciprocal_rank(findings.reports, weights)
    first = max(1.0, sum(weights.get(report.arm, 1.0) for report in findings.reports)) / (K + 1)
    fused = []
    for found in score_fusion(findings, query, mix):
        match = round(ranks.get(found.candidate.key, 0.0) / first, 9)
        fused.append(found._replace(match=match, text=match))
    return tuple(fused)


def score_fusion(findings: Findings, query: Query, mix: Mix) -> tuple[Fused, ...]:
    """Fuse by scores, in the candidates' order; `match` lies in 0..1.

    Args:
        findings: what the arms found, the candidates in key order.
        query: for the speakers and subjects it names.
        mix: the dense share where that arm answered, the lexical share being the rest.
    """
    candidates = findings.candidates
    if not candidates:
        return ()
    keys = np.fromiter((candidate.key for candidate in candidates), np.int64, len(candidates))
    words, cosines = _Column.of(findings.lexical, keys), _Column.of(findings.dense, keys)
    arms = _arms_by_key(findings.reports, keys.tolist())
    match = findings.match
    if match is None:
        text = mixed(findings.lexical, findings.dense, findings.beside.of(keys), mix)
        match = lifted(text, _bearings(candidates, findings.covered.of(keys), keys), findings.reports, query).match
    fused = _joined(candidates, match.tolist(), arms, (words, cosines))
    return tuple(map(_of_the_time, fused)) if query.time_only else fused


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One scoring arm over the candidates: its score for each (NaN without one), and where in its matches that is."""

    matches: Matches | None
    scores: Floats
    places: Integers

    @staticmethod
    def of(matches: Matches | None, keys: Integers) -> _Column:
        """The arm's scores of these ascending keys."""
        places = np.full(len(keys), -1, np.int64) if matches is None else matches.places_of(keys)
        return _Column(matches, scores_of(matches, keys), places)

    def evidence(self) -> tuple[list[float], list[int], list[int], list[bool]]:
        """What each candidate's own words say: coverage, matched, said and distinctive, as in `Fused`."""
        found, at = self.matches, self.places
        if found is None or len(found.keys) == 0:
            return [0.0] * len(at), [0] * len(at), [0] * len(at), [False] * len(at)
        held = at >= 0
        return (
            np.where(held, found.coverage[at], 0.0).tolist(),
            np.where(held, found.matched[at], 0).tolist(),
            np.where(held, found.said[at], 0).tolist(),
            (held & found.distinctive[at]).tolist(),
        )


def _bearings(candidates: Sequence[Candidate], covered: Floats, keys: Integers) -> Bearings:
    """Whom the candidates are about or by, and where they were said."""
    subjects = [candidate.subject_key for candidate in candidates]
    sessions = [one.session if one.type == "turn" else None for one in candidates]
    return Bearings(keys, subjects, sessions, covered)


def _of_the_time(found: Fused) -> Fused:
    """What was said at the time is the answer to a question that asks for nothing else, in the order of its text."""
    if "time" not in found.arms or found.exact == "subject":
        return found
    match = round(EXACT_SUBJECT - TEXT_WITHIN_EXACT * (1 - found.text), 9)
    return found._replace(match=match, exact="time")


def _joined(
    candidates: Sequence[Candidate], text: list[float], arms: Mapping[int, Arms], columns: tuple[_Column, _Column]
) -> tuple[Fused, ...]:
    """The candidates with everything the arms say of them."""
    words, cosines = columns
    count, known = len(candidates), np.round(cosines.scores, 6).tolist()
    rows = [arms[candidate.key] for candidate in candidates]
    exact, match = [""] * count, list(text)
    for at, hits in enumerate(rows):
        if not hits.keys() <= _SCORING:
            exact[at], match[at] = _exact(candidates[at], hits, text[at])
    coverage, matched, said, distinctive = words.evidence()
    lent = [own == 0 and "lexical" in hits for own, hits in zip(matched, rows, strict=True)]
    near = [None if math.isnan(value) else value for value in known]
    fields = (candidates, match, text, rows, near, coverage, matched, said, distinctive, exact, lent)
    return tuple(map(Fused._make, zip(*fields, strict=True)))


def _exact(candidate: Candidate, hits: Arms, text: float) -> tuple[str, float]:
    """The lookup that hit, and the match: what the lookup is worth, or the text where that says more."""
    exact, worth = "", 0.0
    if "structured" in hits:
        exact, worth = _structured(hits["structured"][1], text)
    if "entity" in hits and worth < ENTITY:
        exact, worth = "entity", ENTITY
    if not exact and "graph" in hits:
        exact, worth = "relation", RELATED
    if "external" in hits:
        worth = max(worth, round(OUTSIDE * hits["external"][1], 9))
    if not exact and "fuzzy" in hits and candidate.kind is not Kind.EPISODIC:
        worth = max(worth, round(RESEMBLING * hits["fuzzy"][1], 9))
    return exact, max(text, worth)


def _structured(raw: float, text: float) -> tuple[str, float]:
    """What the structured arm looked up, and what that is worth."""
    if raw >= EXACT_SUBJECT:
        return "subject", round(EXACT_SUBJECT - TEXT_WITHIN_EXACT * (1 - text), 9)
    if raw >= OWNED:
        return "owned", OWNED
    return ("type", TYPE_ONLY) if raw >= TYPE_ONLY else ("change", CHANGED)


def _arms_by_key(reports: Sequence[ArmReport], keys: Sequence[int]) -> Mapping[int, Arms]:
    """Per key the arms that listed it, with rank and raw score; what they list beyond the keys is passed over."""
    found: dict[int, dict[str, tuple[int, float]]] = {key: {} for key in keys}
    for report in reports:
        arm = report.arm
        for hit in report.hits:
            listed = found.get(hit.key)
            if listed is not None:
                listed[arm] = (hit.rank, hit.raw)
    return found
