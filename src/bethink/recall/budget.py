"""Fit: best first into the budget. The whole block counts, frame included, and never exceeds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil

from bethink.domain.hit import Scored
from bethink.domain.trace import Cut
from bethink.domain.types import Kind
from bethink.recall.rank import in_order
from bethink.recall.reader import Asked
from bethink.recall.render import CLOSING, Line, opening, parts
from bethink.recall.safety import Show, Shown
from bethink.text.tokens import BYTES_PER_TOKEN, cut_to_tokens, estimate_tokens

SPARE = 8
"""Items beyond the count that are fetched to take the place of those too long for what is left of the budget."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An item with its line of the block, in parts and whole; `cut` says that its statement was shortened to fit."""

    shown: Shown
    parts: Line
    line: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Fitted:
    """The items of the block, best first, and what did not fit."""

    placed: tuple[Placed, ...]
    cuts: tuple[Cut, ...]


def shortlist(kept: Sequence[Scored], asked: Asked) -> tuple[tuple[Scored, ...], tuple[Cut, ...]]:
    """What may come to be shown: the seated, and a few to fill in for what does not fit. The count cuts the rest."""
    order = seat(kept, asked)
    last = asked.limit + SPARE
    cuts = (Cut("count", item.candidate.id, "beyond the count", bound=float(asked.limit)) for item in order[last:])
    return in_order(order[:last]), tuple(cuts)


def seat(kept: Sequence[Scored], asked: Asked) -> tuple[Scored, ...]:
    """The order in which items are tried: the best within the count first, so that no kind crowds the other out.

    A kind's reserved seats go to its best; seats it cannot fill fall to the best of the rest. The other side of a
    conflict follows its partner at once.
    """
    paired = _paired(kept)
    events, profile = asked.query.events or bool(asked.escalation), asked.profile
    beliefs = profile.event_beliefs if events else profile.beliefs
    episodes = profile.event_episodes if events else profile.episodes
    kinds: tuple[list[str], list[str]] = [], []
    for id_, item in paired.items():
        kinds[item.found.candidate.kind is Kind.EPISODIC].append(id_)
    seated = set(islice(paired, asked.limit))
    for (own, others), share in ((kinds, beliefs), (kinds[::-1], episodes)):
        _reserve(own[: ceil(share * asked.limit)], others, seated)
    first = [item for id_, item in paired.items() if id_ in seated]
    return (*first, *(item for id_, item in paired.items() if id_ not in seated))


def _paired(kept: Sequence[Scored]) -> dict[str, Scored]:
    """The items in order by id, each with those it conflicts with right behind it."""
    by_id = {item.found.candidate.id: item for item in kept}
    placed: dict[str, Scored] = {}
    for item in kept:
        candidate = item.found.candidate
        placed.setdefault(candidate.id, item)
        for other in candidate.conflicts:
            if other in by_id:
                placed.setdefault(other, by_id[other])
    return placed


def _reserve(own: Sequence[str], others: Sequence[str], seated: set[str]) -> None:
    """Seat a kind's reserved items in place of the other kind's last ones; both in order, by id."""
    missing = [id_ for id_ in own if id_ not in seated]
    leaving = [id_ for id_ in others if id_ in seated]
    for wanted, out in zip(missing, reversed(leaving), strict=False):
        seated.discard(out)
        seated.add(wanted)


def fit(seated: Sequence[Scored], show: Show, short_ids: Mapping[str, str], asked: Asked, policy: str) -> Fitted:
    """Place items into the budget and the count, in the given order, then put them best first.

    What does not fit is skipped for the next that does. A best item that is too long alone is cut with a marker. An
    item without a text, which only an erasure under way can cause, is left out.
    """
    project = asked.caller.project
    left = asked.budget * BYTES_PER_TOKEN - _bytes(opening(asked.instant, policy)) - _bytes(CLOSING) - 1
    placed: list[Placed] = []
    cuts: list[Cut] = []
    for item in seated:
        if len(placed) >= asked.limit:
            cuts.append(Cut("count", item.candidate.id, "beyond the count", bound=float(asked.limit)))
            continue
        shown = show(item)
        if shown is None:
            cuts.append(Cut("safety", item.candidate.id, "its text is gone"))
            continue
        told = parts(shown, short_ids, project)
        text = told.text
        one = Placed(shown, told, text) if _bytes(text) + 1 <= left else None
        if one is None and not placed:
            one = _shortened(shown, short_ids, project, left - 1)
        if one is None:
            need, room = float(estimate_tokens(text)), float(left // BYTES_PER_TOKEN)
            cuts.append(Cut("budget", item.candidate.id, "does not fit", need, room))
            continue
        left -= _bytes(one.line) + 1
        placed.append(one)
    placed.sort(key=lambda one: (-one.shown.item.score, one.shown.item.candidate.id))
    return Fitted(tuple(placed), tuple(cuts))


def _shortened(shown: Shown, short_ids: Mapping[str, str], project: str | None, room: int) -> Placed | None:
    """The item with its statement cut so that its line takes at most `room` bytes; None when nothing of it would."""
    around = _bytes(parts(replace(shown, statement=""), short_ids, project, cut=True).text)
    statement, _ = cut_to_tokens(shown.statement, max(0, room - around) // BYTES_PER_TOKEN)
    if not statement or shown.blocked:
        return None
    shorter = replace(shown, statement=statement)
    told = parts(shorter, short_ids, project, cut=True)
    return Placed(shorter, told, told.text, cut=True)


def _bytes(text: str) -> int:
    """Bytes in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())
