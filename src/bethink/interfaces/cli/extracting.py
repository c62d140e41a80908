"""`extract` and `rederive`: read a session for beliefs now, or anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.time import iso
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, pairs, say
from bethink.operations.extraction import ExtractResult, RederiveResult


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """What `extract` takes."""

    session: Annotated[str, typer.Argument(help="The session.")]
    again: Annotated[bool, typer.Option("--again", help="Read all of it again, what was read before too.")] = False


@dataclass(frozen=True, slots=True)
class RederiveOptions:
    """What `rederive` takes."""

    session: Annotated[str, typer.Argument(help="The session.")]
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "extract", ExtractOptions)(extract)
    command(app, "rederive", RederiveOptions)(rederive)


def extract(call: Call, options: ExtractOptions) -> int:
    """Read a session for beliefs now, as a worker does when it has ended.

    What was read before is read again only with --again; what a turn gave already, what was erased since and what was
    rejected is not formed again. Ends with 1 when it could not be read; its turns stay unread then.
    """
    result = call.bound().extract(options.session, again=options.again)
    call.answer(result, lambda: _show(result))
    call.tell(result.notices)
    return 1 if result.outcome == "extraction_failed" else 0


def rederive(call: Call, options: RederiveOptions) -> int:
    """Derive a session anew, with what was rejected and erased kept away.

    All of it is read again with the reader that is set now. Rejections are replayed with their reasons, and nothing
    comes back that was rejected, hidden or erased. What the reader does not form any more stays and is named. Ends with
    1 when the session could not be read.
    """
    result = call.bound().rederive(options.session, dry_run=options.dry_run)
    call.answer(result, lambda: _show_rederived(result))
    return 1 if result.outcome == "extraction_failed" else 0


def _show_rederived(result: RederiveResult) -> None:
    """What changed, or would change."""
    say(f"{result.outcome.replace('_', ' ')}{' (dry run, nothing was done)' if result.dry_run else ''}")
    if result.beliefs:
        rows = [(belief.short_id, belief.outcome, belief.status, belief.source) for belief in result.beliefs]
        columns(("belief", "outcome", "status", "source"), rows)
    if result.replayed:
        told = [(item.record or "(erased)", item.reason, iso(item.said_at)) for item in result.replayed]
        columns(("rejected", "reason", "since"), told)
    pairs(
        [
            ("problem", result.problem),
            ("known", len(result.known) or None),
            ("not formed, and left", ", ".join(result.not_formed)),
            *((f"dropped: {reason.replace('_', ' ')}", count) for reason, count in result.dropped.items()),
        ]
    )


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
