"""What recall asks of a store: six arms, one snapshot. Every method takes the fence; none answers outside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.hit import ArmHit
from bethink.domain.query import FieldWeights, Query, TimeSpan

_BINS = 1_024
_TINY = 1e-30


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Every match of a scoring arm inside the fence, by key ascending.

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

    def best(self, depth: int) -> NDArray[np.int64]:
        """The places of the `depth` best matches, best first, ties by key ascending. Only those few are sorted."""
        places = leading(self.scores, self.keys, depth)
        return places[np.lexsort((places, -self.scores[places]))]

    def places_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where each key stands, -1 for one that is no match."""
        if not len(self.keys):
            return np.full(len(keys), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places, -1)


def leading(scores: NDArray[np.floating[Any]], keys: NDArray[np.int64], wanted: int) -> NDArray[np.int64]:
    """The places of the `wanted` highest of finite scores, ties to the lower key, in no order.

    A histogram shuts out most scores and only the rest is sorted: of 9,000 scores in a tenth of the time that
    selecting by partition takes.
    """
    if len(scores) <= wanted:
        return np.arange(len(scores))
    low, high = float(scores.min()), float(scores.max())
    bins = ((scores - low) * ((_BINS - 1) / max(high - low, _TINY))).astype(np.int64)
    at_least = np.bincount(bins, minlength=_BINS)[::-1].cumsum()
    least = _BINS - 1 - int(np.searchsorted(at_least, wanted))
    places = np.flatnonzero(bins >= least)
    return places[np.lexsort((keys[places], -scores[places]))[:wanted]]


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity one of whose aliases a query holds exactly: its id, the alias found and its scope's key."""

    id: str
    alias: str
    scope: str


class Around(NamedTuple):
    """Per key the keys of the turns said right before and right after it in its session, -1 without one.

    `replies` says which of the keys answer a question of somebody else right before them, `instructs` which of them
    give a standing instruction of the user's.
    """

    before: NDArray[np.int64]
    after: NDArray[np.int64]
    replies: NDArray[np.bool_]
    instructs: NDArray[np.bool_]


class Search(Protocol):
    """The arms, each over one snapshot. Keys are index keys; hits are ordered by score descending, key ascending.

    `outdated` says why the index's words do not answer to the query's terms; empty when they do.
    """

    @property
    def outdated(self) -> str: ...  # noqa: D102 - the class docstring says it

    def structured(self, fence: Fence, query: Query, depth: int) -> tuple[ArmHit, ...]:
        """Lookup by subject, type and scope, no scoring: raw 1.0 for a named subject, 0.25 for a type, 0.15 swept.

        Where the query asks for what the user owns, a statement of that has raw 0.5 and a place within the depth before
        all others; of too many the latest. So it is of a type's, and of all that a sweep finds.
        """
        ...

    def during(self, fence: Fence, spans: Sequence[TimeSpan]) -> NDArray[np.int64]:
        """The keys of all whose own time lies in one of the half-open windows, in the order of time, then key."""
        ...

    def sessions(self, fence: Fence, besides: str | None = None) -> tuple[TimeSpan, ...]:
        """When the first and the last turn of each session were said, in the order the sessions began.

        Args:
            fence: what may be read; a session of which nothing may be is none.
            besides: the id of a session to leave out.
        """
        ...

    def lexical(self, fence: Fence, query: Query, weights: FieldWeights) -> Matches:
        """BM25F over every match of any term; statistics come from those matches alone, per scope, then normalised."""
        ...

    def fuzzy(self, fence: Fence, query: Query, depth: int) -> tuple[ArmHit, ...]:
        """Entries whose subject, entity alias or speaker resembles a name in the query; raw is the similarity."""
        ...

    def dense(self, fence: Fence, space: str, vector: NDArray[np.float32], depth: int) -> Matches:
        """Cosines to the query vector: of at least `depth` entries, or of all.

        Those of the best ten are exact: of float32 rows, summed in float64 and rounded to 1e-6. The others are within
        0.003 where vectors are kept in a smaller form, as in a space of 384 dimensions and more.
        """
        ...

    def entity(self, fence: Fence, named: Sequence[NamedEntity], depth: int) -> tuple[ArmHit, ...]:
        """Entries linked to the named entities, most recent first; raw 1.0."""
        ...

    def named_entities(self, fence: Fence, names: Sequence[str]) -> tuple[NamedEntity, ...]:
        """Entities in readable scopes with an alias exactly among the folded `names`."""
        ...

    def aliases(self, fence: Fence, entities: Sequence[str]) -> tuple[NamedEntity, ...]:
        """Every name of these entities in readable scopes, by id and alias."""
        ...

    def related(self, fence: Fence, entities: Sequence[str]) -> tuple[NamedEntity, ...]:
        """The other entities of the relationships that name one of these, by id: of those inside the fence, at most 16.

        Each comes once, under its own id for an alias.
        """
        ...

    def beside(self, fence: Fence, keys: NDArray[np.int64]) -> Around:
        """What stands around each of the keys; a turn that the fence does not admit stands beside nobody."""
        ...

    def covered(self, fence: Fence, query: Query, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Per key of an entry inside the fence how much of the query is said in its session, by whichever turns.

        It is the weight of those terms as a share of what the session that says most has: 1 there, for what was said in
        no session, and where no session says any.
        """
        ...

    def bearings(self, fence: Fence, keys: NDArray[np.int64]) -> tuple[list[str], list[str | None]]:
        """Per key its folded subject, of a turn its speaker, and the session a turn was said in.

        A subject is empty, a session None, where there is none or the key is not inside the fence.
        """
        ...

    def cosines(
        self, fence: Fence, space: str, vector: NDArray[np.float32], keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Those of the ascending `keys` that have a vector inside the fence, and their cosines, near as `dense` says.

        They are for what other arms found, and for the turns beside a turn: the best of all are those of `dense`.
        """
        ...
