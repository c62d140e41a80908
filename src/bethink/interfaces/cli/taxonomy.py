"""`taxonomy add`, `list`, `remove` and `file`: a tenant's tree of topics, and what is filed under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.taxonomy import Node
from bethink.interfaces.cli.command import TENANT, Call, command
from bethink.interfaces.cli.screen import columns, one_line, say
from bethink.operations.taxonomy import FileRequest

_PATH = "The node, by its path from the root: workflow, workflow.git."


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What `taxonomy add` takes."""

    path: Annotated[str, typer.Argument(help=_PATH)]
    name: Annotated[str | None, typer.Option(help="What people call it; the last word of the path unless given.")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `taxonomy list` takes: nothing of its own."""


@dataclass(frozen=True, slots=True)
class RemoveOptions:
    """What `taxonomy remove` takes."""

    path: Annotated[str, typer.Argument(help=_PATH)]


@dataclass(frozen=True, slots=True)
class FileOptions:
    """What `taxonomy file` takes."""

    id: Annotated[str, typer.Argument(help="The id of a record, whole or short (m:...).")]
    under: Annotated[list[str] | None, typer.Option(metavar="PATH", help="File it here; may be repeated.")] = None
    out_of: Annotated[list[str] | None, typer.Option(metavar="PATH", help="Take it out of here; may be repeated.")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a tree."""

    nodes: tuple[Node, ...]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Keep the tree of topics, and file records under it.", rich_markup_mode=None)
    command(group, "taxonomy add", AddOptions, TENANT)(add)
    command(group, "taxonomy list", ListOptions, TENANT)(list_nodes)
    command(group, "taxonomy remove", RemoveOptions, TENANT)(remove)
    command(group, "taxonomy file", FileOptions)(file)
    app.add_typer(group, name="taxonomy")


def add(call: Call, options: AddOptions) -> None:
    """Add a node below one there is, or name a node anew."""
    made = call.memory().put_node(options.path, options.name, tenant=call.common.tenant)
    call.answer(made, lambda: _show((made,)))


def list_nodes(call: Call, _options: ListOptions) -> None:
    """List the tree of the tenant."""
    found = call.memory().nodes(tenant=call.common.tenant)
    call.answer(Nodes(found), lambda: _show(found))


def remove(call: Call, options: RemoveOptions) -> None:
    """Remove a node and all below it. Records filed there stay, and are filed there no longer."""
    gone = call.memory().remove_node(options.path, tenant=call.common.tenant)
    call.answer(gone, lambda: say(f"removed {len(gone.nodes)} nodes; {gone.filings} records are filed there no longer"))


def file(call: Call, options: FileOptions) -> None:
    """File a record under nodes, or take it out of some."""
    request = FileRequest(options.id, tuple(options.under or ()), tuple(options.out_of or ()))
    result = call.bound().file(request)
    call.answer(result, lambda: say(f"{result.short_id} is filed under {', '.join(result.taxonomy) or 'nothing'}"))


def _show(nodes: tuple[Node, ...]) -> None:
    """Nodes as a table."""
    if not nodes:
        say("no nodes")
        return
    columns(("path", "name"), [(node.path, one_line(node.name)) for node in nodes])
