"""`mcp` and `version`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

import typer

import bethink
from bethink.domain.scope import ReadScope
from bethink.errors import BethinkError, InvalidInput
from bethink.interfaces.cli.command import ALONE, Call, command
from bethink.interfaces.cli.screen import say

_WORDS = ", ".join(get_args(ReadScope))


@dataclass(frozen=True, slots=True)
class McpOptions:
    """What `mcp` takes."""

    session: Annotated[str | None, typer.Option(help="The session whose turns hold the agent's evidence.")] = None
    channel: Annotated[str | None, typer.Option(help="Only this channel, when given.")] = None
    read_scope: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help=f"Of what grants open, read only this: {_WORDS}; may be repeated."),
    ] = None
    tools: Annotated[
        Literal["default", "all"], typer.Option(help="The five everyday tools, or those for reading on as well.")
    ] = "default"


@dataclass(frozen=True, slots=True)
class VersionOptions:
    """What `version` takes: nothing of its own."""


@dataclass(frozen=True, slots=True)
class Version:
    """The version of the package."""

    version: str


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "mcp", McpOptions)(mcp)
    command(app, "version", VersionOptions, ALONE)(version)


def mcp(call: Call, options: McpOptions) -> None:
    """Serve memory to a model over standard input and output.

    The caller is fixed by the options here; a model can name no other. Needs the extra: pip install 'bethink[mcp]'.
    """
    # The protocol's library loads with the server, so that other commands start fast and work without it.
    try:
        from bethink.interfaces.mcp import serve_stdio  # noqa: PLC0415 - the reason stands above
    except ImportError as error:
        msg = f"The tool server needs the extra `mcp`, which is not installed ({error})."
        raise BethinkError(msg, remedy="Install it: pip install 'bethink[mcp]'.") from error
    surroundings = {"session": options.session, "channel": options.channel, "read_scopes": _read(options.read_scope)}
    bound = call.bound(surface="mcp", voice="agent", **surroundings)
    serve_stdio(bound, version=bethink.__version__, tools=options.tools)


def _read(words: list[str] | None) -> tuple[str, ...] | None:
    """The words for scopes, as the caller takes them; one that there is not would read nothing, and is a slip here."""
    for word in words or ():
        if word not in get_args(ReadScope):
            raise InvalidInput(f"--read-scope {word[:40]!r} is none of {_WORDS}.")
    return tuple(words) if words else None


def version(call: Call, _options: VersionOptions) -> None:
    """Print the version."""
    call.answer(Version(bethink.__version__), lambda: say(f"bethink {bethink.__version__}"))
