"""`memory.documents`: verbatim passages as one caller sees them, with a read and a budget of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bethink.formation.desk import Desk
from bethink.formation.documents import add_documents
from bethink.memory.parts import Parts
from bethink.memory.requests import as_request
from bethink.operations.documents import (
    AddDocumentRequest,
    AddDocumentResult,
    DocumentsResult,
    SearchDocumentsRequest,
    SearchDocumentsResult,
)
from bethink.operations.records import Receipt
from bethink.recall.documents import list_documents, search_documents
from bethink.recall.reader import Reader
from bethink.upkeep.remove import remove_document


class Documents:
    """Whole documents, which are no beliefs: no recall reads them, and no search of theirs reads a memory."""

    def __init__(self, desk: Desk, reader: Reader, parts: Parts) -> None:
        self._desk = desk
        self._reader = reader
        self._parts = parts

    def add(self, request: AddDocumentRequest | str = "", **fields: Any) -> AddDocumentResult:
        """Keep a file, a folder of Markdown files, or a text, word for word in passages."""
        return add_documents(as_request(AddDocumentRequest, request, "path", fields), self._desk, self._parts.files)

    def list(self) -> DocumentsResult:
        """The documents the caller may read."""
        return list_documents(self._reader)

    def search(self, request: SearchDocumentsRequest | str, **fields: Any) -> SearchDocumentsResult:
        """Answer a question with a block of passages, each cited by document, place and characters."""
        outcome = search_documents(as_request(SearchDocumentsRequest, request, "text", fields), self._reader)
        state, reason = self._parts.kept(outcome.trace)
        return replace(outcome.result, trace=state, trace_reason=reason)

    def forget(self, document: str) -> Receipt:
        """Erase a document, by its id, its name or its path, with everything that was made of it."""
        return remove_document(document, self._desk, self._parts.traces, self._parts.files)
