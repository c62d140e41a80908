"""What the core asks of the documents of a store. What a search reads was admitted by a `Fence` before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.scope import Scope, Sensitivity
from bethink.operations.documents import Document
from bethink.text.template import Phrase


class Cited(NamedTuple):
    """A passage by its document and its number there, from 1."""

    document: str
    ordinal: int

    @property
    def id(self) -> str:
        """The id it is cited by."""
        return f"{self.document}#{self.ordinal}"


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage as it is kept: its words, where they stand, and whether they read like orders."""

    start: int
    end: int
    line: int
    headings: tuple[str, ...]
    text: str
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to be stored with its passages. `digest` is the hash of its whole text, `splitter` what parted it."""

    document: Document
    scope: Scope
    channel: str | None
    sensitivity: Sensitivity
    digest: str
    splitter: str
    creator: str
    passages: tuple[StoredPassage, ...]


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What is known from a source before it is added again."""

    id: str
    digest: str
    splitter: str
    title: str
    sensitivity: Sensitivity


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """Passages by their words: BM25F in 0..1 over all that match, how many terms each holds, and distinctive ones."""

    passages: tuple[Cited, ...]
    scores: NDArray[np.float64]
    matched: NDArray[np.int64]
    distinctive: NDArray[np.bool_]


class DocumentReads(Protocol):
    """Reading documents of a tenant."""

    def documents(self, fence: Fence) -> tuple[Document, ...]:
        """The documents the fence admits, by source."""
        ...

    def known(self, scope: Scope, channel: str | None, source: str) -> KnownDocument | None:
        """The document of an owner and channel from a source."""
        ...

    def lexical(self, ids: Sequence[str], terms: Sequence[str], identifiers: frozenset[str]) -> Heard:
        """Every passage of these documents that holds one of the terms, scored."""
        ...

    def dense(
        self, ids: Sequence[str], space: str, query: NDArray[np.float32]
    ) -> tuple[tuple[Cited, ...], NDArray[np.float64], int]:
        """The cosine of every passage of these documents, by its best window, and how many have no vector."""
        ...

    def passages(self, cited: Sequence[Cited]) -> Mapping[Cited, StoredPassage]:
        """These passages, as far as they are there."""
        ...

    def cited(self, ids: Sequence[str]) -> tuple[Cited, ...]:
        """Every passage of these documents, as far as they are there, in order."""
        ...

    def lost(self, ids: Sequence[str]) -> frozenset[str]:
        """The terms of these documents that stand in nothing else of the tenant, function words left out."""
        ...


class DocumentWrites(DocumentReads, Protocol):
    """Writing them."""

    def add(self, new: NewDocument) -> None:
        """Store a document with its passages and their words."""
        ...

    def put_vectors(self, space: str, document: str, vectors: Sequence[NDArray[np.float32]]) -> None:
        """Store the vectors of a document's passages, in their order, a row for each window."""
        ...

    def remove(self, ids: Sequence[str]) -> dict[str, int]:
        """Remove documents with all that was made of them; how many rows of each kind."""
        ...


Unembedded = tuple[str, Cited, Phrase]
"""A tenant's passage without a vector, and what to embed of it."""
