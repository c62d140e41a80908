"""Aliases: whoever the query names is in play under every name of theirs.

A subject to look up is looked up under all names of its entity, and a name in the text stands for the others too: for
the speaker and subject a question names, and for the local records of another project that only their subject's name
lets in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bethink.domain.query import Query
from bethink.errors import DeadlineExceeded
from bethink.ports.search import NamedEntity
from bethink.ports.store import Snapshot
from bethink.recall.forming.inside import names_inside
from bethink.recall.reader import Asked

MAX_ALIASES = 64
"""Names added to what a query names; past them the rest are left to the entity arm, which goes by the entity."""


def in_play(asked: Asked, snapshot: Snapshot) -> Asked:
    """The request with the entities that it names, and their other names in query and fence.

    Where that is late, the entity arm asks again and says so.
    """
    query = asked.query
    if not query.names:
        return asked
    try:
        named = snapshot.search.named_entities(asked.fence, (*query.names, *names_inside(query.text)))
        others = snapshot.search.aliases(asked.fence, sorted({entity.id for entity in named})) if named else ()
    except DeadlineExceeded:
        return asked
    asked = replace(asked, entities=named)
    aliased = with_aliases(query, named, others) if others else query
    if aliased is query:
        return asked
    subjects = frozenset((*aliased.subjects, *aliased.names))
    return replace(asked, query=aliased, fence=replace(asked.fence, named_subjects=subjects))


def with_aliases(query: Query, named: Sequence[NamedEntity], others: Iterable[NamedEntity]) -> Query:
    """The query with the other names of what it names behind its own, the same query where there are none.

    Args:
        query: the formed query.
        named: the entities it names, under the names it uses.
        others: those entities under every name of theirs.
    """
    known = list(others)
    meant = {entity.id for entity in named if entity.alias in query.subjects}
    subjects = dict.fromkeys((*query.subjects, *(entity.alias for entity in known if entity.id in meant)))
    names = dict.fromkeys((*query.names, *(entity.alias for entity in known)))
    if len(subjects) == len(query.subjects) and len(names) == len(query.names):
        return query
    found = tuple(names)[: len(query.names) + MAX_ALIASES]
    return replace(
        query,
        subjects=tuple(subjects)[: len(query.subjects) + MAX_ALIASES],
        names=found,
        aliases=found[len(query.names) :],
    )
