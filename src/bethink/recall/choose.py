"""Choose: of what was admitted, what is tried for the block, with the texts of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bethink.domain.hit import Body, Scored
from bethink.domain.trace import Cut
from bethink.ports.store import Snapshot
from bethink.recall import lasting
from bethink.recall.aside import held, helping
from bethink.recall.budget import shortlist
from bethink.recall.collapse import Collapsed, cap, current, demote, merge, spendable
from bethink.recall.gate import Gated
from bethink.recall.quota import ration, suspects, unread
from bethink.recall.reader import Asked, Reader
from bethink.recall.repeats import READ_ON, once
from bethink.recall.rest import rest


@dataclass(frozen=True, slots=True)
class Chosen:
    """The survivors in order, their texts by key, and what was cut on the way."""

    kept: tuple[Scored, ...]
    bodies: Mapping[int, Body]
    cuts: tuple[Cut, ...]


def choose(gated: Gated, asked: Asked, reader: Reader, snapshot: Snapshot) -> Chosen:
    """Collapse what was admitted, leave out what rests or is held, ration what nobody vouches for, read the others'.

    A snapshot has places of its own for what lasts and for what its goal brings.
    """
    history = asked.request.include_superseded
    spent = snapshot.records.spent(asked.fence, spendable(gated.admitted, asked))
    standing = current(gated.admitted, spent)
    merged = merge(standing.kept, asked.caller.project, history=history, instant=asked.fence.instant)
    capped = cap(merged.kept, asked.profile.per_subject)
    rested = rest(capped.kept, reader.resting)
    new = held(rested.kept, asked.request.without)
    read = snapshot.records.bodies(asked.fence, suspects(new.kept))
    rationed = ration(new.kept, read, asked, reader.language)
    placing = lasting.shortlist if asked.request.moment == "snapshot" else shortlist
    tried, beyond = placing(rationed.kept, asked)
    bodies = read | snapshot.records.bodies(asked.fence, unread(tried, read))
    single = once(tried, bodies) if beyond or len(tried) > asked.limit else Collapsed(tried, ())  # else all fits
    if single.cuts and beyond:  # their places go to what stood behind them, and of that some may ask the same again
        bodies |= snapshot.records.bodies(asked.fence, unread(rationed.kept[:READ_ON], bodies))
        single = once(rationed.kept, bodies)
        tried, beyond = placing(single.kept, asked)
        bodies |= snapshot.records.bodies(asked.fence, unread(tried, bodies))
    else:
        tried = single.kept
    helpful = helping(tried, bodies, reader.admission)
    before = (*standing.cuts, *merged.cuts, *capped.cuts, *rested.cuts, *new.cuts, *rationed.cuts)
    kept = demote(helpful.kept, bodies, asked.fence.instant)
    return Chosen(kept, bodies, (*before, *single.cuts, *beyond, *helpful.cuts))
