"""`documents add|list|search|forget`: whole documents, word for word, apart from what is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.scope import Target
from bethink.domain.time import iso
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, pairs, say
from bethink.operations.documents import AddDocumentRequest, AddDocumentResult, Document, SearchDocumentsRequest

_EMPTY = {
    "no_documents": "There is no document to search.",
    "no_match": "No passage answers that.",
    "below_threshold": "No passage answers that well enough.",
    "budget": "No passage fits the budget.",
}


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What `documents add` takes."""

    path: Annotated[str, typer.Argument(help="A text file, or a folder of Markdown files.")]
    title: Annotated[str | None, typer.Option(help="What it is called; its first heading unless given.")] = None
    name: Annotated[str | None, typer.Option(help="What it is known by; its path unless given.")] = None
    target: Annotated[Target, typer.Option(help="Which of your scopes owns it.")] = "personal"


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `documents list` takes: nothing of its own."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What `documents search` takes."""

    text: Annotated[str, typer.Argument(help="The question.")]
    limit: Annotated[int, typer.Option(min=1, max=20, help="At most so many passages.")] = 3
    budget: Annotated[int, typer.Option(min=1, help="Tokens of the whole block.")] = 3_000
    document: Annotated[str | None, typer.Option(metavar="ID", help="Search this document alone.")] = None


@dataclass(frozen=True, slots=True)
class ForgetOptions:
    """What `documents forget` takes."""

    document: Annotated[str, typer.Argument(help="A document, by id, path or name.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Keep whole documents, and search their passages.", rich_markup_mode=None)
    command(group, "documents add", AddOptions)(add)
    command(group, "documents list", ListOptions)(list_all)
    command(group, "documents search", SearchOptions)(search)
    command(group, "documents forget", ForgetOptions)(forget)
    app.add_typer(group, name="documents")


def add(call: Call, options: AddOptions) -> int:
    """Keep a file, or a folder's Markdown files, word for word; added again it is replaced.

    Ends with 1 when one was refused or passed over.
    """
    request = AddDocumentRequest(options.path, name=options.name, title=options.title, target=options.target)
    result = call.bound().documents.add(request)
    call.answer(result, lambda: _show_added(result))
    return 1 if result.refused or result.passed_over else 0


def list_all(call: Call, _options: ListOptions) -> None:
    """List the documents that are kept."""
    result = call.bound().documents.list()
    call.answer(result, lambda: _show(result.documents))


def search(call: Call, options: SearchOptions) -> None:
    """Answer a question with a block of passages, each with where it stands."""
    request = SearchDocumentsRequest(options.text, options.limit, options.budget, options.document)
    result = call.bound().documents.search(request)
    call.answer(result, lambda: say(result.rendered or _EMPTY[result.empty_reason or "no_match"]))


def forget(call: Call, options: ForgetOptions) -> int:
    """Erase a document with everything made of it. Ends with 1 while copies are left that can be reached."""
    receipt = call.bound().documents.forget(options.document)
    gone = ", ".join(f"{count} {kind}" for kind, count in receipt.removed.items())
    call.answer(receipt, lambda: pairs([("removed", gone), *(("remains", one) for one in receipt.remains)]))
    return 0 if receipt.complete else 1


def _show_added(result: AddDocumentResult) -> None:
    """What became of each."""
    if result.added:
        _show(result.added)
    pairs(
        [
            ("replaced", len(result.replaced) or None),
            ("unchanged", result.unchanged or None),
            ("passages that read like orders", result.flagged or None),
            *(("refused", f"{one.source}: {one.why}") for one in result.refused),
            *(("passed over", f"{one.path} ({one.why})") for one in result.passed_over),
        ]
    )


def _show(documents: tuple[Document, ...]) -> None:
    """One line for each."""
    rows = [(one.title, one.source, one.scope, str(one.passages), iso(one.added_at), one.id) for one in documents]
    columns(("title", "source", "scope", "passages", "added", "id"), rows)
