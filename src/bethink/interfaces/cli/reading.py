"""`reads`: what was searched for, as events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.time import iso
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, one_line, remark
from bethink.operations.reads import ReadsRequest, ReadsResult


@dataclass(frozen=True, slots=True)
class ReadsOptions:
    """What `reads` takes."""

    after: Annotated[str | None, typer.Option(metavar="ID", help="Only those behind this event.")] = None
    session: Annotated[str | None, typer.Option(help="Only those of this session.")] = None
    limit: Annotated[int, typer.Option(help="At most so many.")] = 100


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "reads", ReadsOptions)(reads)


def reads(call: Call, options: ReadsOptions) -> None:
    """List what was searched for, as events, with what matched and its sources.

    The oldest first. An event is told from the trace of its recall, so what was erased is gone from it too; go on with
    --after and the last id.
    """
    result = call.bound().reads(ReadsRequest(options.after, options.session, options.limit))
    call.answer(result, lambda: _show(result))


def _show(result: ReadsResult) -> None:
    """A page of events."""
    if not result.reads:
        remark("Nothing was searched for.")
        return
    rows = [
        (
            read.id,
            iso(read.at),
            str(len(read.match_ids)),
            ", ".join(sorted({source.kind for source in read.sources})) or read.empty_reason or "",
            "(erased)" if read.erased else one_line(read.query),
        )
        for read in result.reads
    ]
    columns(("event", "when", "matches", "sources", "asked"), rows)
