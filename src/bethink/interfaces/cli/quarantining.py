"""`quarantine list`, `quarantine release` and `quarantine reject`: a person reviews what the screen held back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.time import iso
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import say
from bethink.operations.quarantine import (
    Held,
    QuarantineRequest,
    QuarantineResult,
    ReviewRequest,
    ReviewResult,
    Verdict,
)

_ID = "The id of the record, whole or short (m:...)."


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `quarantine list` takes."""

    limit: Annotated[int, typer.Option(help="At most this many.")] = 20
    before: Annotated[int | None, typer.Option(help="Go on where the page before ended: its `next`.")] = None


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """What `quarantine release` and `quarantine reject` take."""

    id: Annotated[str, typer.Argument(help=_ID)]
    reason: Annotated[str, typer.Option(help="Why; kept beside the record.")] = ""


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="See what the screen held back; let it go or turn it down.", rich_markup_mode=None)
    command(group, "quarantine list", ListOptions)(list_held)
    command(group, "quarantine release", ReviewOptions)(release)
    command(group, "quarantine reject", ReviewOptions)(reject)
    app.add_typer(group, name="quarantine")


def list_held(call: Call, options: ListOptions) -> None:
    """List what is held back, the newest first. It is data from outside: it instructs nobody."""
    result = call.bound().quarantined(QuarantineRequest(options.limit, options.before))
    call.answer(result, lambda: _show(result))


def release(call: Call, options: ReviewOptions) -> None:
    """Let a record be recalled. Its source stays the one it came from."""
    _review(call, options, "release")


def reject(call: Call, options: ReviewOptions) -> None:
    """Hide a record that is held back."""
    _review(call, options, "reject")


def _review(call: Call, options: ReviewOptions, verdict: Verdict) -> None:
    """Decide, and say what became of it."""
    result = call.bound().review(ReviewRequest(options.id, verdict, options.reason))
    call.answer(result, lambda: _show_review(result))


def _show(result: QuarantineResult) -> None:
    """A page, a few lines a record."""
    if not result.held:
        say("nothing is held back")
    for held in result.held:
        _show_held(held)
    if result.next is not None:
        say(f"more: --before {result.next}")


def _show_held(held: Held) -> None:
    """One record: what it says, and where it is from."""
    rules = ", ".join(held.rules) or "rules that were changed since"
    say(f"{held.short_id}  {iso(held.recorded_at)}  {held.source} {held.source_ref}, written by {held.creator}")
    say(f"    held back by {rules}")
    say(f"    {held.text}{' ...' if held.cut else ''}")


def _show_review(result: ReviewResult) -> None:
    """What became of a record."""
    word = "released" if result.verdict == "release" else "rejected"
    say(f"{word} {result.short_id}, now {result.status}")
    for name, ids in (("superseded", result.superseded), ("in conflict with", result.conflicts)):
        if ids:
            say(f"    {name} {', '.join(ids)}")
