"""Documents of a tenant: passages, their words and vectors, in tables that no recall reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Entry, Fence
from bethink.domain.query import FieldWeights
from bethink.domain.record import Status, StatusSpan
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.time import from_micros, to_micros
from bethink.domain.types import Kind
from bethink.errors import EmbeddingMismatch
from bethink.operations.documents import Document
from bethink.ports.documents import Cited, Heard, KnownDocument, NewDocument, StoredPassage
from bethink.store import bm25f
from bethink.store.analyser import add_words, outdated
from bethink.store.codec import canonical
from bethink.store.context import Reading, Writing
from bethink.store.database import Connection, Row
from bethink.store.lost import SPOKEN
from bethink.store.passages import passage_words, put_passage_vectors, words_of_passages
from bethink.store.predicate import array
from bethink.store.vectors import cosines
from bethink.text.analyse import analyser_id
from bethink.text.language import language_named

_REMOVED = {
    "documents": "drop_documents",
    "passages": "drop_passages",
    "passage words": "drop_passage_words",
    "passage vectors": "drop_passage_vectors",
    "waiting": "drop_passage_pending",
}


class Documents:
    """The `DocumentWrites` port; `language` is the analyser's."""

    def __init__(self, context: Reading | Writing, language: str) -> None:
        self._on = context.connection
        self._tenant = context.tenant
        self._language = language

    def documents(self, fence: Fence) -> tuple[Document, ...]:
        """The documents the fence admits, by source."""
        scopes = array(scope.key for scope in fence.scopes)
        rows = self._on.rows("list_documents", tenant=self._tenant, scopes=scopes)
        return tuple(_document(row) for row in rows if fence.admits(_entry(row)))

    def lexical(self, ids: Sequence[str], terms: Sequence[str], identifiers: frozenset[str]) -> Heard:
        """Every passage of these documents that holds one of the terms, scored."""
        asked = [{"tenant": self._tenant, "ids": array(ids), "term": term} for term in terms]
        lists = self._on.ask("passages_holding", asked)
        places = {Cited(*row[:2]): 0 for rows in lists for row in rows}
        held = tuple(sorted(places))
        places = {cited: at for at, cited in enumerate(held)}
        found = [
            bm25f.TermList(
                np.array([places[Cited(*row[:2])] for row in rows], dtype=np.int64),
                np.array([row[2] for row in rows], dtype=np.int64),
                distinctive=term in identifiers,
            )
            for term, rows in zip(terms, lists, strict=True)
        ]
        alone = np.full(len(held), -1, dtype=np.int32)
        room = bm25f.Room(np.ones(len(held), dtype=np.bool_), alone, alone, whole=True)
        scores = bm25f.score(found, room, FieldWeights())
        return Heard(
            tuple(held[row] for row in scores.rows.tolist()),
            scores.points / bm25f.POINTS,
            scores.matched,
            scores.distinctive,
        )

    def dense(
        self, ids: Sequence[str], space: str, query: NDArray[np.float32]
    ) -> tuple[tuple[Cited, ...], NDArray[np.float64], int]:
        """The cosine of every passage of these documents, by its best window, and how many have no vector."""
        about = {"tenant": self._tenant, "space": space, "ids": array(ids)}
        rows = self._on.rows("passage_vectors", **about)
        missing = self._on.rows("count_unembedded", **about)[0][0]
        if not rows:
            return (), np.empty(0), missing
        vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype="<f4").reshape(len(rows), -1)
        cited = [Cited(*row[:2]) for row in rows]
        begins = [at for at, one in enumerate(cited) if not at or one != cited[at - 1]]
        best = np.maximum.reduceat(cosines(vectors, query), begins)
        return tuple(cited[at] for at in begins), best, missing

    def passages(self, cited: Sequence[Cited]) -> Mapping[Cited, StoredPassage]:
        """These passages, as far as they are there."""
        asked = [{"tenant": self._tenant, "id": one.document, "ordinal": one.ordinal} for one in cited]
        rows = [rows[0] for rows in self._on.ask("read_passage", asked) if rows]
        return {
            Cited(document, ordinal): StoredPassage(
                first, last, line, tuple(json.loads(headings)), content, flagged=bool(flagged)
            )
            for document, ordinal, first, last, line, flagged, headings, content in rows
        }

    def known(self, scope: Scope, channel: str | None, source: str) -> KnownDocument | None:
        """The document of an owner and channel from a source."""
        where = {"tenant": self._tenant, "scope": scope.key, "channel_key": channel or ""}
        row = self._on.row("document_from", source=source, **where)
        if row is None:
            return None
        item, digest, splitter, title, sensitivity = row
        return KnownDocument(item, digest, splitter, title, Sensitivity(sensitivity))

    def add(self, new: NewDocument) -> None:
        """Store a document with its passages and their words."""
        item = new.document
        add_words(self._on, analyser_id(self._language))
        self._on.run(
            "put_document",
            tenant=self._tenant,
            id=item.id,
            scope=new.scope.key,
            channel_key=new.channel or "",
            source=item.source,
            sensitivity=int(new.sensitivity),
            project=item.project,
            title=item.title,
            digest=new.digest,
            splitter=new.splitter,
            characters=item.characters,
            creator=new.creator,
            at=to_micros(item.added_at),
        )
        self._on.run("enqueue_document", tenant=self._tenant, id=item.id)
        self._on.run_many("put_passage", list(self._passages(new)))
        for ordinal, one in enumerate(new.passages, 1):
            cited, said = Cited(item.id, ordinal), (one.headings, one.text)
            words = passage_words(self._tenant, cited, item.title, said, self._language)
            self._on.run_many("put_passage_word", list(words))

    def put_vectors(self, space: str, document: str, vectors: Sequence[NDArray[np.float32]]) -> None:
        """Store the vectors of a document's passages, in their order, a row for each window."""
        row = self._on.row("get_space", id=space)
        if row is None:
            raise EmbeddingMismatch(f"The store has no embedding space {space[:40]!r}.")
        dims = json.loads(row[1])["dims"]
        for ordinal, rows in enumerate(vectors, 1):
            put_passage_vectors(self._on, (self._tenant, space), Cited(document, ordinal), rows, dims)
        self._on.run("release_document", tenant=self._tenant, space=space, id=document)

    def cited(self, ids: Sequence[str]) -> tuple[Cited, ...]:
        """Every passage of these documents, as far as they are there, in order."""
        rows = self._on.rows("passages_of", tenant=self._tenant, ids=array(ids))
        return tuple(Cited(*row) for row in rows)

    def lost(self, ids: Sequence[str]) -> frozenset[str]:
        """The terms of these documents that stand in nothing else of the tenant, function words left out.

        Where another analyser made the words of the index, questions are read by this one: its terms are lost too, and
        rather one too many.
        """
        about = {"tenant": self._tenant, "ids": array(ids)}
        own = {row[0] for row in self._on.rows("own_passage_terms", **about)}
        if outdated(self._on, analyser_id(self._language)):
            own |= self._terms_now(ids)
        terms = sorted(own - language_named(self._language).function_words)
        asked = [{"tenant": self._tenant, "term": term, "keys": "[]", "spoken": SPOKEN} for term in terms]
        found = self._on.ask("stands_elsewhere", asked)
        return frozenset(term for term, rows in zip(terms, found, strict=True) if not rows)

    def remove(self, ids: Sequence[str]) -> dict[str, int]:
        """Remove documents with all that was made of them; how many rows of each kind."""
        return remove_documents(self._on, self._tenant, array(ids))

    def _terms_now(self, ids: Sequence[str]) -> set[str]:
        """The terms of these documents as this analyser makes them."""
        rows = self._on.rows("passages_said", tenant=self._tenant, ids=array(ids))
        return {row["term"] for row in words_of_passages(self._tenant, rows, self._language)}

    def _passages(self, new: NewDocument) -> Iterator[dict[str, Any]]:
        """The rows of a document's passages."""
        for ordinal, one in enumerate(new.passages, 1):
            yield {
                "tenant": self._tenant,
                "id": new.document.id,
                "ordinal": ordinal,
                "first": one.start,
                "last": one.end,
                "line": one.line,
                "flagged": int(one.flagged),
                "headings": canonical(list(one.headings)),
                "content": one.text,
            }


def remove_documents(on: Connection, tenant: str, ids: str) -> dict[str, int]:
    """Remove documents, by a JSON array of ids, with all that was made of them; how many rows of each kind."""
    return {kind: on.run(query, tenant=tenant, ids=ids) for kind, query in _REMOVED.items()}


def _document(row: Row) -> Document:
    """A stored document."""
    item, scope, _, source, _, project, title, _, characters, _, added_at, count = row
    return Document(item, title, source, scope, characters, count, from_micros(added_at), project)


def _entry(row: Row) -> Entry:
    """A document as the fence judges it: a document's word that stands since it was added."""
    item, scope, channel_key, _, sensitivity, project, _, _, _, _, added_at, _ = row
    at = from_micros(added_at)
    return Entry(
        key=0,
        record=item,
        kind=Kind.SEMANTIC,
        type="resource",
        scope=Scope.parse(scope),
        recorded_at=at,
        statuses=(StatusSpan(Status.ACTIVE, at),),
        source=SourceKind.DOCUMENT,
        channel=channel_key or None,
        sensitivity=Sensitivity(sensitivity),
        project=project,
    )
