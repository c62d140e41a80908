"""Choose: of what was admitted, what is tried for the block, with the texts of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bethink.domain.hit import Body, Scored
from bethink.domain.trace import Cut
from bethink.ports.store import Snapshot
from bethink.recall.budget import shortlist
from bethink.recall.collapse import cap, current, demote, merge, spendable
from bethink.recall.gate import Gated
from bethink.recall.reader import Asked, Reader
from bethink.recall.rest import rest


@dataclass(frozen=True, slots=True)
class Chosen:
    """The survivors in order, their texts by key, and what was cut on the way."""

    kept: tuple[Scored, ...]
    bodies: Mapping[int, Body]
    cuts: tuple[Cut, ...]


def choose(gated: Gated, asked: Asked, reader: Reader, snapshot: Snapshot) -> Chosen:
    """Collapse what was admitted, leave out what rests, and read the texts of those that may come to be shown."""
    history = asked.request.include_superseded
    spent = snapshot.records.spent(asked.fence, spendable(gated.admitted, asked))
    standing = current(gated.admitted, spent)
    merged = merge(standing.kept, asked.caller.project, history=history)
    capped = cap(merged.kept, asked.profile.per_subject)
    rested = rest(capped.kept, reader.resting)
    tried, beyond = shortlist(rested.kept, asked)
    bodies = snapshot.records.bodies(asked.fence, [item.candidate.key for item in tried])
    cuts = (*standing.cuts, *merged.cuts, *capped.cuts, *rested.cuts, *beyond)
    return Chosen(demote(tried, bodies), bodies, cuts)
