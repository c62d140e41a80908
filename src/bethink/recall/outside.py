"""Outside: what a provider of the host's nominates, as one more arm.

It is asked before the snapshot opens, for it may be far away, and it names records by id. Each of them is looked up
inside the fence, so a provider can bring up what a caller may read and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bethink.domain.hit import Arm, ArmHit
from bethink.ports.recall import RecordProvider
from bethink.ports.store import Snapshot
from bethink.recall.bounded import Bounded
from bethink.recall.reader import Asked, Nominated, Reader

SHARE = 0.5
"""The share of a recall's time that a provider may take."""


class Nominations:
    """A provider with a bound on its time."""

    def __init__(self, provider: RecordProvider) -> None:
        self._provider = provider
        self._bounded: Bounded[tuple[tuple[str, float], ...]] = Bounded("provider")

    def within(self, text: str, depth: int, seconds: float) -> Nominated:
        """What it nominates of a question, each id once under its best score; and why it does not."""
        found, problem = self._bounded.call(seconds, self._asked, text, depth)
        return Nominated(found or (), problem)

    def _asked(self, text: str, depth: int) -> tuple[tuple[str, float], ...]:
        """Its answer, checked while it is still its own affair: ids, and scores from 0 to 1."""
        best: dict[str, float] = {}
        for id_, score in list(self._provider.nominate(text, depth))[:depth]:
            best[str(id_)] = max(_share(score), best.get(str(id_), 0.0))
        return tuple(sorted(best.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class _Found:
    """A record that was nominated and may be read: its key, and its score."""

    key: int
    score: float


def with_extra(asked: Asked, reader: Reader, nominated: Nominated | None) -> Asked:
    """The request with the arms that are off unless switched on: one relation away, and outside."""
    extra: list[Arm] = ["graph"] if reader.settings.graph else []
    extra += ["external"] if nominated is not None else []
    named = tuple(arm for arm in extra if arm not in asked.profile.arms)
    return replace(asked, extra=named, nominated=nominated) if extra else asked


def nominate(text: str, reader: Reader, timeout: float) -> Nominated | None:
    """What the host's provider nominates of a question, None without a provider or a question."""
    if reader.provider is None or not text:
        return None
    return reader.provider.within(text, reader.settings.depth, SHARE * timeout)


def nominated_hits(asked: Asked, snapshot: Snapshot) -> tuple[ArmHit, ...]:
    """The nominated records and turns that the fence admits, best first."""
    scores = dict(asked.nominated.found) if asked.nominated is not None else {}
    if not scores:
        return ()
    ids = list(scores)
    found = [(item.key, scores[item.id]) for item in snapshot.records.get(asked.fence, ids)]
    found += [(item.key, scores[item.id]) for item in snapshot.turns.get(asked.fence, ids)]
    return _ranked(_Found(*item) for item in found)


def related_hits(asked: Asked, snapshot: Snapshot, depth: int) -> tuple[ArmHit, ...]:
    """What is linked to entities that a relationship joins to those the query names: one step, and no further.

    A relationship narrows nothing: it counts inside the caller's scopes, ceiling and clocks whatever kinds, types and
    window the question asks for.
    """
    if not asked.entities:
        return ()
    reach = replace(asked.fence, kinds=None, types=None, since=None, until=None)
    others = snapshot.search.related(reach, sorted({entity.id for entity in asked.entities}))
    return snapshot.search.entity(asked.fence, others, depth) if others else ()


def _ranked(found: Iterable[_Found]) -> tuple[ArmHit, ...]:
    """Score descending, then key."""
    order = sorted(set(found), key=lambda item: (-item.score, item.key))
    return tuple(ArmHit(item.key, rank, item.score) for rank, item in enumerate(order, 1))


def _share(score: float) -> float:
    """A score within 0 and 1; one that is no number is none."""
    value = float(score)
    return min(1.0, max(0.0, value)) if math.isfinite(value) else 0.0
