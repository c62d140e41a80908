"""`written`: what a session left in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, one_line, remark
from bethink.operations.written import WrittenRequest, WrittenResult


@dataclass(frozen=True, slots=True)
class WrittenOptions:
    """What `written` takes."""

    session: Annotated[str, typer.Argument(help="The session.")]
    before: Annotated[int | None, typer.Option(help="Go on behind a page: the `next` of its JSON.")] = None
    limit: Annotated[int, typer.Option(help="At most so many.")] = 50


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "written", WrittenOptions)(written)


def written(call: Call, options: WrittenOptions) -> None:
    """List what a session left in memory, for its user to see.

    The newest first. What lasts, a preference, constraint or procedure, is marked. Take back what is wrong with
    `bethink reject` or `bethink forget`.
    """
    result = call.bound().written(WrittenRequest(options.session, options.before, options.limit))
    call.answer(result, lambda: _show(result))


def _show(result: WrittenResult) -> None:
    """A page of records."""
    if not result.records:
        remark(f"Session {result.session} left nothing.")
        return
    rows = [
        (card.short_id, card.type, "lasting" if card.lasting else "", card.status, card.source, one_line(card.text))
        for card in result.records
    ]
    columns(("id", "type", "", "status", "source", "content"), rows)
