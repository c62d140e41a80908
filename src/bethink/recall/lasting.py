"""Lasting: who gets the places of a snapshot. Two thirds are for durable records of the user, the rest for its goal.

What lasts is of a type that the snapshot looked up and was not said to be passing; it is placed by its score, which
knows no match. What the goal brings is placed by its match: other beliefs, and of the types looked up what found no
place of its own, where the goal says more for it than its type does. Neither side fills places that the other leaves
empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from bethink.domain.hit import Scored
from bethink.domain.trace import Cut
from bethink.recall.fuse import TYPE_ONLY
from bethink.recall.rank import in_order
from bethink.recall.reader import Asked

SHARE = 2 / 3
"""The share of the places that is for what lasts."""


def places(limit: int) -> tuple[int, int]:
    """How many places are for what lasts, and how many for what the goal brings."""
    lasting = ceil(limit * SHARE)
    return lasting, limit - lasting


def placed(kept: Sequence[Scored], asked: Asked) -> tuple[Scored, ...]:
    """What a snapshot tries to show, in that order: what lasts by its score, then what the goal brings by its match."""
    lasting, primed = places(asked.limit)
    types = frozenset(asked.query.types)
    durable = [item for item in in_order(kept) if _lasts(item, types)][:lasting]
    taken = {item.candidate.id for item in durable}
    brought = [item for item in kept if item.candidate.id not in taken and _brought(item, types)]
    brought.sort(key=lambda item: (-item.found.match, item.candidate.id))
    return (*durable, *brought[:primed])


def shortlist(kept: Sequence[Scored], asked: Asked) -> tuple[tuple[Scored, ...], tuple[Cut, ...]]:
    """What comes to be shown, in order, and a cut for each that found no place on its side."""
    chosen = placed(kept, asked)
    taken = {item.candidate.id for item in chosen}
    left = (item for item in kept if item.candidate.id not in taken)
    lasting, primed = places(asked.limit)
    types = frozenset(asked.query.types)
    cuts = (
        Cut("count", item.candidate.id, "no place left for what lasts", bound=float(lasting))
        if _lasts(item, types)
        else Cut("count", item.candidate.id, "no place left for what the goal brings", bound=float(primed))
        for item in left
    )
    return in_order(chosen), tuple(cuts)


def _lasts(item: Scored, types: frozenset[str]) -> bool:
    """Whether an item is of a type that lasts, and was not said to be passing."""
    return item.candidate.type in types and "temporary" not in item.candidate.flags


def _brought(item: Scored, types: frozenset[str]) -> bool:
    """Whether the goal speaks for an item, and not its type alone."""
    return item.candidate.type not in types or item.found.match > TYPE_ONLY
