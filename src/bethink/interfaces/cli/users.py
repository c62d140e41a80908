"""`export`, `erase-user` and `erase-session`: all that is one user's, handed out or erased; or one session of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import TENANT, Call, command, confirm_erase
from bethink.interfaces.cli.records import show_receipt
from bethink.interfaces.cli.screen import progress, put, say
from bethink.interfaces.exporting import lines
from bethink.operations.users import EraseSessionRequest, EraseUserRequest


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What `export` takes."""

    user: Annotated[str, typer.Option("--user", help="The user.")]
    out: Annotated[Path | None, typer.Option(help="Write to this file; standard output unless given.")] = None


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written where."""

    user: str
    out: str
    lines: int


@dataclass(frozen=True, slots=True)
class EraseUserOptions:
    """What `erase-user` takes."""

    user: Annotated[str, typer.Argument(help="The user.")]
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would go.")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Erase without asking.")] = False
    timeout_ms: Annotated[int, typer.Option(help="How long each page waits for readers.")] = 60_000


@dataclass(frozen=True, slots=True)
class EraseSessionOptions:
    """What `erase-session` takes."""

    session: Annotated[str, typer.Argument(help="The session.")]
    user: Annotated[str, typer.Option("--user", help="Whose it is.")]
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would go.")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Erase without asking.")] = False
    timeout_ms: Annotated[int, typer.Option(help="How long each page waits for readers.")] = 60_000


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "export", ExportOptions, TENANT)(export)
    command(app, "erase-user", EraseUserOptions, TENANT)(erase_user)
    command(app, "erase-session", EraseSessionOptions, TENANT)(erase_session)


def export(call: Call, options: ExportOptions) -> None:
    """Write all that is one user's as lines of JSON.

    The user's own scope and what agents keep for the user: sessions, turns, entities, records with their earlier
    versions. Traces and what was forgotten are left out. The last line says that it is whole and names the SHA-256 of
    all before it. `bethink import` reads its turns.
    """
    items = lines(call.memory(any_space=True).export(options.user, tenant=call.common.tenant))
    if options.out is None:
        for line in items:
            put(line)
        return
    count = 0
    try:
        with options.out.open("w", encoding="ascii") as file, progress("export", None, quiet=call.common.quiet) as told:
            for count, line in enumerate(items, 1):
                file.write(line)
                told(count)
    except OSError as error:
        raise InvalidInput(f"{options.out} cannot be written: {error.strerror}.") from error
    done = Exported(options.user, str(options.out), count)
    call.answer(done, lambda: say(f"{done.lines} lines to {done.out}"))


def erase_user(call: Call, options: EraseUserOptions) -> int:
    """Erase all that is one user's, with a receipt.

    Records, turns, sessions, entities, skills, grants, answers and traces, and what derives from the records wherever
    it is. It asks first at a terminal and needs --yes anywhere else. Ends with 1 when something could not be removed
    yet; give the command again to go on.
    """
    if not options.dry_run and not options.yes:
        confirm_erase(call, f"Erase all that is {options.user}'s?", "how much would go")
    request = EraseUserRequest(options.user, options.dry_run, options.timeout_ms)
    receipt = call.memory(any_space=True).erase_user(request, tenant=call.common.tenant)
    call.answer(receipt, lambda: show_receipt(receipt))
    return 0 if receipt.complete or receipt.dry_run else 1


def erase_session(call: Call, options: EraseSessionOptions) -> int:
    """Erase one session of a user's and what explains it, with a receipt.

    What was said in it, the records whose evidence stands there, what derives from them, the block its prompts kept,
    and the traces of what its turns were given. It asks first at a terminal and needs --yes anywhere else. Ends with
    1 when something could not be removed yet; give the command again to go on.
    """
    if not options.dry_run and not options.yes:
        confirm_erase(call, f"Erase session {options.session} of {options.user}?", "how much would go")
    request = EraseSessionRequest(options.user, options.session, options.dry_run, options.timeout_ms)
    receipt = call.memory(any_space=True).erase_session(request, tenant=call.common.tenant)
    call.answer(receipt, lambda: show_receipt(receipt))
    return 0 if receipt.complete or receipt.dry_run else 1
