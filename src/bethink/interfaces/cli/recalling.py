"""`recall`, `episodes`, `why` and `trace`: reading, and what became of a read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.domain.scope import Target
from bethink.domain.session import Turn
from bethink.domain.time import iso
from bethink.domain.trace import Trace
from bethink.domain.types import TYPES, Kind
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, one_line, pairs, remark, say
from bethink.interfaces.reasons import why_empty
from bethink.interfaces.when import end, moment, start
from bethink.operations.common import Notice
from bethink.operations.episodes import EpisodesRequest, EpisodesResult, RecallEpisodesRequest
from bethink.operations.explain import TraceResult
from bethink.operations.recall import OnWeak, Order, Policy, Profile, RecalledItem, RecallRequest, RecallResult

_WHEN = "a date, which means that whole day, or a time with its zone"


_SHORT = {
    "budget": "The budget held no more.",
    "quota": "The rest comes from sources that nobody vouches for, and each had its share.",
    "subject_cap": "More is known of the same subject; ask for it by name, or more closely.",
    "resting": "The rest was shown in the last turns.",
    "held": "The prompt holds the rest already.",
    "all_blocked": "Every item is blocked: it reads like an instruction.",
}
"""Why an answer is shorter than memory could make it."""


def type_names() -> list[str]:
    """What a shell offers for a type."""
    return sorted(TYPES)


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """What `recall` takes."""

    text: Annotated[str, typer.Argument(help="The question.")] = ""
    subject: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Look this subject up; may be repeated.")
    ] = None
    entity: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="In play, though the question does not say so; repeatable.")
    ] = None
    objective: Annotated[str | None, typer.Option(help="What the question is for; searched with it.")] = None
    open_question: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Another open question; may be repeated.")
    ] = None
    type: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="Only this type; may be repeated.", autocompletion=type_names),
    ] = None
    kind: Annotated[list[Kind] | None, typer.Option(help="Only this kind; may be repeated.")] = None
    node: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Only what is filed here or below; may be repeated.")
    ] = None
    as_of: Annotated[str | None, typer.Option(help=f"What held then: {_WHEN}.")] = None
    known_at: Annotated[str | None, typer.Option(help=f"What the store knew then: {_WHEN}.")] = None
    since: Annotated[str | None, typer.Option(help=f"Only what happened from here on: {_WHEN}.")] = None
    until: Annotated[str | None, typer.Option(help=f"Only what happened before: {_WHEN}.")] = None
    history: Annotated[bool, typer.Option("--history", help="Superseded records too.")] = False
    confirmed_only: Annotated[
        bool, typer.Option("--confirmed-only", help="Only what its user or the host vouches for.")
    ] = False
    max_items: Annotated[int | None, typer.Option(help="At most this many items.")] = None
    budget_tokens: Annotated[int | None, typer.Option(help="The size of the block.")] = None
    min_score: Annotated[float | None, typer.Option(help="Leave out what scores lower.")] = None
    profile: Annotated[Profile, typer.Option(help="The set of weights and floors.")] = "task"
    policy: Annotated[Policy | None, typer.Option(help="The rules that rank.")] = None
    order: Annotated[Order | None, typer.Option(help="Which end of the block holds the best item.")] = None
    on_weak: Annotated[OnWeak, typer.Option(help="What to do when nothing passes.")] = "empty"
    owned: Annotated[
        bool | None,
        typer.Option("--owned/--not-owned", help="Look up what the user owns, or not; else by the text."),
    ] = None
    target: Annotated[Target | None, typer.Option(help="Only what is the user's, the project's or the task's.")] = None
    isolate: Annotated[bool, typer.Option("--isolate", help="Nothing from other projects.")] = False
    session: Annotated[str | None, typer.Option(help="The session the question belongs to.")] = None
    timeout_ms: Annotated[int | None, typer.Option(help="The deadline the arms share.")] = None


@dataclass(frozen=True, slots=True)
class EpisodesOptions:
    """What `episodes` takes."""

    session: Annotated[str | None, typer.Option(help="Only this session.")] = None
    since: Annotated[str | None, typer.Option(help=f"From here on: {_WHEN}.")] = None
    until: Annotated[str | None, typer.Option(help=f"Before: {_WHEN}.")] = None
    text: Annotated[str, typer.Option(help="Only turns that hold one of these words.")] = ""
    limit: Annotated[int, typer.Option(help="At most this many turns.")] = 50
    after_seq: Annotated[int, typer.Option(help="Go on after this turn of the session.")] = -1


@dataclass(frozen=True, slots=True)
class RecallEpisodesOptions:
    """What `recall-episodes` takes."""

    session: Annotated[str | None, typer.Option(help="Only this session.")] = None
    since: Annotated[str | None, typer.Option(help=f"From here on: {_WHEN}.")] = None
    until: Annotated[str | None, typer.Option(help=f"Before: {_WHEN}.")] = None
    text: Annotated[str, typer.Option(help="Only turns that hold one of these words.")] = ""
    limit: Annotated[int, typer.Option(help="At most this many turns.")] = 20
    after_seq: Annotated[int, typer.Option(help="Go on after this turn of the session.")] = -1
    budget_tokens: Annotated[int, typer.Option(help="The size of the block.")] = 2_000
    archived: Annotated[bool, typer.Option("--archived", help="The archive too.")] = False


@dataclass(frozen=True, slots=True)
class WhyOptions:
    """What `why` takes."""

    trace_id: Annotated[str, typer.Argument(help="The trace of the recall.")]
    record_id: Annotated[str, typer.Argument(help="The record or turn to ask about.")]


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What `trace` takes."""

    trace_id: Annotated[str, typer.Argument(help="The trace, as recall printed it.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "recall", RecallOptions)(recall)
    command(app, "episodes", EpisodesOptions)(episodes)
    command(app, "recall-episodes", RecallEpisodesOptions)(recall_episodes)
    command(app, "why", WhyOptions)(why)
    command(app, "trace", TraceOptions)(trace)


def recall(call: Call, options: RecallOptions) -> None:
    """Answer a question with a block, its explanations and a trace.

    An answer that is empty says why, and is no error.
    """
    request = RecallRequest(
        text=options.text,
        subjects=tuple(options.subject or ()),
        entities=tuple(options.entity or ()),
        objective=options.objective,
        open_questions=tuple(options.open_question or ()),
        include_owned_resources=options.owned,
        target=options.target,
        types=tuple(options.type or ()),
        kinds=tuple(options.kind or ()),
        taxonomy=tuple(options.node or ()),
        as_of=moment(options.as_of, "--as-of"),
        known_at=moment(options.known_at, "--known-at"),
        since=start(options.since, "--since"),
        until=end(options.until, "--until"),
        include_superseded=options.history,
        confirmed_only=options.confirmed_only,
        profile=options.profile,
        max_items=options.max_items,
        budget_tokens=options.budget_tokens,
        min_score=options.min_score,
        policy=options.policy,
        order=options.order,
        on_weak=options.on_weak,
        project_policy="isolate" if options.isolate else None,
        session=options.session,
        timeout_ms=options.timeout_ms,
    )
    result = call.bound().recall(request)
    call.answer(result, lambda: _show_recall(result))
    call.tell(_shortfalls(result))


def episodes(call: Call, options: EpisodesOptions) -> None:
    """List what was said, by session or time, in order."""
    request = EpisodesRequest(
        session=options.session,
        since=start(options.since, "--since"),
        until=end(options.until, "--until"),
        text=options.text,
        limit=options.limit,
        after_seq=options.after_seq,
    )
    result = call.bound().episodes(request)
    call.answer(result, lambda: _show_episodes(result))
    if result.more:
        call.tell(
            [Notice("more", f"There are more; go on with --after-seq {result.turns[-1].seq} or a later --since.")]
        )


def recall_episodes(call: Call, options: RecallEpisodesOptions) -> None:
    """Render what was said in a session or at a time as a block, in order, with a trace.

    The one read that reaches the archive, and only when told to.
    """
    request = RecallEpisodesRequest(
        session=options.session,
        since=start(options.since, "--since"),
        until=end(options.until, "--until"),
        text=options.text,
        limit=options.limit,
        after_seq=options.after_seq,
        budget_tokens=options.budget_tokens,
        archived=options.archived,
    )
    result = call.bound().recall_episodes(request)

    def show() -> None:
        say(result.rendered or f"Nothing: {why_empty(result.empty_reason)}")
        say(f"trace {result.trace_id} ({result.trace})")

    call.answer(result, show)
    if result.more:
        where = f"--after-seq {result.items[-1].seq} or a later --since" if result.items else "a larger --budget-tokens"
        call.tell([Notice("more", f"There are more; go on with {where}.")])


def why(call: Call, options: WhyOptions) -> None:
    """Say which step of a recall lost a record, or that none did."""
    result = call.bound().why(options.trace_id, options.record_id)

    def show() -> None:
        say(f"{result.stage}: {result.text}")
        pairs([("value", result.value), ("bound", result.bound)])

    call.answer(result, show)


def trace(call: Call, options: TraceOptions) -> int:
    """Show a recall as it was stored, and verify the hash of its block.

    Ends with 1 when the block is not what was recorded; one that was erased since says so and ends with 0.
    """
    result = call.bound().trace(options.trace_id)
    call.answer(result, lambda: _show_trace(result))
    return 1 if result.verification == "mismatch" else 0


def describe_turn(turn: Turn) -> str:
    """A turn on one line."""
    return f"{iso(turn.said_at)[:16]}Z  {turn.speaker} ({turn.role})  {one_line(turn.text)}"


def _show_recall(result: RecallResult) -> None:
    """The block, where each item comes from, and the trace."""
    if result.items:
        say(result.rendered.rstrip("\n"))
        say()
        rows = [_row(number, item) for number, item in enumerate(result.items, 1)]
        columns(("rank", "id", "band", "why", "from"), rows)
        say()
    else:
        say(f"Nothing: {why_empty(result.empty_reason)}")
    say(f"trace {result.trace_id} ({result.trace})")


def _row(number: int, item: RecalledItem) -> tuple[str, ...]:
    """An item of the table below the block."""
    place = item.source if item.message_id is None else f"{item.session} {item.message_id}"
    arms = ", ".join(f"{arm} {rank}" for arm, (rank, _) in item.explanation.arms.items())
    return str(number), item.short_id, item.band, f"{arms}; {item.explanation.passed}".strip("; "), place


def _shortfalls(result: RecallResult) -> list[Notice]:
    """What fell short, in words."""
    found = [Notice("degraded", f"An arm fell short: {arm}.") for arm in result.degraded]
    if result.short_reason in _SHORT:
        found.append(Notice("short", _SHORT[result.short_reason]))
    if result.mismatch:
        found.append(Notice("mismatch", result.mismatch.reason))
    if result.trace in {"deferred", "failed"}:
        found.append(Notice("trace", f"The trace is {result.trace}: {result.trace_reason}"))
    return [*result.notices, *found]


def _show_episodes(result: EpisodesResult) -> None:
    """The turns, under the session they belong to."""
    session = None
    for turn in result.turns:
        if turn.session != session:
            session = turn.session
            say(f"session {one_line(session)}")
        say(f"  {turn.seq:>4}  {describe_turn(turn)}")
    if not result.turns:
        say(f"Nothing: {why_empty(result.empty_reason)}")


def _show_trace(result: TraceResult) -> None:
    """The verdict on the hash, the circumstances, the block, and what was cut."""
    stored: Trace = result.trace
    pairs(
        [
            ("trace", stored.id),
            ("hash", f"{result.verification} {stored.rendered_sha256}"),
            ("recomputed", result.recomputed_sha256 if result.verification == "mismatch" else None),
            ("made", iso(stored.created_at)),
            ("caller", f"{stored.tenant} / {stored.user} / {stored.agent}"),
            ("query", stored.query.get("text")),
            ("policy", stored.policy),
            ("as of", iso(stored.as_of)),
            ("candidates", len(stored.pool)),
            ("returned", len(stored.returned)),
            ("empty because", stored.empty_reason),
            ("mismatch", stored.mismatch and f"{stored.mismatch.score:.2f}: {stored.mismatch.reason}"),
            ("withheld", len(result.withheld) or None),
        ]
    )
    if stored.rendered:
        say()
        say(stored.rendered.rstrip("\n"))
    if stored.cuts:
        say()
        columns(("cut by", "id", "why"), [(cut.stage, cut.id, cut.reason) for cut in stored.cuts])
    if result.withheld:
        remark("note: What this caller may no longer read is withheld; the hash is that of the block as it was shown.")
    if result.verification == "mismatch":
        remark("The stored block does not hash to what was recorded: it was changed after the recall.")
