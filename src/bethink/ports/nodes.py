"""Text nodes: the parts of an entry's words that a model reads one by one, each with a vector of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class TextNodes:
    """The nodes of one entry in a space, in the order of its words; none of one that fits the model's window.

    `ranges` are half-open, in characters of the entry's own words, follow one another and cover them exactly.
    `vectors` has a row for each, float32 of length 1.
    """

    ranges: tuple[tuple[int, int], ...]
    vectors: NDArray[np.float32]


class NodeReads(Protocol):
    """Reading the nodes of a tenant."""

    def of(self, space: str, keys: Sequence[int]) -> Mapping[int, TextNodes]:
        """The nodes of these entries in a space, by key; entries without any are left out."""
        ...
