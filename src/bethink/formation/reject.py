"""`reject`, as a recipe: check → find → whose word it is → decide → apply, and keep the rejection, in one transaction.

What has changed goes the way of every revision; what never was so is retired, what holds elsewhere is withdrawn here,
and what is wrong for a reason nobody gives is doubted. Each is kept under its statement, so that it stays so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import get_args

from bethink.domain.fence import Fence
from bethink.domain.ids import check_id
from bethink.domain.record import HISTORICAL, LIVE, REVIEW, Content, Origin, Record, Status, StatusSpan, short_ids
from bethink.domain.rejection import Reason, Rejection, rejected_statements
from bethink.domain.source import RANK, SourceKind
from bethink.domain.time import utc
from bethink.domain.types import Portability
from bethink.errors import InvalidInput
from bethink.formation.access import deciding_fence, reading_fence
from bethink.formation.apply import Writing, apply
from bethink.formation.desk import Desk
from bethink.formation.evidence import find_quote, standing_of, turns_holding
from bethink.formation.named import Named, named_record
from bethink.formation.proposal import Decision, Proposal
from bethink.formation.replay import weakened
from bethink.formation.revise import revise
from bethink.formation.revision import ENDED
from bethink.formation.timing import Stages
from bethink.formation.typed import follow, typed_among
from bethink.operations.common import Notice
from bethink.operations.reject import RejectOutcome, RejectRequest, RejectResult
from bethink.operations.revise import ReviseRequest, ReviseResult
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.text.door import check_text
from bethink.text.entailment import entails
from bethink.text.spans import long_enough

REJECTED = "rejected"
_KNOWN = HISTORICAL | {Status.ARCHIVED}
"""What can be rejected: whatever became of it, but for what is hidden."""


@dataclass(frozen=True, slots=True)
class _Word:
    """What the word of whoever rejects is worth, since when it was said, and the session it was looked up in."""

    rank: int
    said_at: datetime | None
    session: str | None


@dataclass(frozen=True, slots=True)
class _Change:
    """What a rejection does: the outcome, and what to write of the record and of those that say the same."""

    outcome: RejectOutcome
    status: Status
    spans: tuple[tuple[str, StatusSpan], ...] = ()
    restated: Content | None = None
    put_away: tuple[str, ...] = ()


def reject(request: RejectRequest, desk: Desk) -> RejectResult:
    """Reject one record; what became of it.

    Raises:
        InvalidInput: a field that says nothing under this reason, or a place that is not named; nothing was changed.
        NotFound, AccessDenied: the record is not the caller's to change.
        StoreError, DeadlineExceeded: the write did not happen.
    """
    asked = _checked(request, desk)
    stages = Stages(desk.clock)
    with desk.store.snapshot(desk.tenant) as snapshot:
        what = named_record(snapshot, desk, asked.id, _KNOWN)
        word = _word(snapshot, desk, what, asked)
    if asked.reason == "changed" and asked.content is not None:
        result = _replaced(asked, desk, word)
    else:
        with stages.stage("transaction"), desk.store.write(desk.tenant) as work:
            result = _write(work, desk, asked, word)
    return replace(result, stages_ms=dict(stages.milliseconds)) if not result.stages_ms else result


def _checked(request: RejectRequest, desk: Desk) -> RejectRequest:
    """The request with what it says fit to be used."""
    if request.reason not in get_args(Reason):
        raise InvalidInput(f"reason {str(request.reason)[:40]!r} is none of {', '.join(get_args(Reason))}.")
    for name, only in (("content", "changed"), ("at", "changed"), ("where", "elsewhere")):
        if getattr(request, name) is not None and request.reason != only:
            raise InvalidInput(f"{name} says nothing when the reason is {request.reason}.", remedy=f"Leave {name} out.")
    if request.reason == "elsewhere" and desk.caller.project is None:
        msg = "Nothing is elsewhere for a caller without a project."
        raise InvalidInput(msg, remedy="Bind one: memory.bind(project=...) or --project.")
    limit = desk.content_limit
    return replace(
        request,
        where=None if request.where is None else check_id(request.where, "where"),
        at=None if request.at is None else utc(request.at, "at"),
        trace=None if request.trace is None else check_id(request.trace, "trace"),
        session=None if request.session is None else check_id(request.session, "session"),
        evidence=None if request.evidence is None else check_text(request.evidence, "evidence", limit),
    )


def _word(source: Snapshot, desk: Desk, what: tuple[Named, Record], asked: RejectRequest) -> _Word:
    """Whose word it is: the user's who calls, or of whoever said what the agent quotes."""
    session = asked.session or desk.caller.session
    if desk.caller.voice == "user":
        return _Word(RANK[SourceKind.USER_STATEMENT], None, session)
    fence = reading_fence(desk.caller, what[0].grants, frozenset({Status.ACTIVE}))
    quote = asked.evidence
    found = None if quote is None else find_quote(quote, turns_holding(source.turns, fence, session, quote))
    if found is None or quote is None or not long_enough(quote, found[0].text):
        return _Word(RANK[SourceKind.AGENT_INFERENCE], None, session)
    if entails(quote, what[1].content.text, (found[0].speaker, "user", desk.caller.principal.user)):
        return _Word(RANK[SourceKind.AGENT_INFERENCE], None, session)
    return _Word(RANK[standing_of(found[0])], found[0].said_at, session)


def _replaced(asked: RejectRequest, desk: Desk, word: _Word) -> RejectResult:
    """What was so and has changed: the record gives way to what holds now, like in every revision."""
    request = ReviseRequest(asked.id, "supersede", asked.content, None, asked.at, asked.evidence, asked.session)

    def keep(work: UnitOfWork, given: ReviseResult) -> None:
        if given.outcome != "conflict" and given.id != asked.id:
            _, record = named_record(work, desk, asked.id, _KNOWN)
            _keep(work, desk, record, asked, word)

    done = revise(request, desk, also=keep)
    outcome: RejectOutcome = "conflict"
    if done.outcome in {"superseded", "superseded_on_arrival"}:
        outcome = "superseded" if done.outcome == "superseded" else "superseded_on_arrival"
    return RejectResult(
        outcome, done.id, done.short_id, done.status, done.superseded, done.notices, stages_ms=done.stages_ms
    )


def _write(work: UnitOfWork, desk: Desk, asked: RejectRequest, word: _Word) -> RejectResult:
    """Decide and write, and keep the rejection."""
    what, record = named_record(work, desk, asked.id, _KNOWN)
    project = desk.caller.project if asked.reason == "elsewhere" else None
    known = work.rejections.of([record.id])
    if any(item.reason == asked.reason and item.project == project for item in known):
        return _result("already_rejected", record, record.status)
    if word.rank < record.content.source.rank:
        work.event("memory.rejected", record.id, {"reason": asked.reason, "outcome": "conflict", "rank": word.rank})
        text = f"{record.id} comes from a better source than whoever rejects it, so nothing of it changed."
        return _result("conflict", record, record.status, Notice("outranked", text))
    reach = deciding_fence(desk.caller, what.scope, what.grants)
    change = _change(work, desk, record, asked, reach)
    _apply(work, desk, record, change, reach)
    _keep(work, desk, record, asked, word)
    return _result(change.outcome, record, change.status, *_said(record, asked))


def _change(work: UnitOfWork, desk: Desk, record: Record, asked: RejectRequest, reach: Fence) -> _Change:
    """What the reason does to the record."""
    now, content = work.recorded_at, record.content
    if asked.reason == "untrue":
        twins = work.records.by_digest(replace(reach, statuses=LIVE), content.digest, content.type)
        same = [twin for twin in twins if twin.content.subject_key in {"", content.subject_key}]
        gone = StatusSpan(Status.ARCHIVED, now, ends_at=now, reason=REJECTED)
        ids = dict.fromkeys((record.id, *(twin.id for twin in same if twin.content.source.rank <= content.source.rank)))
        spans = tuple((item, gone) for item in ids) if record.status is not Status.ARCHIVED else ()
        return _Change("retired", Status.ARCHIVED, spans)
    if asked.reason == "changed":
        end = asked.at or now
        status = Status.EXPIRED if end <= now else record.status
        over = StatusSpan(status, now, ends_at=end, reason=ENDED)
        return _Change("expired", status, ((record.id, over),) if record.status in LIVE else ())
    if asked.reason == "elsewhere":
        home = _home(record, desk, asked)
        restated = replace(content, portability=Portability.LOCAL, origin=Origin(home, content.origin.session))
        quote = content.source.evidence
        turns = () if quote is None or quote.turn_id is None else (quote.turn_id,)
        typed = typed_among(work.turns, replace(reach, statuses=frozenset({Status.ACTIVE})), turns)
        return _Change("narrowed", record.status, (), restated, tuple(turn.id for turn in typed))
    return _Change("flagged", record.status, restated=replace(content, flags=content.flags | {REVIEW}))


def _home(record: Record, desk: Desk, asked: RejectRequest) -> str:
    """Where the record does hold.

    Raises:
        InvalidInput: nobody says, or it is here.
    """
    home = asked.where or record.content.origin.project
    if home is None or home == desk.caller.project:
        msg = f"{record.id} was learned here, or nowhere in particular, so it is not known where else it holds."
        raise InvalidInput(msg, remedy="Name the project in where, or reject it as untrue.")
    return home


def _apply(work: UnitOfWork, desk: Desk, record: Record, change: _Change, reach: Fence) -> None:
    """Write what the rejection changes, through the one writer."""
    usage = None
    if change.outcome == "flagged":
        usage = replace(weakened(record.usage), review_flagged_at=work.recorded_at)
    decision = Decision(
        "rejected",
        record.id,
        change.status,
        spans=change.spans,
        usage=usage,
        restated=change.restated,
        superseded=tuple(item for item, _ in change.spans if item != record.id),
    )
    follow(work, reach, [span for span in change.spans if span[0] == record.id])
    proposal = Proposal(record.id, change.restated or record.content, work.recorded_at, record.content.source.ref)
    details = {"outcome": change.outcome, "record": record.id}
    writing = Writing(decision, proposal, reach, put_away=change.put_away, event="memory.rejected", details=details)
    apply(work, desk, writing, Stages(desk.clock))


def _keep(work: UnitOfWork, desk: Desk, record: Record, asked: RejectRequest, word: _Word) -> None:
    """Keep the rejection under what it rejects."""
    rejection = Rejection(
        id=desk.ids.new(work.recorded_at),
        scope=record.content.scope,
        reason=asked.reason,
        rank=word.rank,
        said_at=word.said_at or work.recorded_at,
        project=desk.caller.project if asked.reason == "elsewhere" else None,
        record=record.id,
        trace=asked.trace,
    )
    work.rejections.add(rejection, rejected_statements(record.content))


def _said(record: Record, asked: RejectRequest) -> tuple[Notice, ...]:
    """A word about what an untrue record had replaced."""
    if asked.reason != "untrue" or not record.supersedes:
        return ()
    text = f"It had replaced {', '.join(record.supersedes)}; remember what holds if that does."
    return (Notice("had_replaced", text),)


def _result(outcome: RejectOutcome, record: Record, status: Status, *notices: Notice) -> RejectResult:
    """The answer."""
    return RejectResult(outcome, record.id, short_ids([record.id])[record.id], status, notices=tuple(notices))
