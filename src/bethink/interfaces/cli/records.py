"""`remember`, `get`, `revise` and `forget`: one record at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

import typer

from bethink.domain.record import Record
from bethink.domain.scope import Sensitivity, Target
from bethink.domain.session import Turn
from bethink.domain.time import iso
from bethink.domain.types import WRITABLE, Portability
from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import Call, Ceiling, command, confirm_erase
from bethink.interfaces.cli.screen import columns, pairs, say
from bethink.interfaces.when import end, moment, start
from bethink.operations.records import ForgetMode, ForgetRequest, GetRequest, GetResult, Receipt
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.operations.revise import ReviseAction, ReviseRequest, ReviseResult

Writable = Literal[WRITABLE]  # type: ignore[valid-type]  # the choices are the table's, not a copy of it


@dataclass(frozen=True, slots=True)
class RememberOptions:
    """What `remember` takes."""

    content: Annotated[str, typer.Argument(help="The statement, one fact.")]
    type: Annotated[Writable, typer.Option(help="What kind of statement it is.")] = "fact"
    subject: Annotated[str | None, typer.Option(help="Whom or what it is about.")] = None
    attribute: Annotated[
        str | None, typer.Option(help="Which of its attributes; with it, an older value gives way.")
    ] = None
    target: Annotated[Target, typer.Option(help="Which of your scopes owns it.")] = "personal"
    evidence: Annotated[str | None, typer.Option(help="The exact words that support it, as said in --session.")] = None
    session: Annotated[str | None, typer.Option(help="The session that holds the evidence.")] = None
    event_at: Annotated[str | None, typer.Option(help="When it happened.")] = None
    valid_from: Annotated[str | None, typer.Option(help="From when it holds.")] = None
    valid_until: Annotated[str | None, typer.Option(help="Until when it holds.")] = None
    expires_at: Annotated[str | None, typer.Option(help="When to stop recalling it.")] = None
    retract: Annotated[bool, typer.Option("--retract", help="It is no longer so.")] = False
    temporary: Annotated[bool, typer.Option("--temporary", help="A passing preference.")] = False
    portability: Annotated[
        Literal["local", "contextual", "portable"] | None, typer.Option(help="How far it carries beyond its project.")
    ] = None
    sensitivity: Annotated[Ceiling, typer.Option(help="How far it may travel.")] = "normal"
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag; may be repeated.")] = None
    node: Annotated[list[str] | None, typer.Option(metavar="PATH", help="File it here; may be repeated.")] = None
    idempotency_key: Annotated[str | None, typer.Option(help="A repeat with this key is answered once.")] = None


@dataclass(frozen=True, slots=True)
class GetOptions:
    """What `get` takes."""

    id: Annotated[str, typer.Argument(help="The id of a record or turn, whole or short (m:...).")]
    as_of: Annotated[str | None, typer.Option(help="As it held then.")] = None
    known_at: Annotated[str | None, typer.Option(help="As the store knew it then.")] = None
    history: Annotated[bool, typer.Option("--history", help="With its earlier versions.")] = False
    current: Annotated[bool, typer.Option("--current", help="What holds in its place now.")] = False


@dataclass(frozen=True, slots=True)
class ReviseOptions:
    """What `revise` takes."""

    id: Annotated[str, typer.Argument(help="The id of a record, whole or short (m:...).")]
    confirm: Annotated[bool, typer.Option("--confirm", help="It still holds.")] = False
    supersede: Annotated[str | None, typer.Option(metavar="TEXT", help="This holds in its place.")] = None
    expire: Annotated[bool, typer.Option("--expire", help="It holds no longer.")] = False
    merge: Annotated[str | None, typer.Option(metavar="OTHER", help="OTHER says the same and gives way to it.")] = None
    at: Annotated[str | None, typer.Option(help="From when TEXT holds, or the record no longer does.")] = None
    idempotency_key: Annotated[str | None, typer.Option(help="A repeat with this key is answered once.")] = None


@dataclass(frozen=True, slots=True)
class ForgetOptions:
    """What `forget` takes."""

    id: Annotated[str, typer.Argument(help="The id of a record or turn, whole or short (m:...).")]
    mode: Annotated[ForgetMode, typer.Option(help="Hide it, bring it back, or remove every copy.")] = "stop"
    with_sources: Annotated[bool, typer.Option("--with-sources", help="Erase the turns it was quoted from too.")] = (
        False
    )
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would go.")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Erase without asking.")] = False
    reason: Annotated[str, typer.Option(help="Why, for the record's history.")] = ""
    timeout_ms: Annotated[int, typer.Option(help="How long an erase waits for readers.")] = 5_000


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "remember", RememberOptions)(remember)
    command(app, "get", GetOptions)(get)
    command(app, "revise", ReviseOptions)(revise)
    command(app, "forget", ForgetOptions)(forget)


def remember(call: Call, options: RememberOptions) -> None:
    """Store one statement, checked against its evidence.

    What you type here is your own word and its own evidence.
    """
    request = RememberRequest(
        content=options.content,
        type=options.type,
        subject=options.subject,
        attribute=options.attribute,
        target=options.target,
        evidence=options.evidence,
        session=options.session,
        polarity="retract" if options.retract else "assert",
        event_at=start(options.event_at, "--event-at"),
        valid_from=start(options.valid_from, "--valid-from"),
        valid_until=end(options.valid_until, "--valid-until"),
        expires_at=end(options.expires_at, "--expires-at"),
        temporary=options.temporary,
        portability=Portability[options.portability.upper()] if options.portability else None,
        sensitivity=Sensitivity[options.sensitivity.upper()],
        tags=tuple(options.tag or ()),
        taxonomy=tuple(options.node or ()),
        idempotency_key=options.idempotency_key,
    )
    result = call.bound().remember(request)
    call.answer(result, lambda: _show_written(result))
    call.tell(result.notices)


def get(call: Call, options: GetOptions) -> None:
    """Show one record or turn, with its history when asked."""
    request = GetRequest(
        options.id,
        moment(options.as_of, "--as-of"),
        moment(options.known_at, "--known-at"),
        history=options.history,
        current=options.current,
    )
    result = call.bound().get(request)
    call.answer(result, lambda: _show_got(result))


def revise(call: Call, options: ReviseOptions) -> None:
    """Confirm a record, replace it, end it, or merge another into it.

    Exactly one of --confirm, --supersede, --expire and --merge. What you say here is your own word and its own
    evidence; what the record was stays in its history.
    """
    request = ReviseRequest(
        id=options.id,
        action=_action(options),
        content=options.supersede,
        other=options.merge,
        at=start(options.at, "--at"),
        idempotency_key=options.idempotency_key,
    )
    result = call.bound().revise(request)
    call.answer(result, lambda: _show_written(result))
    call.tell(result.notices)


def forget(call: Call, options: ForgetOptions) -> int:
    """Hide a record, bring it back, or erase it, with a receipt.

    An erase removes every copy of the text. It asks first at a terminal and needs --yes anywhere else. It ends with 1
    when something could not be removed yet; the receipt says what.
    """
    request = ForgetRequest(
        id=options.id,
        mode=options.mode,
        with_sources=options.with_sources,
        reason=options.reason,
        dry_run=options.dry_run,
        timeout_ms=options.timeout_ms,
    )
    if options.mode == "erase" and not options.dry_run and not options.yes:
        confirm_erase(call, f"Erase {options.id} with everything derived from it?", "what would go")
    receipt = call.bound().forget(request)
    call.answer(receipt, lambda: show_receipt(receipt))
    return 0 if receipt.complete or receipt.dry_run else 1


def _action(options: ReviseOptions) -> ReviseAction:
    """The one action the options name.

    Raises:
        InvalidInput: they name none, or several.
    """
    asked: dict[ReviseAction, bool] = {
        "confirm": options.confirm,
        "supersede": options.supersede is not None,
        "expire": options.expire,
        "merge": options.merge is not None,
    }
    named = [action for action, given in asked.items() if given]
    if len(named) != 1:
        said = " and ".join(f"--{action}" for action in named) or "none of the four"
        msg = f"A record is revised in one way at a time; the command names {said}."
        raise InvalidInput(msg, remedy=f"Give exactly one of {', '.join(f'--{action}' for action in asked)}.")
    return named[0]


def _show_written(result: RememberResult | ReviseResult) -> None:
    """What became of the statement, or of the record it is about."""
    say(f"{result.outcome} {result.short_id} ({result.status}, {result.source})")
    pairs(
        [
            ("id", result.id),
            ("evidence", "located" if result.evidence_located else None),
            ("supersedes", ", ".join(result.superseded)),
            ("conflicts with", ", ".join(result.conflicts)),
            ("embedding", "pending" if result.embedding_pending else None),
        ]
    )


def _show_got(result: GetResult) -> None:
    """The record or turn, and its earlier versions."""
    if result.turn is not None:
        _show_turn(result.turn)
    if result.record is not None:
        _show_record(result.record)
    if result.versions:
        say()
        rows = [(str(v.version), iso(v.recorded_at), v.status, v.content.text) for v in result.versions]
        columns(("version", "recorded", "status", "content"), rows)


def _show_turn(turn: Turn) -> None:
    """A turn, whole."""
    said = f"{iso(turn.said_at)}{' (zone assumed)' if turn.zone_assumed else ''}"
    pairs(
        [
            ("turn", turn.id),
            ("session", f"{turn.session} {turn.seq}"),
            ("message", turn.message_id),
            ("speaker", f"{turn.speaker} ({turn.role})"),
            ("said", said),
            ("as written", turn.time_text),
        ]
    )
    say()
    say(turn.text)


def _show_record(record: Record) -> None:
    """A record, whole."""
    content, source = record.content, record.content.source
    quote = source.evidence.quote if source.evidence else None
    pairs(
        [
            ("record", record.id),
            ("type", f"{content.type} ({record.kind}), version {record.version}"),
            ("status", record.status),
            ("subject", content.subject),
            ("attribute", content.attribute),
            ("source", f"{source.kind} {source.ref} by {source.creator}"),
            ("evidence", quote),
            ("confidence", f"{record.usage.confidence:.2f} from {record.usage.evidence_count}"),
            ("scope", content.scope.key),
            ("project", content.origin.project),
            ("holds", _span(content.valid_from, content.valid_until)),
            ("happened", iso(content.event_at) if content.event_at else None),
            ("recorded", _span(record.recorded_at, record.retired_at)),
            ("supersedes", ", ".join(record.supersedes)),
            ("superseded by", record.superseded_by),
            ("conflicts with", ", ".join(record.conflicts)),
            ("tags", ", ".join(content.tags)),
        ]
    )
    say()
    say(content.text)


def _span(start: datetime | None, end: datetime | None) -> str | None:
    """An interval in words, None when it is open at both ends."""
    if start is None and end is None:
        return None
    return f"{iso(start) if start else 'always'} to {iso(end) if end else 'now'}"


def show_receipt(receipt: Receipt) -> None:
    """What was done, and what remains."""
    state = "dry run, nothing was done" if receipt.dry_run else "complete" if receipt.complete else "not complete"
    done = "changed" if receipt.operation in {"stop", "restore"} else "removed"
    say(f"{receipt.operation}: {state}")
    pairs(
        [
            ("ids", ", ".join(receipt.ids)),
            ("derived", ", ".join(receipt.derived)),
            (done, ", ".join(f"{count} {what}" for what, count in receipt.removed.items())),
            ("sources that stay", ", ".join(receipt.sources)),
            ("remains", "; ".join(receipt.remains)),
            ("receipt", None if receipt.dry_run else receipt.digest),
        ]
    )
