"""What is derived from passages of documents: their words, and their vectors by window."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.errors import InvalidInput
from bethink.ports.documents import Cited
from bethink.store.card import IndexCard
from bethink.store.database import Connection, Row
from bethink.store.postings import terms_of
from bethink.text.template import Phrase, passage_phrase, place_of


def put_passage_vectors(
    on: Connection, place: tuple[str, str], cited: Cited, rows: NDArray[np.float32], dims: int
) -> None:
    """Store the vectors of one passage's windows in a (tenant, space), unless it is gone.

    Raises:
        InvalidInput: a vector of another length, or holding NaN or infinity.
    """
    if rows.shape[1:] != (dims,) or not np.isfinite(rows).all():
        raise InvalidInput(f"The vectors of passage {cited.id} are not {dims} finite numbers each.")
    tenant, space = place
    about = {"tenant": tenant, "space": space, "id": cited.document, "ordinal": cited.ordinal}
    blobs = [np.ascontiguousarray(row, dtype="<f4").tobytes() for row in rows]
    on.run_many("put_passage_vector", [{**about, "part": part, "vector": blob} for part, blob in enumerate(blobs, 1)])


def unembedded(on: Connection, tenant: str, space: str, limit: int) -> list[tuple[Cited, Phrase]]:
    """A tenant's passages without a vector in a space, and what to embed of each."""
    rows = on.rows("unembedded_passages", tenant=tenant, space=space, limit=limit)
    return [
        (Cited(document, ordinal), passage_phrase(title or "", tuple(json.loads(headings)), content))
        for document, ordinal, title, headings, content in rows
    ]


def rebuild_passage_words(on: Connection, tenant: str, language: str) -> int:
    """Derive the words of a tenant's passages anew; how many rows."""
    on.run("drop_tenant_passage_words", tenant=tenant)
    count = 0
    rows = on.rows("every_passage", tenant=tenant)
    for _, group in groupby(rows, key=lambda row: row[0]):
        words = list(words_of_passages(tenant, group, language))
        on.run_many("put_passage_word", words)
        count += len(words)
    return count


def words_of_passages(tenant: str, rows: Iterable[Row], language: str) -> Iterator[dict[str, Any]]:
    """The rows of the words of passages, given as `every_passage` and `passages_said` read them."""
    for document, ordinal, title, headings, content in rows:
        said = tuple(json.loads(headings)), content
        yield from passage_words(tenant, Cited(document, ordinal), title, said, language)


def passage_words(
    tenant: str, cited: Cited, title: str, said: tuple[tuple[str, ...], str], language: str
) -> Iterator[dict[str, Any]]:
    """The rows of a passage's words, in the order of the table: what it says, and where it stands as its subject.

    Args:
        tenant: whose.
        cited: the passage.
        title: that of its document.
        said: its headings and its text.
        language: the analyser's.
    """
    headings, text = said
    card = IndexCard(0, "", text, subject=place_of(title, headings))
    for term, counts in sorted(terms_of(card, language).items()):
        yield {"tenant": tenant, "term": term, "id": cited.document, "ordinal": cited.ordinal, "packed": counts}
