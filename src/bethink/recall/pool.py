"""Pool: of all that the arms found, what goes on to be checked, ranked and judged, and how well its text answers.

Each candidate costs a look at the truth, a fused score, a rank, a verdict and a row of the trace, and of two hundred
that five arms find hardly a quarter can come into a block. So words and meaning are mixed before anything is looked
up: both are in memory. How large the pool is never depends on how many items were asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.domain.hit import Arm, ArmReport
from bethink.ports.search import Matches, leading
from bethink.recall.reader import Mix

POOL = 64
"""Candidates that go on where the arms found more: the best by words and meaning together."""

LOOKED_UP: dict[Arm, int] = {
    "structured": 1_000,
    "fuzzy": 12,
    "entity": 12,
    "time": 1_000,
    "taxonomy": 1_000,
    "graph": 12,
    "external": 12,
    "dense": 10,
}
"""How many of an arm's first hits go on whatever their text says: of the nearest so many are always judged."""

NEIGHBOUR = 0.4
"""What a neighbouring turn's cosine weighs beside a turn's own: an answer often stands beside the question's words."""

Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Per ascending key the turns said right before and right after inside the fence, -1 without one.

    `replies` says which of them answer a question right before, `instructs` which give a standing instruction; None
    where nothing does.
    """

    keys: Keys
    before: Keys
    after: Keys
    replies: NDArray[np.bool_] | None = None
    instructs: NDArray[np.bool_] | None = None

    def of(self, keys: Keys) -> Beside:
        """For some of the keys."""
        at = np.searchsorted(self.keys, keys)
        replies, instructs = (None if one is None else one[at] for one in (self.replies, self.instructs))
        return Beside(keys, self.before[at], self.after[at], replies, instructs)

    def everyone(self) -> Keys:
        """The keys and those beside them, ascending, each once."""
        keys = distinct(np.concatenate([self.keys, self.before, self.after]))
        return keys[keys >= 0]


def mixed(lexical: Matches | None, dense: Matches | None, beside: Beside, mix: Mix) -> NDArray[np.float64]:
    """How well the text of each key of `beside` answers: its words, and its meaning with its better neighbour's.

    The dense score is 0 at the cosine of unrelated texts and 1 at that of equal ones. What stands beside nothing is its
    own neighbour. What has no vector yet is judged by its words alone, neither punished nor favoured for the wait. A
    reply means at least what it and its question mean together, one half each: "Yes, every Sunday" says little by
    itself. A standing instruction answers as much as it means, for it shares no words with what it is meant for.
    """
    words = np.nan_to_num(scores_of(lexical, beside.keys))
    if dense is None:
        return words
    own, before, after = (
        np.clip((scores_of(dense, keys) - mix.zero) / (mix.one - mix.zero), 0.0, 1.0)
        for keys in (beside.keys, beside.before, beside.after)
    )
    alone = (beside.before < 0) & (beside.after < 0)
    around = np.where(alone, own, np.nan_to_num(np.fmax(before, after)))
    meaning = (own + NEIGHBOUR * around) / (1 + NEIGHBOUR)
    if beside.replies is not None:
        meaning = np.where(beside.replies, np.maximum(meaning, (own + np.nan_to_num(before)) / 2), meaning)
    meaning = np.where(np.isnan(own), words, meaning)
    text = (1 - mix.dense) * words + mix.dense * meaning
    return text if beside.instructs is None else np.where(beside.instructs, np.fmax(text, own), text)


def scores_of(matches: Matches | None, keys: Keys) -> NDArray[np.float64]:
    """A scoring arm's score of each key, NaN without one."""
    if matches is None or not len(matches.keys):
        return np.full(len(keys), np.nan)
    places = matches.places_of(keys)
    return np.where(places >= 0, matches.scores[places], np.nan)


def pooled(reports: Sequence[ArmReport], found: Keys, text: NDArray[np.float64]) -> Keys:
    """The keys that go on, ascending: all, or where they are too many the best by their text and the first looked up.

    Args:
        reports: the arms' hits.
        found: every key of the hits, ascending.
        text: how well the text of each answers.
    """
    if len(found) <= POOL:
        return found
    looked_up = [hit.key for report in reports for hit in report.hits[: LOOKED_UP.get(report.arm, 0)]]
    kept = np.zeros(len(found), dtype=np.bool_)
    kept[np.searchsorted(found, looked_up)] = True
    kept[leading(text, found, POOL)] = True
    return found[kept]


def distinct(keys: Iterable[int] | Keys) -> Keys:
    """The keys once each, ascending; of a few hundred this is five times faster than numpy's own."""
    given = keys if isinstance(keys, np.ndarray) else np.fromiter(keys, dtype=np.int64)
    ascending = np.sort(given)
    return ascending[np.flatnonzero(np.diff(ascending, prepend=-2))]
