"""Lost: the words that an erase takes out of a tenant altogether, which its questions may not keep either."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bethink.domain.source import SourceKind
from bethink.ports.traces import Lost
from bethink.store.database import Connection, Row
from bethink.store.postings import BEARING
from bethink.store.predicate import array
from bethink.text.analyse import analyse
from bethink.text.language import language_named

SPOKEN = ((1 << 10) - 1) | BEARING
"""The bits of a posting that say its term stands in the text or a name, and not in the day alone."""

LOOKED_AT = 1_000
"""Latest other versions in whose unsearched fields a word of such a field is looked for."""

_OWN_REFS = frozenset({*SourceKind, "turn", "user", "agent", "entity", "merged", "promoted", "session"})
"""What stands before the colon of references that name nothing but ids; some are made where nobody gave one."""

_TAIL, _HEAD = 2, 3
"""A text is analysed where it holds a term without its last characters, but its first ones at least; a form of the word
that begins otherwise is passed over."""


def lost_with(connection: Connection, tenant: str, ids: Sequence[str], language: str) -> Lost:
    """What is lost with these records and turns, as the transaction sees the tenant; `before` is left to the caller.

    A term stands elsewhere when it has a posting of another entry, in any scope and of any standing. One of a field
    that has no postings also does when the same fields of one of the `LOOKED_AT` latest other versions hold it.
    """
    keys = array(row[1] for row in connection.rows("erasable", tenant=tenant, ids=array(ids)))
    rows = connection.rows("read_erasable_words", tenant=tenant, keys=keys)
    function_words = language_named(language).function_words
    said = _terms((*_names(connection, tenant, ids), *(text for row in rows for text in _said(row))), language)
    fields = connection.rows("read_erasable_fields", tenant=tenant, keys=keys)
    beside = _terms((text for row in fields for text in _beside(row)), language) - said
    gone = {
        term
        for term in (said | beside) - function_words
        if connection.row("stands_elsewhere", tenant=tenant, term=term, keys=keys, spoken=SPOKEN) is None
    }
    if unsearched := gone & beside:
        others = connection.rows("read_latest_fields", tenant=tenant, keys=keys, limit=LOOKED_AT)
        gone -= _standing(unsearched, others, language)
    return Lost(
        terms=frozenset(gone),
        texts=tuple(dict.fromkeys(row[1] for row in rows)),
        language=language,
        before=0,
    )


def _said(row: Row) -> Iterator[str]:
    """Every text of a version or turn that the index knows, but for its day and the names of its entities."""
    _, content, subject, tags, speaker = row
    yield from (content, subject, speaker, *json.loads(tags))


def _names(connection: Connection, tenant: str, ids: Sequence[str]) -> set[str]:
    """The names of what they speak of, and of all that is one with it: some go with the last record that does."""
    linked = array(row[0] for row in connection.rows("linked_entities", tenant=tenant, ids=array(ids)))
    return {alias for *_, alias in connection.rows("aliases_of", tenant=tenant, ids=linked)}


def _beside(row: Row) -> Iterator[str]:
    """Every text of a version that the index does not know: attribute, path, reference, quote, keys and metadata."""
    attribute, path, ref, evidence, metadata = row
    quoted = _read(evidence or "[]")
    yield from (attribute or "", path or "")
    yield from _texts(quoted[:1] if isinstance(quoted, list) else quoted)
    scheme, colon, rest = ref.partition(":")
    if scheme not in _OWN_REFS:
        yield rest if colon else ref
    yield from _texts(_read(metadata))


def _read(text: str) -> Any:
    """A JSON value, or the text as it stands where it is damaged: that is no reason to keep it."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _texts(value: Any) -> Iterator[str]:
    """The texts and numbers of a JSON value, the keys of its objects among them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _standing(terms: set[str], rows: Iterable[Row], language: str) -> set[str]:
    """Those of the terms that stand in the unsearched fields of these versions."""
    left, seen = {term: term[: max(_HEAD, len(term) - _TAIL)] for term in terms}, set()
    for text in (text for row in rows for text in _beside(row)):
        folded = text.casefold()
        if text not in seen and any(head in folded for head in left.values()):
            seen.add(text)
            for term in analyse(text, language):
                left.pop(term, None)
    return terms - left.keys()


def _terms(texts: Iterable[str], language: str) -> set[str]:
    """Their terms."""
    return {term for text in texts for term in analyse(text, language)}
