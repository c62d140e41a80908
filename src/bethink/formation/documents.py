"""Add documents: read → refuse secrets → part into passages → look for orders → embed → store, one by one.

A document is kept word for word, so nothing of it is redacted: one that holds a secret is refused. A passage that reads
like orders is kept and flagged, and a search shows that it is there and not what it says.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bethink.domain.record import QUARANTINED
from bethink.domain.scope import Scope, Sensitivity, check_writable
from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput
from bethink.formation.access import writable_scope
from bethink.formation.desk import Desk
from bethink.formation.embed import embedded, waits
from bethink.formation.screening import screened
from bethink.operations.common import Notice
from bethink.operations.documents import AddDocumentRequest, AddDocumentResult, Document, Refused
from bethink.operations.files import PassedOver
from bethink.ports.documents import KnownDocument, NewDocument, StoredPassage
from bethink.ports.files import FileReader
from bethink.ports.store import UnitOfWork
from bethink.text.door import check_text
from bethink.text.passages import SPLITTER, passages, title_of
from bethink.text.secrets import redact_secrets
from bethink.text.template import Phrase, passage_phrase

CHARACTERS = 1_000_000
"""Characters of one document at most."""

NAME_LIMIT, TITLE_LIMIT = 1_000, 200


@dataclass(frozen=True, slots=True)
class _Read:
    """A document as it was read: what it is known by, its title where one is given, and its text."""

    source: str
    title: str | None
    text: str


@dataclass
class _Tally:
    """What has become of the documents so far."""

    added: list[Document] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: int = 0
    refused: list[Refused] = field(default_factory=list)
    flagged: int = 0
    pending: bool = False
    notices: list[Notice] = field(default_factory=list)


def add_documents(request: AddDocumentRequest, desk: Desk, files: FileReader | None) -> AddDocumentResult:
    """Keep a document, or every Markdown file of a folder; one that is kept already with these words stays as it is.

    Each is written whole or not at all; those before one that fails stay.

    Raises:
        InvalidInput: neither a path nor a text is given, or both; no such file; a name or title that cannot be used.
        AccessDenied: the caller may not write the target.
        StoreError, DeadlineExceeded: a write did not happen.
    """
    with desk.store.snapshot(desk.tenant) as snapshot:
        scope = writable_scope(desk.caller, request.target, snapshot.grants.of(desk.caller))
    if not isinstance(request.sensitivity, Sensitivity):
        raise InvalidInput("sensitivity is none of public, normal, restricted, secret.")
    found, passed_over = _read(request, files)
    tally = _Tally()
    for one in found:
        _add(one, request, desk, scope, tally)
    return AddDocumentResult(
        added=tuple(tally.added),
        replaced=tuple(tally.replaced),
        unchanged=tally.unchanged,
        refused=tuple(tally.refused),
        passed_over=passed_over,
        flagged=tally.flagged,
        embedding_pending=tally.pending,
        notices=tuple(dict.fromkeys(tally.notices)),
    )


def _read(request: AddDocumentRequest, files: FileReader | None) -> tuple[list[_Read], tuple[PassedOver, ...]]:
    """The text that was handed over, or what the path names."""
    if bool(request.path) == (request.text is not None):
        raise InvalidInput("A document is a path or a text, and one of both.", remedy="Pass path, or text with name.")
    title = None if request.title is None else _line(request.title, "title", TITLE_LIMIT)
    if request.text is not None:
        if request.name is None:
            raise InvalidInput("A text needs a name that it is known by.", remedy="Pass name.")
        return [_Read(_line(request.name, "name", NAME_LIMIT), title, request.text)], ()
    if files is None:
        raise InvalidInput("This memory reads no files.", remedy="Open it with files=, a FileReader, or pass text.")
    root = files.root(request.path)
    folder = files.read(root, "markdown")
    if not folder.present:
        raise InvalidInput(f"{request.path[:200]!r} cannot be read.")
    alone = len(folder.files) == 1 and root.endswith(f"/{folder.files[0].path}")
    if request.name is not None and not alone:
        raise InvalidInput("A name is for one document.", remedy="Leave name out for a folder.")
    paths = {file.path: root if alone else f"{root}/{file.path}" for file in folder.files}
    return [
        _Read(_line(request.name or paths[file.path], "name", NAME_LIMIT), title if alone else None, file.text)
        for file in folder.files
    ], folder.passed_over


def _add(one: _Read, request: AddDocumentRequest, desk: Desk, scope: Scope, tally: _Tally) -> None:
    """One document, into the tally."""
    try:
        text = check_text(one.text, "text", CHARACTERS)
    except InvalidInput as error:
        tally.refused.append(Refused(one.source, error.message))
        return
    if kinds := sorted({found.kind for found in redact_secrets(text).found}):
        tally.refused.append(Refused(one.source, f"it holds secrets: {', '.join(kinds)}"))
        return
    title = one.title or (title_of(text) or one.source.rpartition("/")[2] or one.source)[:TITLE_LIMIT]
    ready = _Ready(one.source, title, text, _parted(text), scope, request.sensitivity)
    with desk.store.snapshot(desk.tenant) as snapshot:
        known = snapshot.documents.known(scope, desk.caller.channel, one.source)
    if known is not None and ready.is_as(known):
        tally.unchanged += 1
        return
    vectors, notices = _windows(desk, [passage_phrase(title, part.headings, part.text) for part in ready.parts])
    with desk.store.write(desk.tenant) as work:
        document, replaced, kept = _written(work, desk, ready, vectors)
    tally.added.append(document)
    tally.replaced += [document.id] if replaced else []
    tally.flagged += sum(part.flagged for part in ready.parts)
    tally.pending |= not kept and waits(desk)
    tally.notices += notices


@dataclass(frozen=True, slots=True)
class _Ready:
    """A document that may be kept, in its passages."""

    source: str
    title: str
    text: str
    parts: tuple[StoredPassage, ...]
    scope: Scope
    sensitivity: Sensitivity

    @property
    def digest(self) -> str:
        """The SHA-256 of its text, to the letter."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def is_as(self, known: KnownDocument) -> bool:
        """Whether it is what is kept."""
        mine = (self.digest, SPLITTER, self.title, self.sensitivity)
        return mine == (known.digest, known.splitter, known.title, known.sensitivity)


def _parted(text: str) -> tuple[StoredPassage, ...]:
    """A text in passages, each screened."""
    parts = ((part, text[part.start : part.end]) for part in passages(text))
    return tuple(
        StoredPassage(part.start, part.end, part.line, part.headings, words, flagged=_reads_like_orders(words))
        for part, words in parts
    )


def _written(
    work: UnitOfWork, desk: Desk, ready: _Ready, vectors: list[NDArray[np.float32]] | None
) -> tuple[Document, bool, bool]:
    """Store a document, in the place of the one its source gave before: it, whether it replaced one, has vectors."""
    caller = desk.caller
    check_writable(caller, ready.scope, work.grants.of(caller))
    known = work.documents.known(ready.scope, caller.channel, ready.source)
    if known is not None:
        work.documents.remove([known.id])
    document = Document(
        id=desk.ids.new(work.recorded_at) if known is None else known.id,
        title=ready.title,
        source=ready.source,
        scope=ready.scope.key,
        characters=len(ready.text),
        passages=len(ready.parts),
        added_at=work.recorded_at,
        project=caller.project,
    )
    new = NewDocument(
        document=document,
        scope=ready.scope,
        channel=caller.channel,
        sensitivity=ready.sensitivity,
        digest=ready.digest,
        splitter=SPLITTER,
        creator=caller.principal.agent,
        passages=ready.parts,
    )
    work.documents.add(new)
    kept = vectors is not None and desk.space is not None
    if vectors is not None and desk.space is not None:
        work.documents.put_vectors(desk.space, document.id, vectors)
    told = {"scope": document.scope, "passages": document.passages, "replaced": known is not None}
    work.event("document.added", document.id, told)
    return document, known is not None, kept


def _windows(desk: Desk, phrases: list[Phrase]) -> tuple[list[NDArray[np.float32]] | None, tuple[Notice, ...]]:
    """The vectors of each passage's windows; None where they follow later."""
    vectors, notices = embedded(desk, phrases)
    if vectors is None:
        return None, notices
    return vectors.windows, notices


def _line(text: str, what: str, limit: int) -> str:
    """A name or title on one line, without secrets."""
    return " ".join(redact_secrets(check_text(text, what, limit)).text.split())


def _reads_like_orders(text: str) -> bool:
    """Whether a passage is shown to nobody."""
    return QUARANTINED in screened(text, SourceKind.DOCUMENT).flags
