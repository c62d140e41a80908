"""`associations register|relate|list|traverse|retract|remove`: what is declared to be connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.scope import Target
from bethink.interfaces.cli.command import TARGET, Call, command
from bethink.interfaces.cli.screen import columns, pairs, say
from bethink.operations.associations import RegisterTermRequest, RelateRequest, Relation, TraverseRequest
from bethink.operations.records import Receipt


@dataclass(frozen=True, slots=True)
class RegisterOptions:
    """What `associations register` takes."""

    name: Annotated[str, typer.Argument(help="What it is called.")]
    alias: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Another name it answers to.")] = None
    target: Annotated[Target, typer.Option(help=TARGET)] = "personal"


@dataclass(frozen=True, slots=True)
class RelateOptions:
    """What `associations relate` takes."""

    subject: Annotated[str, typer.Argument(help="A registered term.")]
    predicate: Annotated[str, typer.Argument(help="What connects them, such as 'depends on'.")]
    object: Annotated[str, typer.Argument(help="Another one.")]
    source: Annotated[str | None, typer.Option(metavar="ID", help="The record or turn that it rests on.")] = None
    evidence: Annotated[str | None, typer.Option(help="That one's exact words.")] = None
    target: Annotated[Target, typer.Option(help=TARGET)] = "personal"


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `associations list` takes."""

    term: Annotated[str | None, typer.Argument(help="A term; all unless given.")] = None
    limit: Annotated[int, typer.Option(min=1, help="At most so many terms, and relations.")] = 100


@dataclass(frozen=True, slots=True)
class TraverseOptions:
    """What `associations traverse` takes."""

    term: Annotated[str, typer.Argument(help="Where the walk starts.")]
    hops: Annotated[int, typer.Option(min=1, help="How far it goes.")] = 2
    limit: Annotated[int, typer.Option(min=1, help="At most so many relations.")] = 50


@dataclass(frozen=True, slots=True)
class RetractOptions:
    """What `associations retract` takes."""

    relation: Annotated[str, typer.Argument(help="A relation, by id.")]


@dataclass(frozen=True, slots=True)
class RemoveOptions:
    """What `associations remove` takes."""

    term: Annotated[str, typer.Argument(help="A term, by a name of it.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Declare what is connected, and walk it.", rich_markup_mode=None)
    command(group, "associations register", RegisterOptions)(register_term)
    command(group, "associations relate", RelateOptions)(relate)
    command(group, "associations list", ListOptions)(list_all)
    command(group, "associations traverse", TraverseOptions)(traverse)
    command(group, "associations retract", RetractOptions)(retract)
    command(group, "associations remove", RemoveOptions)(remove)
    app.add_typer(group, name="associations")


def register_term(call: Call, options: RegisterOptions) -> None:
    """Register a term, or give it more names."""
    request = RegisterTermRequest(options.name, tuple(options.alias or ()), options.target)
    term = call.bound().associations.register(request)
    told = [("term", term.name), ("also", ", ".join(term.aliases) or None), ("scope", term.scope), ("id", term.id)]
    call.answer(term, lambda: pairs(told))


def relate(call: Call, options: RelateOptions) -> None:
    """Assert a relation between two registered terms; no recall reads it."""
    request = RelateRequest(
        options.subject, options.predicate, options.object, options.source, options.evidence, options.target
    )
    result = call.bound().associations.relate(request)
    call.answer(result, lambda: say(f"{result.outcome}: {_said(result.relation)}  {result.relation.id}"))


def list_all(call: Call, options: ListOptions) -> None:
    """List terms and relations."""
    result = call.bound().associations.list(term=options.term, limit=options.limit)

    def show() -> None:
        columns(("term", "also", "scope"), [(one.name, ", ".join(one.aliases), one.scope) for one in result.terms])
        columns(("relation", "by", "id"), [(_said(one), one.creator, one.id) for one in result.relations])
        if not result.complete:
            say("There are more: raise --limit, or name a term.")

    call.answer(result, show)


def traverse(call: Call, options: TraverseOptions) -> None:
    """Walk from a term, breadth first, in a fixed order."""
    result = call.bound().associations.traverse(TraverseRequest(options.term, options.hops, options.limit))

    def show() -> None:
        columns(
            ("hop", "relation", "id"), [(str(one.hop), _said(one.relation), one.relation.id) for one in result.steps]
        )
        if not result.complete:
            say("The walk was cut off: raise --limit.")

    call.answer(result, show)


def retract(call: Call, options: RetractOptions) -> int:
    """Take a relation back; nothing of it stays. Ends with 1 while copies are left that can be reached."""
    return _told(call, call.bound().associations.retract(options.relation))


def remove(call: Call, options: RemoveOptions) -> int:
    """Remove a term with its names and relations. Ends with 1 while copies are left that can be reached."""
    return _told(call, call.bound().associations.remove(options.term))


def _told(call: Call, receipt: Receipt) -> int:
    """What was removed."""
    gone = ", ".join(f"{count} {kind}" for kind, count in receipt.removed.items())
    call.answer(receipt, lambda: pairs([("removed", gone), *(("remains", one) for one in receipt.remains)]))
    return 0 if receipt.complete else 1


def _said(relation: Relation) -> str:
    """A relation as a line."""
    return f"{relation.subject} - {relation.predicate} - {relation.object}"
