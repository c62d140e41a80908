"""What recall asks of a store: five arms, one snapshot. Every method takes the fence; none answers outside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.hit import ArmHit
from bethink.domain.query import FieldWeights, Query


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Every match of a scoring arm inside the fence, best first, ties by key ascending.

    `keys` int64, `scores` float64 of the same length. `coverage` float64 is the share of query terms a match holds
    in its own fields (not its neighbours'), `matched` int64 how many; `said` int64 how many stand in its text or day
    and are no name of its own, or in its neighbours' text; `distinctive` bool whether one of them is an identifier, a
    subject or an alias; all four are empty for the dense arm. `total` counts matches before any nomination cut;
    `nominated` says whether scores exist for all of them (False) or for a nominated part (True).
    """

    keys: NDArray[np.int64]
    scores: NDArray[np.float64]
    coverage: NDArray[np.float64]
    matched: NDArray[np.int64]
    said: NDArray[np.int64]
    distinctive: NDArray[np.bool_]
    total: int
    nominated: bool = False


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity one of whose aliases a query holds exactly: its id, the alias found and its scope's key."""

    id: str
    alias: str
    scope: str


class Search(Protocol):
    """The arms, each over one snapshot. Keys are index keys; order is written: score descending, key ascending.

    `outdated` says why the index's words do not answer to the query's terms; empty when they do.
    """

    @property
    def outdated(self) -> str: ...  # noqa: D102 - the class docstring says it

    def structured(self, fence: Fence, query: Query, depth: int) -> tuple[ArmHit, ...]:
        """Lookup by subject, type and scope, no scoring: raw 1.0 for a named subject, 0.25 for a type alone."""
        ...

    def lexical(self, fence: Fence, query: Query, weights: FieldWeights) -> Matches:
        """BM25F over every match of any term; statistics come from those matches alone, per scope, then normalised."""
        ...

    def fuzzy(self, fence: Fence, query: Query, depth: int) -> tuple[ArmHit, ...]:
        """Entries whose subject, entity alias or speaker resembles a name in the query; raw is the similarity."""
        ...

    def dense(self, fence: Fence, space: str, vector: NDArray[np.float32], depth: int) -> Matches:
        """Cosine to the query vector, float32 summed in a fixed order and rounded to 1e-6."""
        ...

    def entity(self, fence: Fence, named: Sequence[NamedEntity], depth: int) -> tuple[ArmHit, ...]:
        """Entries linked to the named entities, most recent first; raw 1.0."""
        ...

    def named_entities(self, fence: Fence, names: Sequence[str]) -> tuple[NamedEntity, ...]:
        """Entities in readable scopes with an alias exactly among the folded `names`."""
        ...

    def cosines(self, fence: Fence, space: str, vector: NDArray[np.float32], keys: Sequence[int]) -> dict[int, float]:
        """Exact cosines of the given keys inside the fence; a key without a vector is absent."""
        ...
