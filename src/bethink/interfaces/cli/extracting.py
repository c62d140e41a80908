"""`extract`: read a session for beliefs now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, pairs, say
from bethink.operations.extraction import ExtractResult


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """What `extract` takes."""

    session: Annotated[str, typer.Argument(help="The session.")]
    again: Annotated[bool, typer.Option("--again", help="Read all of it again, what was read before too.")] = False


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "extract", ExtractOptions)(extract)


def extract(call: Call, options: ExtractOptions) -> int:
    """Read a session for beliefs now, as a worker does when it has ended.

    What was read before is read again only with --again; what a turn gave already, what was erased since and what was
    rejected is not formed again. Ends with 1 when it could not be read; its turns stay unread then.
    """
    result = call.bound().extract(options.session, again=options.again)
    call.answer(result, lambda: _show(result))
    call.tell(result.notices)
    return 1 if result.outcome == "extraction_failed" else 0


def _show(result: ExtractResult) -> None:
    """What reading came to."""
    say(result.outcome.replace("_", " "))
    if result.beliefs:
        rows = [(belief.short_id, belief.outcome, belief.status, belief.source) for belief in result.beliefs]
        columns(("belief", "outcome", "status", "source"), rows)
    pairs(
        [
            ("problem", result.problem),
            ("summary", result.summary_id),
            ("turns read", result.turns),
            ("hidden turns", result.hidden or None),
            *((f"dropped: {reason.replace('_', ' ')}", count) for reason, count in result.dropped.items()),
        ]
    )
