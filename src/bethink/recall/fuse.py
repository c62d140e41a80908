"""Fuse: one number per candidate from what the arms say.

Two fusions, of which the profile names one. `rank_fusion` needs only ranks: reciprocal rank, exact in its source's
formula, on a scale of 0 to 1. `score_fusion`, the default, keeps how much better one hit is than the next. Both of its
scores are absolute: the lexical one is the share of what a perfect match would earn, the dense one a cosine on its
space's own scale. So an arm comes or goes without a word to the others, no candidate moves another but by standing
beside it in a session, and a vague question, whose words earn little, is decided by meaning, while one with telling
words is decided by them. Standard units over the same scores ranked no better (LoCoMo, recall@10 0.767 to 0.772 against
0.770) and would move with every record.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bethink.domain.hit import ArmReport, Candidate, Fused
from bethink.domain.query import Query
from bethink.domain.types import Kind
from bethink.ports.search import Matches
from bethink.recall.arms import Findings
from bethink.recall.profiles import Fusion
from bethink.recall.reader import Mix

K = 60
"""The constant of reciprocal rank fusion, of its source."""

NEIGHBOUR = 0.4
"""What a neighbouring turn's cosine weighs beside a turn's own: an answer often stands beside the question's words."""

NAMED = 0.08
"""What a turn gains when the question names its speaker, and a belief when it names its subject."""

SESSION = 0.25
"""The share a turn takes of the best match of its session: an answer lies where its subject was talked about."""

EXACT_SUBJECT, ENTITY, TYPE_ONLY, RESEMBLING = 1.0, 0.4, 0.25, 0.25
"""What a lookup alone is worth as a match: a subject the caller named, a linked entity, a type, a belief's subject that
resembles a name (times how much)."""

TEXT_WITHIN_EXACT = 0.1
"""How far the text orders candidates that the same exact subject hit."""

Arms = Mapping[str, tuple[int, float]]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_NONE: Arms = {}


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
    ranks = reciprocal_rank(findings.reports)
    first = max(1, len(findings.reports)) / (K + 1)
    fused = []
    for found in score_fusion(findings, query, mix):
        match = round(ranks.get(found.candidate.key, 0.0) / first, 9)
        fused.append(replace(found, match=match, text=match))
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
    text = np.nan_to_num(words.scores, nan=0.0)
    if findings.dense is not None:
        text = (1 - mix.dense) * text + mix.dense * _meaning(candidates, cosines.scores, text, mix.zero)
    arms = _arms_by_key(findings.reports)
    text = (text + NAMED * _named(candidates, query, arms)) / (1 + NAMED)
    return _joined(candidates, _in_session(candidates, text), arms, (words, cosines))


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


def _meaning(candidates: Sequence[Candidate], cosines: Floats, text: Floats, zero: float) -> Floats:
    """The dense score, 0 at the space's zero and 1 at a cosine of 1, a turn's better neighbour weighed in.

    What has no neighbours is its own neighbour. A candidate that has no vector yet is judged by its words alone,
    neither punished nor favoured for the wait.
    """
    known = np.maximum((cosines - zero) / (1 - zero), 0.0)
    own = np.nan_to_num(known, nan=0.0)
    beside = own.copy()
    places = _places(candidates)
    for (session, seq), at in places.items():
        beside[at] = max(_at(own, places.get((session, seq - 1))), _at(own, places.get((session, seq + 1))))
    return np.where(np.isnan(known), text, (own + NEIGHBOUR * beside) / (1 + NEIGHBOUR))


def _places(candidates: Sequence[Candidate]) -> dict[tuple[str | None, int], int]:
    """Where each turn of a session stands among the candidates."""
    return {(c.session, c.seq): at for at, c in enumerate(candidates) if c.type == "turn"}


def _at(values: Floats, place: int | None) -> float:
    """A value, 0 where there is no place."""
    return 0.0 if place is None else float(values[place])


def _in_session(candidates: Sequence[Candidate], match: Floats) -> Floats:
    """The matches, a turn's mixed with the best of its session."""
    best: dict[str, float] = {}
    own = match.tolist()
    for candidate, value in zip(candidates, own, strict=True):
        if candidate.type == "turn" and candidate.session is not None:
            best[candidate.session] = max(value, best.get(candidate.session, 0.0))
    lifted = (
        (1 - SESSION) * value + SESSION * best[c.session] if c.type == "turn" and c.session is not None else value
        for c, value in zip(candidates, own, strict=True)
    )
    return np.fromiter(lifted, np.float64, len(own))


def _named(candidates: Sequence[Candidate], query: Query, arms: Mapping[int, Arms]) -> Floats:
    """How surely the question names the speaker or subject: 1 whole or by its first word, else what it resembles."""
    asked = frozenset(query.names)
    sure = (
        1.0
        if c.subject_key and (c.subject_key in asked or c.subject_key.partition(" ")[0] in asked)
        else arms.get(c.key, {}).get("fuzzy", (0, 0.0))[1]
        for c in candidates
    )
    return np.fromiter(sure, np.float64, len(candidates))


def _joined(
    candidates: Sequence[Candidate], text: Floats, arms: Mapping[int, Arms], columns: tuple[_Column, _Column]
) -> tuple[Fused, ...]:
    """The candidates with everything the arms say of them."""
    words, cosines = columns
    known = [None if math.isnan(value) else round(value, 6) for value in cosines.scores.tolist()]
    rows = []
    for candidate, value, cosine, evidence in zip(candidates, text.tolist(), known, _word_evidence(words), strict=True):
        hits = arms.get(candidate.key, _NONE)
        exact, match = _exact(candidate, hits, value)
        lent = evidence.matched == 0 and "lexical" in hits
        rows.append(Fused(candidate, round(match, 9), round(value, 9), hits, cosine, *evidence, exact=exact, lent=lent))
    return tuple(rows)


def _exact(candidate: Candidate, hits: Arms, text: float) -> tuple[str, float]:
    """The lookup that hit, and the match: what the lookup is worth, or the text where that says more."""
    if "structured" in hits and hits["structured"][1] >= EXACT_SUBJECT:
        return "subject", EXACT_SUBJECT - TEXT_WITHIN_EXACT * (1 - text)
    if "entity" in hits:
        return "entity", max(text, ENTITY)
    if "structured" in hits:
        return "type", max(text, TYPE_ONLY)
    if "fuzzy" in hits and candidate.kind is not Kind.EPISODIC:
        return "", max(text, RESEMBLING * hits["fuzzy"][1])
    return "", text


def _arms_by_key(reports: Sequence[ArmReport]) -> dict[int, Arms]:
    """Per key the arms that listed it, with rank and raw score."""
    found: dict[int, dict[str, tuple[int, float]]] = {}
    for report in reports:
        for hit in report.hits:
            found.setdefault(hit.key, {})[report.arm] = (hit.rank, hit.raw)
    return dict(found)


class _Words(NamedTuple):
    """What a candidate's own words say: see the fields of `Fused`."""

    coverage: float = 0.0
    matched: int = 0
    said: int = 0
    distinctive: bool = False


def _word_evidence(words: _Column) -> list[_Words]:
    """What each candidate's own words say."""
    found = words.matches
    if found is None or len(found.keys) == 0:
        return [_Words()] * len(words.places)
    columns = (found.coverage, found.matched, found.said, found.distinctive)
    rows = zip(*(column[words.places].tolist() for column in columns), strict=True)
    return [_Words(*row) if at >= 0 else _Words() for row, at in zip(rows, words.places.tolist(), strict=True)]
