"""`snapshot`, `delta` and `gaps`: what memory gives to a prompt, for hosts that are no Python programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.errors import NotFound
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, one_line, say
from bethink.operations.gaps import GapsResult
from bethink.operations.moments import DeltaResult, SnapshotRequest, SnapshotSize


@dataclass(frozen=True, slots=True)
class SnapshotOptions:
    """What `snapshot` takes."""

    session: Annotated[str, typer.Argument(help="The session.")]
    goal: Annotated[str, typer.Option(help="What it opens with; brings a few records of its own.")] = ""
    size: Annotated[SnapshotSize, typer.Option(help="How long a session it is for.")] = "interactive"
    window_tokens: Annotated[int | None, typer.Option(help="The model's window; 2 % of it at most.")] = None
    persona: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A record the prompt says already; may be repeated.")
    ] = None


@dataclass(frozen=True, slots=True)
class DeltaOptions:
    """What `delta` takes."""

    session: Annotated[str, typer.Argument(help="The session.")]
    seen: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A record the turn has already; may be repeated.")
    ] = None
    max_items: Annotated[int, typer.Option(help="At most this many changes.")] = 10
    budget_tokens: Annotated[int, typer.Option(help="The size of the block.")] = 500


@dataclass(frozen=True, slots=True)
class GapsOptions:
    """What `gaps` takes."""

    text: Annotated[str, typer.Argument(help="The user's turn.")]
    draft: Annotated[str, typer.Option(help="The answer so far.")] = ""
    session: Annotated[str | None, typer.Option(help="The session it belongs to.")] = None
    budget_tokens: Annotated[int, typer.Option(help="The size of each gap's block.")] = 500


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "snapshot", SnapshotOptions)(snapshot)
    command(app, "delta", DeltaOptions)(delta)
    command(app, "gaps", GapsOptions)(gaps)


def snapshot(call: Call, options: SnapshotOptions) -> None:
    """Freeze what a session's prompt keeps of memory, or show what was frozen.

    The first call takes it, and opens the session where there is none; every later one gives the same bytes, whatever
    was written since.
    """
    request = SnapshotRequest(
        session=options.session,
        goal=options.goal,
        size=options.size,
        window_tokens=options.window_tokens,
        persona=tuple(options.persona or ()),
    )
    bound = call.bound()
    try:
        result = bound.snapshot(request)
    except NotFound:
        bound.session(options.session)
        result = bound.snapshot(request)

    def show() -> None:
        say(result.rendered or "Nothing that lasts is known.")
        say(f"{'taken' if result.taken else 'frozen'} at position {result.watermark}, epoch {result.epoch}")
        say(f"trace {result.trace_id}")

    call.answer(result, show)


def delta(call: Call, options: DeltaOptions) -> None:
    """Show what changed since a session's snapshot was taken, to place beside the turn.

    Corrections say which of its lines hold no more; what changed besides is a block with a trace.
    """
    result = call.bound().delta(
        session=options.session,
        seen=tuple(options.seen or ()),
        max_items=options.max_items,
        budget_tokens=options.budget_tokens,
    )
    call.answer(result, lambda: _show_delta(result))


def gaps(call: Call, options: GapsOptions) -> None:
    """Say whether a turn needs memory, by what its draft lacks, and what memory has for that.

    Nothing is searched for a turn that lacks nothing.
    """
    result = call.bound().fill_gaps(
        options.text, draft=options.draft, session=options.session, budget_tokens=options.budget_tokens
    )
    call.answer(result, lambda: _show_gaps(result))


def _show_delta(result: DeltaResult) -> None:
    """Corrections, then the block."""
    if result.changes is None:
        say("No snapshot was taken in this session.")
        return
    for one in result.corrections:
        say(one.text)
    say(result.changes.rendered or "Nothing else changed.")
    say(f"trace {result.changes.trace_id} ({result.changes.trace})")


def _show_gaps(result: GapsResult) -> None:
    """The decision, what was missing, and what would help."""
    say(f"{'memory is needed' if result.needed else 'memory is not needed'}: {result.disposition.replace('_', ' ')}")
    if result.gaps:
        columns(("gap", "question", "why"), [(gap.kind, one_line(gap.question), gap.reason) for gap in result.gaps])
    if result.weighed:
        columns(("record", "verdict", "why"), [(one.id, one.verdict, one.reason) for one in result.weighed])
    if result.rendered:
        say(result.rendered)
