"""Rest: what was put into a prompt unasked a few turns ago is not put there again yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bethink.domain.hit import Scored
from bethink.domain.trace import Cut
from bethink.recall.collapse import Collapsed

REST_TURNS = 5
"""Turns from one showing of a memory in a session to the next: shown at turn 1, it rests at 2 to 5."""

RESTING = "shown a few turns ago"
"""Why a resting item was left out."""


def rest(kept: Sequence[Scored], resting: Mapping[str, int]) -> Collapsed:
    """Leave out what rests; `resting` says by id how many turns ago it was shown."""
    if not resting:
        return Collapsed(tuple(kept), ())
    awake = tuple(item for item in kept if item.candidate.id not in resting)
    asleep = (item.candidate.id for item in kept if item.candidate.id in resting)
    cuts = (Cut("rest", id_, RESTING, float(resting[id_]), float(REST_TURNS)) for id_ in asleep)
    return Collapsed(awake, tuple(cuts))
