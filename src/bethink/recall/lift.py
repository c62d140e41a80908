"""Lift: what the text's own score gains or loses: names the question says, the time it asks about, the session around.

One function, applied twice: to what is in memory, to see who has a chance, and to what the truth confirmed, to fuse it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bethink.domain.hit import ArmReport
from bethink.domain.query import Query

NAMED = 0.08
"""What a turn gains when the question names its speaker, and a belief when it names its subject."""

SESSION = 0.25
"""The share a turn takes of the best match of its session: an answer lies where its subject was talked about."""

ELSEWHERE = 0.25
"""What a turn loses at most for its session: the more, the less of the question is said in it, by whichever turns."""

REPEATED = 0.3
"""How fast a session that says much helps less: its k-th best turn by k to the power of minus this."""

IN_TIME = 0.15
"""What a candidate of a time the question names gains, as a share of what its text lacks of a perfect match."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Bearings:
    """Whom rows are about or by, and where they were said.

    Args:
        keys: ascending.
        subjects: per key the folded subject, of a turn its speaker; empty without one.
        sessions: per key the session a turn was said in; None for what is no turn.
        covered: per key how much of the question its session says, 0..1; 1 for what is no turn.
    """

    keys: Integers
    subjects: Sequence[str]
    sessions: Sequence[str | None]
    covered: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Covered:
    """Per ascending key how much of the question its session says, as a share of the session that says most."""

    keys: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    shares: Floats = field(default_factory=lambda: np.empty(0))

    def of(self, keys: Integers) -> Floats:
        """The shares of other ascending keys; 1 for one that is not here."""
        if not len(self.keys):
            return np.ones(len(keys))
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.shares[at], 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Lifted:
    """Per row its `match` in 0..1, to a billionth, what it had `before` its session counted, and its `session`.

    `named` is how surely the question names it, 1 for whole. Sessions are numbered from 0; -1 is none.
    """

    match: Floats
    before: Floats
    named: Floats
    session: Integers


def lifted(text: Floats, rows: Bearings, reports: Sequence[ArmReport], query: Query) -> Lifted:
    """The text's score of each row with what its name, its time and its session add.

    What is no turn neither gains nor loses by a session. Which rows there are changes nothing but through a session's
    better turns.

    Args:
        text: how well the text of each row answers, as `pool.mixed` gives it.
        rows: the same rows.
        reports: the arms' hits, for resembling names and for the time.
        query: for the speakers and subjects it names.
    """
    named = _named(rows, reports, query)
    before = (text + NAMED * named) / (1 + NAMED)
    if query.spans:
        before += IN_TIME * _listed(rows.keys, reports, "time") * (1 - before)
    numbers: dict[str | None, int] = {None: -1}
    session = np.array([numbers.setdefault(name, len(numbers) - 1) for name in rows.sessions], np.int64)
    said = session >= 0
    spread = np.where(said, rows.covered * _places(session, before) ** -REPEATED, 1.0)
    before *= 1 - ELSEWHERE * (1 - spread)
    best = np.zeros(len(numbers))
    np.maximum.at(best, session[said], before[said])
    top = before.copy()
    top[said] = best[session[said]]
    return Lifted(np.round((1 - SESSION) * before + SESSION * top, 9), before, named, session)


def _places(session: Integers, match: Floats) -> Integers:
    """The place of each row among those of its session, the best match first, from 1."""
    order = np.lexsort((-match, session))
    fresh = np.flatnonzero(np.diff(session[order], prepend=-2))
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(1, len(order) + 1) - np.repeat(fresh, np.diff(fresh, append=len(order)))
    return places


def _named(rows: Bearings, reports: Sequence[ArmReport], query: Query) -> Floats:
    """How surely the question names the speaker or subject: 1 whole or by its first word, else what it resembles."""
    asked = frozenset(query.names)
    known = {name: bool(name) and (name in asked or name.partition(" ")[0] in asked) for name in set(rows.subjects)}
    alike = {hit.key: hit.raw for report in reports if report.arm == "fuzzy" for hit in report.hits}
    if not alike:
        return np.array([known[name] for name in rows.subjects], np.float64)
    told = zip(rows.keys.tolist(), rows.subjects, strict=True)
    return np.array([1.0 if known[name] else alike.get(key, 0.0) for key, name in told], np.float64)


def _listed(keys: Integers, reports: Sequence[ArmReport], arm: str) -> NDArray[np.bool_]:
    """Which of the keys an arm listed."""
    hits = {hit.key for report in reports if report.arm == arm for hit in report.hits}
    return np.array([key in hits for key in keys.tolist()], dtype=np.bool_)
