"""Profiles of entities beside an answer: what is known of those its items speak of, screened like any item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bethink.domain.hit import Body, Candidate, Fused, Scored
from bethink.operations.recall import EntityProfile
from bethink.ports.store import Snapshot
from bethink.recall.budget import Placed
from bethink.recall.filter import rank_context
from bethink.recall.reader import Asked
from bethink.recall.safety import Show, label

MOST = 5
"""Profiles beside one answer."""


@dataclass(frozen=True, slots=True)
class Profiled:
    """The profiles that may stand beside an answer, each with the records it speaks for; their texts by key."""

    found: tuple[tuple[Candidate, frozenset[str]], ...] = ()
    bodies: Mapping[int, Body] = field(default_factory=dict)


def profiled(kept: Sequence[Scored], asked: Asked, snapshot: Snapshot) -> Profiled:
    """The profiles of entities that the survivors are linked to, inside the fence; none where the profile asks none.

    The kinds and types of the question do not narrow them. Beside a question with a window stands none: a profile
    speaks of all the time that its entity was known.
    """
    if not asked.profile.entities or not kept or rank_context(asked).windowed:
        return Profiled()
    fence = replace(asked.fence, kinds=None, types=None)
    ids = [item.candidate.id for item in kept]
    rows = snapshot.records.profiles(fence, ids)
    if not rows:
        return Profiled()
    keys = sorted({key for _, key in rows})
    candidates = snapshot.records.candidates(fence, keys)
    about = {key: frozenset(id_ for id_, of in rows if of == key) for key in keys}
    bodies = snapshot.records.bodies(fence, keys)
    return Profiled(tuple((found, about[found.key]) for found in candidates), bodies)


def beside(profiles: Profiled, placed: Sequence[Placed], show: Show) -> tuple[EntityProfile, ...]:
    """The profiles of entities of the items that came into the block, in the items' order; none of them is an item."""
    order = {one.shown.item.candidate.id: at for at, one in enumerate(placed)}
    told: list[tuple[int, str, EntityProfile]] = []
    for candidate, speaks_for in profiles.found:
        places = [order[id_] for id_ in speaks_for if id_ in order]
        shown = None if candidate.id in order or not places else show(Scored(Fused(candidate, 0.0), 0.0, {}))
        if shown is None:
            continue
        short = label([shown.item])[candidate.id]
        subject = None if shown.blocked else shown.body.subject
        profile = EntityProfile(candidate.id, short, subject, shown.statement, blocked=bool(shown.blocked))
        told.append((min(places), candidate.id, profile))
    return tuple(profile for _, _, profile in sorted(told, key=lambda item: item[:2])[:MOST])
