"""Reach: of the pool, what can still pass the gate.

The gate refuses whatever matches less than a share of the best match, and what a candidate will match is known before
anything is looked up: words, meaning, names, times and sessions are all in memory. So what is out of reach is spared
the look at the truth and all that follows. No answer changes by it: kept are also those that the gate judges by other
things than their match, those that it counts, those that lift others of their session, and the best that is by or
about whomever the question names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.domain.hit import ArmReport
from bethink.ports.search import Matches
from bethink.recall.lift import Bearings, Floats, Lifted
from bethink.recall.pool import Keys
from bethink.recall.profiles import Fusion, gate_rule
from bethink.recall.reader import Asked

LEAST = 24
"""So many of the best go on in any case: a trace shows what came near, not only what came in."""

SCORING: frozenset[str] = frozenset({"lexical", "dense"})
"""Arms whose hits are judged by their match alone."""

_ROUNDING = 1e-6
"""More than the gate's bound and a match are rounded by."""


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """What of the pool is in reach, by ascending key, and what each matches, where that was worked out."""

    keys: Keys
    match: Floats | None = None


def least_share(asked: Asked, fusion: Fusion) -> float:
    """The share of the best match below which nothing passes the gate; 0 where something may.

    That is where a weak answer is filled up with what was refused, where matches are made of ranks, and where the best
    match may be left out for the topics of the question.
    """
    if asked.request.on_weak != "empty" or fusion == "ranks" or asked.topics.within:
        return 0.0
    return gate_rule(asked.profile, asked.request.moment).relative


def within_reach(
    rows: Bearings, lifts: Lifted, reports: Sequence[ArmReport], lexical: Matches | None, share: float
) -> Near:
    """Those of the pool's ascending keys that may pass, and those that bear on what does.

    Args:
        rows: the pool.
        lifts: what each of them matches.
        reports: the arms' hits.
        lexical: every match of the words.
        share: as `least_share` says.
    """
    keys = rows.keys
    kept = lifts.match >= share * float(lifts.match.max()) - _ROUNDING
    order = np.argsort(-lifts.match, kind="stable")
    kept[order[:LEAST]] = True
    kept[_of_the_named(rows, order[lifts.named[order] == 1].tolist())] = True
    looked_up = {hit.key for report in reports if report.arm not in SCORING for hit in report.hits}
    if looked_up:
        kept |= np.array([key in looked_up for key in keys.tolist()])
    if lexical is not None and len(lexical.keys):
        kept |= _names_alone(keys, lexical)
    kept |= _lifting(lifts, kept)
    return Near(keys[kept], lifts.match[kept])


def _of_the_named(rows: Bearings, ordered: Sequence[int]) -> list[int]:
    """The best turn and the best belief of each subject, of rows in the order of their match."""
    best: dict[tuple[str, bool], int] = {}
    for at in ordered:
        best.setdefault((rows.subjects[at], rows.sessions[at] is None), at)
    return list(best.values())


def _names_alone(keys: Keys, lexical: Matches) -> NDArray[np.bool_]:
    """Those that agree with the question in a name and nothing else: the gate counts them."""
    at = lexical.places_of(keys)
    bare: NDArray[np.bool_] = (lexical.matched[at] > 0) & (lexical.said[at] == 0) & (lexical.coverage[at] < 1)
    return bare & (at >= 0)


def _lifting(lifts: Lifted, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whatever is better than something kept of its session: its best lifts it, and each takes a place before it."""
    said = lifts.session >= 0
    least = np.full(int(lifts.session.max(initial=-1)) + 2, np.inf)
    for_kept = said & kept
    np.minimum.at(least, lifts.session[for_kept], lifts.before[for_kept])
    lifting: NDArray[np.bool_] = said & (lifts.before >= least[lifts.session])
    return lifting
