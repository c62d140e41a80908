"""Citations: which items of a block were named, by an id or in an answer that was written with it.

An item is used when it is cited, or when the answer says its statement word for word. Anything less would guess at
influence, which nobody can see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bethink.domain.record import fold
from bethink.domain.trace import TracedBelief
from bethink.text.door import check_text

ANSWER_LIMIT = 200_000
"""Characters of an answer that are looked through."""

MIN_WORDS, MIN_LETTERS = 3, 15
"""The least that a statement has to be for its words in an answer to be more than chance."""

_SHORT = re.compile(r"\bm:[0-9a-f]{8,64}\b")


@dataclass(frozen=True, slots=True)
class Cited:
    """Ids of the items that were used, in the order of the block, and what named none of them, or several."""

    ids: tuple[str, ...]
    unknown: tuple[str, ...] = ()


def cited(items: Sequence[TracedBelief], blocked: Iterable[str], given: Sequence[str], answer: str) -> Cited:
    """Which of a block's items were used.

    Args:
        items: the block's, in its order.
        blocked: ids of those that were not shown, which nobody can have quoted.
        given: ids and short ids, as the caller says.
        answer: what was written; an id there that is none of these may be of another block and is passed over.

    Raises:
        InvalidInput: the answer is no text, or too long.
    """
    named = {name: _named(items, name) for name in given}
    unknown = tuple(name for name, found in named.items() if len(found) != 1)
    used = {found[0] for found in named.values() if len(found) == 1}
    if answer.strip():
        said = check_text(answer, "answer", ANSWER_LIMIT)
        mentioned = (_named(items, short) for short in set(_SHORT.findall(said)))
        used |= {found[0] for found in mentioned if len(found) == 1}
        used |= _quoted(items, frozenset(blocked), fold(said))
    return Cited(tuple(item.id for item in items if item.id in used), unknown)


def _named(items: Sequence[TracedBelief], name: str) -> list[str]:
    """The items with that id, or whose short id it is or shortens."""
    bare = name.strip("[] ")
    exact = [item.id for item in items if bare in {item.id, item.short_id}]
    if exact or _SHORT.fullmatch(bare) is None:
        return exact
    return [item.id for item in items if item.short_id.startswith(bare)]


def _quoted(items: Sequence[TracedBelief], blocked: frozenset[str], said: str) -> set[str]:
    """The items whose whole statement stands in a folded answer."""
    found = set()
    for item in items:
        statement = fold(item.statement).rstrip(".!")
        telling = len(statement) >= MIN_LETTERS and len(statement.split()) >= MIN_WORDS
        if telling and item.id not in blocked and statement in said:
            found.add(item.id)
    return found
