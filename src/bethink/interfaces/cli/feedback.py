"""`used`: what became of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import pairs, say
from bethink.operations.common import Notice


@dataclass(frozen=True, slots=True)
class UsedOptions:
    """What `used` takes."""

    trace_id: Annotated[str, typer.Argument(help="The trace of the recall.")]
    ids: Annotated[list[str] | None, typer.Argument(metavar="[IDS]...", help="Items used, by id or short id.")] = None
    answer: Annotated[str, typer.Option(help="The answer; ids and statements in it count.")] = ""


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "used", UsedOptions)(used)


def used(call: Call, options: UsedOptions) -> None:
    """Note which items of a recall were used, and which were not.

    A record that was used gains usefulness, one that was shown and not used loses some. No use makes a record surer.
    Repeating it changes nothing.
    """
    result = call.bound().used(options.trace_id, tuple(options.ids or ()), answer=options.answer)

    def show() -> None:
        say(f"{len(result.cited)} used")
        pairs([("credited", len(result.credited)), ("passed over", len(result.passed_over))])

    call.answer(result, show)
    notes = [Notice("unknown", f"{name[:40]!r} is no item of that recall, or several.") for name in result.unknown]
    if result.trace == "failed":
        notes.append(Notice("trace", f"The trace does not say so yet: {result.trace_reason} Repeat the command."))
    call.tell(notes)
