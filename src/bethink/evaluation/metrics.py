"""Retrieval metrics of one query and of many. Relevance is binary; ranks count from 1.

Recall is never reported without noise: both come from one recall, recall from its order and noise from its block.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

CUTOFFS = (1, 5, 10, 20, 50)
DEPTH = 10
"""The depth of NDCG, and that at which missed evidence is asked after."""

Values = Mapping[str, float | None]
"""By metric the value of one query; None where it has none, such as the precision of an empty block."""

RETRIEVAL = (
    *(f"R@{k}" for k in CUTOFFS),
    *(f"recall_any@{k}" for k in CUTOFFS),
    *(f"recall_all@{k}" for k in CUTOFFS),
    *("hit@1", "hit@5", "hit@10", "capped_R@10", "MRR", "NDCG@10"),
)
POOL = ("candidate_recall", "ungated_R@10")
BLOCK = ("block_recall", "precision", "noise", "items", "tokens", "empty")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a block held: the unit of each item, None for one that is no turn of the set, and its tokens."""

    units: tuple[str | None, ...]
    tokens: int


def of_order(order: Sequence[str], wanted: Collection[str]) -> dict[str, float | None]:
    """The metrics of a ranked list.

    ``R@k`` is the share of the wanted units among the first k, ``recall_any@k`` (``hit@k``) whether one is there,
    ``recall_all@k`` whether all are, ``capped_R@10`` the share of as many as fit into ten. ``MRR`` is one over the rank
    of the first, 0 without one. ``NDCG@10`` is binary: sum of 1/log2(rank + 1) over its greatest possible value
    (Järvelin and Kekäläinen, 2002).
    """
    hits = [unit in wanted for unit in order]
    found = {k: sum(hits[:k]) for k in CUTOFFS}
    values: dict[str, float | None] = {}
    for k in CUTOFFS:
        values[f"R@{k}"] = found[k] / len(wanted)
        values[f"recall_any@{k}"] = float(found[k] > 0)
        values[f"recall_all@{k}"] = float(found[k] == len(wanted))
    values |= {f"hit@{k}": values[f"recall_any@{k}"] for k in (1, 5, 10)}
    values["capped_R@10"] = found[DEPTH] / min(len(wanted), DEPTH)
    values["MRR"] = next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
    gain = sum(_discount(rank) for rank, hit in enumerate(hits[:DEPTH], 1) if hit)
    values["NDCG@10"] = gain / sum(_discount(rank) for rank in range(1, min(len(wanted), DEPTH) + 1))
    return values


def of_pool(candidates: Sequence[str], wanted: Collection[str]) -> dict[str, float | None]:
    """The metrics of every candidate in order, before anything was taken out.

    ``candidate_recall`` is the share of the wanted units that some arm handed on at all, ``ungated_R@10`` the share
    among the first ten of them: beside ``R@10`` it says what gate and collapse cost.
    """
    return {
        "candidate_recall": sum(unit in wanted for unit in candidates) / len(wanted),
        "ungated_R@10": sum(unit in wanted for unit in candidates[:DEPTH]) / len(wanted),
    }


def of_block(shown: Shown, wanted: Collection[str]) -> dict[str, float | None]:
    """The metrics of what was placed in the context.

    ``precision`` is the share of items that are wanted, ``noise`` the rest of them; an empty block has neither.
    ``block_recall`` is the share of the wanted units that are there.
    """
    count, right = len(shown.units), sum(unit in wanted for unit in shown.units)
    return {
        "block_recall": len(set(shown.units) & set(wanted)) / len(wanted),
        "precision": right / count if count else None,
        "noise": 1 - right / count if count else None,
        "items": float(count),
        "tokens": float(shown.tokens),
        "empty": float(not count),
    }


def micro(rows: Sequence[Values]) -> dict[str, float]:
    """The mean over queries, metric by metric, over the queries that have a value."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: value for name in names if (value := _mean(row.get(name) for row in rows)) is not None}


def macro(groups: Iterable[Sequence[Values]]) -> dict[str, float]:
    """The mean over categories of the means over their queries, metric by metric."""
    return micro([micro(group) for group in groups])


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of them does not exceed (nearest rank); 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def auc(above: Sequence[float], below: Sequence[float]) -> float:
    """The chance that a number of the first kind exceeds one of the second, a tie counting one half; 0.5 of none.

    The area under the ROC curve as the statistic of Mann and Whitney (1947), by mean ranks.
    """
    if not above or not below:
        return 0.5
    ranks = _mean_ranks([*above, *below])
    wins = sum(ranks[: len(above)]) - len(above) * (len(above) + 1) / 2
    return wins / (len(above) * len(below))


def _mean_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each from 1 ascending; equals share the mean of theirs."""
    places: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(rank)
    return [fmean(places[value]) for value in values]


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of the numbers among them."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _discount(rank: int) -> float:
    """What a hit at a rank gains."""
    return 1 / math.log2(rank + 1)
