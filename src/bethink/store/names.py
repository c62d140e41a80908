"""Names by trigram: which entries bear a name, and which names resemble a wanted one.

An exact name is no resemblance: the lexical, structured and entity arms find those. The work is bounded whatever the
query and the store hold.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from bethink.store.card import IndexCard
from bethink.store.database import Connection
from bethink.text.trigrams import normalise_name, similarity, trigrams

THRESHOLD = 0.5
"""The least similarity of a fuzzy hit. A wrong letter in a name of five or more passes, unrelated names do not."""

MAX_WANTED = 16
"""Names of a query looked up."""

MAX_SIMILAR = 50
"""Stored names compared with one wanted name."""

MAX_STORED = 120
"""Characters of a name that is indexed; a longer one is a sentence."""

_SHORTEST = 3


def name_forms(card: IndexCard) -> tuple[str, ...]:
    """The distinct normal forms of a card's names that the fuzzy arm covers."""
    forms = (normalise_name(name) for name in card.names)
    return tuple(dict.fromkeys(form for form in forms if _SHORTEST <= len(form) <= MAX_STORED))


def add_names(connection: Connection, tenant: str, card: IndexCard, noted: set[tuple[str, str]] | None = None) -> None:
    """Note the entry as a bearer of its names; a name new to the scope gets its trigrams.

    `noted` holds the names (scope, name) known to be borne in this transaction, and gets this entry's.
    """
    noted = set() if noted is None else noted
    for name in name_forms(card):
        where = {"tenant": tenant, "scope": card.scope, "name": name}
        known = (card.scope, name) in noted or connection.row("has_name", **where) is not None
        noted.add((card.scope, name))
        connection.post("insert_name_entry", key=card.key, **where)
        if not known:
            connection.run_many("insert_name_gram", ({"gram": gram, **where} for gram in sorted(trigrams(name))))


def remove_names(connection: Connection, tenant: str, scope: str, keys: Sequence[int]) -> None:
    """Forget the entries as bearers, and the names nobody bears any more."""
    where: dict[str, Any] = {"tenant": tenant, "scope": scope}
    listed = json.dumps(list(keys))
    names = [name for (name,) in connection.rows("read_borne_names", keys=listed, **where)]
    connection.post("delete_name_entries", keys=listed, **where)
    for name in names:
        if connection.row("has_name", name=name, **where) is None:
            connection.post("delete_name_grams", name=name, grams=json.dumps(sorted(trigrams(name))), **where)


def similar_names(
    connection: Connection, tenant: str, scopes: Sequence[str], wanted: Iterable[str]
) -> list[tuple[float, str, str]]:
    """Stored names that resemble a wanted one: (similarity, scope, name), the most alike first.

    A stored name is listed once with its best similarity, and not at all when it is wanted exactly.
    """
    forms = [form for form in map(normalise_name, wanted) if _SHORTEST <= len(form) <= MAX_STORED]
    forms = list(dict.fromkeys(forms))[:MAX_WANTED]
    best: dict[tuple[str, str], float] = {}
    about = {"tenant": tenant, "scopes": json.dumps(list(scopes)), "limit": MAX_SIMILAR}
    wanted_grams = [sorted(trigrams(form)) for form in forms]
    asked = [{"grams": json.dumps(grams), "least": least_shared(len(grams)), **about} for grams in wanted_grams]
    for form, rows in zip(forms, connection.ask("find_similar_names", asked), strict=True):
        for scope, name, _ in rows:
            alike = similarity(form, name)
            if alike >= THRESHOLD and name not in forms:
                best[scope, name] = max(alike, best.get((scope, name), 0.0))
    return sorted(((alike, *place) for place, alike in best.items()), key=lambda found: (-found[0], found[1:]))


def least_shared(grams: int) -> int:
    """How many trigrams a name must share to reach `THRESHOLD`, whatever its own length.

    From 2s / (a + b) >= t with b >= s follows s >= t*a / (2 - t).
    """
    return max(math.ceil(THRESHOLD * grams / (2 - THRESHOLD) - 1e-9), 1)
