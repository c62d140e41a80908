"""`grant add`, `grant list` and `grant revoke`: which agent may read or write which scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.scope import Grant
from bethink.errors import NotFound
from bethink.interfaces.cli.command import STORE, Call, command
from bethink.interfaces.cli.screen import columns, say

_WHOSE = ("user", "agent", "tenant", *STORE)
"""The shared options that can name a grant."""

_SCOPE = "The scope, as kind:id: user:ada, project:kitchen, task:t1, org:acme."


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What `grant add` takes; --user and --agent name who is granted."""

    scope: Annotated[str, typer.Argument(help=_SCOPE)]
    write: Annotated[bool, typer.Option("--write", help="Writing too.")] = False
    no_read: Annotated[bool, typer.Option("--no-read", help="Not reading.")] = False


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `grant list` takes: nothing of its own."""


@dataclass(frozen=True, slots=True)
class RevokeOptions:
    """What `grant revoke` takes; --user and --agent name whose grant it is."""

    scope: Annotated[str, typer.Argument(help=_SCOPE)]


@dataclass(frozen=True, slots=True)
class Granted:
    """The grant that was made."""

    grant: Grant


@dataclass(frozen=True, slots=True)
class Grants:
    """The grants of a tenant."""

    grants: tuple[Grant, ...]


@dataclass(frozen=True, slots=True)
class Revoked:
    """The grant that is gone."""

    user: str
    agent: str
    scope: str


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Say which agent may read or write which scope.", rich_markup_mode=None)
    command(group, "grant add", AddOptions, _WHOSE)(add)
    command(group, "grant list", ListOptions, _WHOSE)(list_grants)
    command(group, "grant revoke", RevokeOptions, _WHOSE)(revoke)
    app.add_typer(group, name="grant")


def add(call: Call, options: AddOptions) -> None:
    """Let --agent, for --user, read or write a scope."""
    user, agent = _named(call)
    read, write = not options.no_read, options.write
    made = call.memory().grant(user, agent, options.scope, read=read, write=write, tenant=call.common.tenant)
    call.answer(Granted(made), lambda: _show((made,)))


def list_grants(call: Call, _options: ListOptions) -> None:
    """List the grants of the tenant; --user and --agent narrow them."""
    wanted = (call.common.user, call.common.agent)
    every = call.memory().grants(tenant=call.common.tenant)
    found = tuple(
        grant
        for grant in every
        if all(want in {None, have} for want, have in zip(wanted, (grant.user, grant.agent), strict=True))
    )
    call.answer(Grants(found), lambda: _show(found))


def revoke(call: Call, options: RevokeOptions) -> None:
    """Take a grant back; it binds the next operation of every process."""
    user, agent = _named(call)
    if not call.memory().revoke(user, agent, options.scope, tenant=call.common.tenant):
        msg = f"There is no grant of {options.scope[:60]} to agent {agent} for user {user}."
        raise NotFound(msg, remedy="See them with `bethink grant list`.")
    call.answer(Revoked(user, agent, options.scope), lambda: say(f"revoked {options.scope} from {agent} for {user}"))


def _named(call: Call) -> tuple[str, str]:
    """Whose grant it is."""
    default = call.memory().settings.caller
    user, agent = call.common.user, call.common.agent
    return default.user if user is None else user, default.agent if agent is None else agent


def _show(grants: tuple[Grant, ...]) -> None:
    """Grants as a table."""
    if not grants:
        say("no grants")
        return
    rows = [
        (grant.user, grant.agent, grant.scope.key, "yes" if grant.read else "no", "yes" if grant.write else "no")
        for grant in grants
    ]
    columns(("user", "agent", "scope", "read", "write"), rows)
