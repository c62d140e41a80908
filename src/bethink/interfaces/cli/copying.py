"""`copy`: a whole store into another database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.interfaces.cli.command import ALONE, Call, command
from bethink.interfaces.cli.screen import pairs, progress, say
from bethink.operations.copying import CopyResult


@dataclass(frozen=True, slots=True)
class CopyOptions:
    """What `copy` takes."""

    source: Annotated[str, typer.Argument(help="Path or URL of the store, which is only read.")]
    target: Annotated[str, typer.Argument(help="Path or URL of a database that holds nothing yet.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "copy", CopyOptions, ALONE)(copy)


def copy(call: Call, options: CopyOptions) -> None:
    """Copy a whole store into another database, SQLite or PostgreSQL.

    Every tenant with history, vectors and traces; ids, positions and times stay as they are, and a recall on both gives
    the same bytes. Let nobody write to the source meanwhile. Until all rows are counted on both sides the target cannot
    be opened; a copy that was interrupted goes on where it stopped when the command is given again.
    """
    # The drivers load with the copy, so that other commands start fast.
    from bethink.opening import copy_store  # noqa: PLC0415 - the reason stands above

    with progress("copy", None, quiet=call.common.quiet) as report:
        result = copy_store(options.source, options.target, progress=report)
    call.answer(result, lambda: _show(result))


def _show(result: CopyResult) -> None:
    """What was copied."""
    say(f"copied and counted: {result.source} to {result.target}{', resumed' if result.resumed else ''}")
    pairs([("tenants", result.tenants), *((name, count) for name, count in sorted(result.tables.items()) if count)])
