"""Lost: the words that an erase takes out of a tenant altogether, which its questions may not keep either."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from bethink.ports.traces import Lost
from bethink.store.database import Connection
from bethink.store.postings import BEARING
from bethink.store.predicate import array
from bethink.text.analyse import analyse
from bethink.text.language import language_named

SPOKEN = ((1 << 10) - 1) | BEARING
"""The bits of a posting that say its term stands in the text or a name, and not in the day alone."""


def lost_with(connection: Connection, tenant: str, ids: Sequence[str], language: str) -> Lost:
    """What is lost with these records and turns, as the transaction sees the tenant; `before` is left to the caller.

    A term stands elsewhere when it has a posting of another entry, in any scope and of any standing.
    """
    keys = array(row[1] for row in connection.rows("erasable", tenant=tenant, ids=array(ids)))
    rows = connection.rows("read_erasable_words", tenant=tenant, keys=keys)
    said = {text for row in rows for text in _said(row)} | _names(connection, tenant, ids)
    terms = {term for text in said for term in analyse(text, language)} - language_named(language).function_words
    return Lost(
        terms=frozenset(
            term
            for term in terms
            if connection.row("stands_elsewhere", tenant=tenant, term=term, keys=keys, spoken=SPOKEN) is None
        ),
        texts=tuple(dict.fromkeys(row[1] for row in rows)),
        language=language,
        before=0,
    )


def _said(row: tuple[str, str, str, str, str]) -> Iterator[str]:
    """Every text of a version or turn that the index knows, but for its day and the names of its entities."""
    _, content, subject, tags, speaker = row
    yield from (content, subject, speaker, *json.loads(tags))


def _names(connection: Connection, tenant: str, ids: Sequence[str]) -> set[str]:
    """The names of what they speak of, and of all that is one with it: some go with the last record that does."""
    linked = array(row[0] for row in connection.rows("linked_entities", tenant=tenant, ids=array(ids)))
    return {alias for *_, alias in connection.rows("aliases_of", tenant=tenant, ids=linked)}
