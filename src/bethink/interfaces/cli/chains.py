"""`chain`: the records that replaced one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.record import short_ids
from bethink.domain.time import iso
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, one_line
from bethink.operations.common import Notice
from bethink.operations.records import ChainResult


@dataclass(frozen=True, slots=True)
class ChainOptions:
    """What `chain` takes."""

    id: Annotated[str, typer.Argument(help="The id of a record, whole or short (m:...).")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "chain", ChainOptions)(chain)


def chain(call: Call, options: ChainOptions) -> None:
    """Show what replaced a record, and what it replaced.

    The oldest first; a star marks the one that holds in its place now.
    """
    result = call.bound().chain(options.id)
    call.answer(result, lambda: _show(result))
    if not result.complete:
        call.tell([Notice("more", "The chain is longer than is shown.")])


def _show(result: ChainResult) -> None:
    """A row for each record."""
    short = short_ids(record.id for record in result.chain)
    rows = [
        (
            "*" if record.id == result.current else "",
            short[record.id],
            str(record.status),
            iso(record.created_at)[:10],
            one_line(record.content.text),
        )
        for record in result.chain
    ]
    columns(("", "id", "status", "made", "what it says"), rows)
