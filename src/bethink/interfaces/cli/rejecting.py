"""`reject`: a record that is wrong, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.rejection import Reason
from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import pairs, say
from bethink.interfaces.when import start
from bethink.operations.reject import RejectRequest, RejectResult


@dataclass(frozen=True, slots=True)
class RejectOptions:
    """What `reject` takes."""

    id: Annotated[str, typer.Argument(help="The id of a record, whole or short (m:...).")]
    untrue: Annotated[bool, typer.Option("--untrue", help="It never was so.")] = False
    changed: Annotated[bool, typer.Option("--changed", help="It was so, and is no longer.")] = False
    now: Annotated[str | None, typer.Option(metavar="TEXT", help="It has changed: TEXT holds in its place.")] = None
    elsewhere: Annotated[bool, typer.Option("--elsewhere", help="It holds in another project, not in --project.")] = (
        False
    )
    where: Annotated[str | None, typer.Option(metavar="PROJECT", help="The project that it does hold in.")] = None
    at: Annotated[str | None, typer.Option(help="Since when it has changed.")] = None
    trace: Annotated[str | None, typer.Option(help="The recall that showed it.")] = None


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "reject", RejectOptions)(reject)


def reject(call: Call, options: RejectOptions) -> None:
    """Say that a record is wrong, and how; it stays away when it is derived again.

    At most one of --untrue, --changed and --elsewhere. Without any the record is doubted: it ranks lower and is marked,
    and stays.
    """
    request = RejectRequest(
        id=options.id,
        reason=_reason(options),
        content=options.now,
        where=options.where,
        at=start(options.at, "--at"),
        trace=options.trace,
    )
    result = call.bound().reject(request)
    call.answer(result, lambda: _show(result))
    call.tell(result.notices)


def _reason(options: RejectOptions) -> Reason:
    """The one reason the options name.

    Raises:
        InvalidInput: they name several.
    """
    asked: dict[Reason, bool] = {
        "untrue": options.untrue,
        "changed": options.changed or options.now is not None,
        "elsewhere": options.elsewhere or options.where is not None,
    }
    named = [reason for reason, given in asked.items() if given]
    if len(named) > 1:
        msg = f"A record is rejected for one reason; the command names {' and '.join(named)}."
        raise InvalidInput(msg, remedy="Give one of --untrue, --changed and --elsewhere, or none.")
    return named[0] if named else "unspecified"


def _show(result: RejectResult) -> None:
    """What became of the record."""
    say(f"{result.outcome} {result.short_id} ({result.status})")
    pairs([("id", result.id), ("gave way", ", ".join(result.superseded))])
