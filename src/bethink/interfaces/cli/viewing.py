"""`view`: what a turn or a session was given of memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.time import iso
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, remark, say
from bethink.operations.common import Notice
from bethink.operations.views import TraceView, ViewedBelief, ViewedMoment, ViewRequest

_MOMENTS = ("moment", "when", "trace", "placed", "not shown", "blocked", "withheld")
_BELIEFS = ("id", "learned", "in", "known", "from", "band", "", "statement")


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """What `view` takes."""

    trace_ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="TRACE", help="The recall that answered the turn, and others of that turn."),
    ] = None
    session: Annotated[str | None, typer.Option(help="All of this session instead.")] = None
    after: Annotated[str | None, typer.Option(metavar="ID", help="Go on behind this recall of the session.")] = None
    limit: Annotated[int, typer.Option(help="At most so many recalls of the session.")] = 100


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "view", ViewOptions)(view)


def view(call: Call, options: ViewOptions) -> None:
    """Show what a turn or a session was given of memory, for its user to see.

    Each recall under its moment, the session's snapshot among them; then what they placed, each once: where it comes
    from, how it is known, and whether an answer used it. What was not shown is counted. Say what is wrong with
    `bethink reject`.
    """
    first, *beside = options.trace_ids or [""]
    result = call.bound().view(ViewRequest(first, tuple(beside), options.session, options.after, options.limit))
    call.answer(result, lambda: _show(result))
    call.tell(_notices(result))


def _show(result: TraceView) -> None:
    """The moments, then what they placed."""
    if not result.moments:
        remark("Nothing was asked of memory.")
        return
    columns(_MOMENTS, [_moment(moment) for moment in result.moments])
    if result.beliefs:
        say()
        columns(_BELIEFS, [_belief(belief) for belief in result.beliefs])


def _moment(moment: ViewedMoment) -> tuple[str, ...]:
    """A recall as a row."""
    counts = (moment.considered_not_shown, moment.withheld_by_safety, moment.withheld)
    placed = "(erased)" if moment.erased else str(len(moment.placed))
    return (moment.moment, iso(moment.at), moment.trace_id, placed, *(str(count) for count in counts))


def _belief(belief: ViewedBelief) -> tuple[str, ...]:
    """A placed item as a row."""
    learned_in = f"{belief.learned_in or '-'}{' (carried)' if belief.carried else ''}"
    known = f"{belief.how} ({belief.authority})" if belief.how == "affirmed" else belief.how
    day, source = iso(belief.learned_at)[:10], belief.turn or belief.source or "-"
    return belief.short_id, day, learned_in, known, source, belief.band, belief.use, belief.statement


def _notices(result: TraceView) -> list[Notice]:
    """Why something is only counted, in words."""
    found = []
    if result.withheld_by_safety:
        text = f"{result.withheld_by_safety} stood there as [BLOCKED]: their text did not pass the screen."
        found.append(Notice("blocked", text))
    if result.withheld:
        text = f"{result.withheld} were placed and may not be read here now: forgotten, more sensitive, or not granted."
        found.append(Notice("withheld", text))
    if result.next:
        found.append(Notice("more", f"There are more; go on with --after {result.next}."))
    return found
