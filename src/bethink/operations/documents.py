"""Documents: verbatim passages with a read and a budget of their own. They are not beliefs, and no recall reads them.

`memory.documents` adds, lists, searches and forgets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bethink.domain.scope import Sensitivity, Target
from bethink.domain.trace import Cut, TraceState
from bethink.operations.common import Notice
from bethink.operations.files import PassedOver


@dataclass(frozen=True, slots=True)
class AddDocumentRequest:
    """A document to be kept word for word, or a folder of them.

    Args:
        path: a file, or a folder of which every Markdown file is taken; empty where `text` is given.
        text: the document itself, where the host holds it.
        name: what it is known by; the path unless given. The same name again replaces it.
        title: what it is called; its first heading, or its name, unless given.
        target: which of the caller's scopes owns it.
        sensitivity: how far it may travel.
    """

    path: str = ""
    text: str | None = None
    name: str | None = None
    title: str | None = None
    target: Target = "personal"
    sensitivity: Sensitivity = Sensitivity.NORMAL


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is kept. `source` is its path or name, `scope` its owner; `characters` and `passages` count."""

    id: str
    title: str
    source: str
    scope: str
    characters: int
    passages: int
    added_at: datetime
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A document that was not kept: it holds secrets, of these kinds, or is no text that can be stored."""

    source: str
    why: str


@dataclass(frozen=True, slots=True)
class AddDocumentResult:
    """What became of what was read.

    `added` are kept now, `replaced` those of them whose earlier text is gone, `unchanged` counts the rest. `flagged`
    counts passages that read like orders: they are kept, and never shown. `embedding_pending` says that vectors follow.
    """

    added: tuple[Document, ...] = ()
    replaced: tuple[str, ...] = ()
    unchanged: int = 0
    refused: tuple[Refused, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    flagged: int = 0
    embedding_pending: bool = False
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentsResult:
    """The documents a caller may read, by source."""

    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class SearchDocumentsRequest:
    """A question to the documents.

    Args:
        text: the question, at most 8,192 characters.
        limit: at most so many passages, 20 at most; of one document at most two.
        budget_tokens: the whole block, frame included.
        document: search this one alone, by id.
    """

    text: str
    limit: int = 3
    budget_tokens: int = 3_000
    document: str | None = None


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage of the answer, as its block shows it.

    `start` and `end` are characters of the document, `line` is where it begins. `text` is safe to show; of a `blocked`
    passage it says no more than that. `parts` are those of `score`.
    """

    id: str
    short_id: str
    document: str
    title: str
    source: str
    headings: tuple[str, ...]
    start: int
    end: int
    line: int
    text: str
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class SearchDocumentsResult:
    """The block of passages, best first, and why it is empty or short.

    `considered` counts the passages that answered at all; `cuts` says which of them are not here and why; `policy`
    names the rules of the order. `degraded` names an arm that fell short. `trace` says whether it is on
    record.
    """

    passages: tuple[FoundPassage, ...]
    rendered: str
    sha256: str
    tokens: int
    policy: str
    considered: int
    cuts: tuple[Cut, ...] = ()
    empty_reason: Literal["no_documents", "no_match", "below_threshold", "budget"] | None = None
    degraded: tuple[str, ...] = ()
    trace_id: str = ""
    trace: TraceState = "off"
    trace_reason: str = ""
