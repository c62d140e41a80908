"""Examine what a reader makes of a session: its turns as they may be read, quotes, review, times, and what is known.

All of it reads and nothing is written: what is left is ready to be admitted as any write is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Record, Status, attribute_key, content_digest, fold
from bethink.domain.scope import Caller, Principal, Scope, ScopeKind, Sensitivity, Target
from bethink.domain.session import Session, Turn
from bethink.domain.transcript import Transcript
from bethink.errors import InvalidInput
from bethink.formation.access import deciding_fence, reading_fence
from bethink.formation.barred import barred
from bethink.formation.desk import Desk
from bethink.formation.evidence import PAGE
from bethink.formation.explicit import Prepared, prepare
from bethink.formation.known import already_said, as_known
from bethink.formation.quoted import Quoted
from bethink.formation.reading import Held
from bethink.formation.review import narrowed, ruled
from bethink.formation.timing import Stages
from bethink.formation.transcript import transcribed
from bethink.formation.validate import Founded, founded, timed
from bethink.operations.extraction import Dropped, Suggested, Suggestion
from bethink.operations.remember import RememberRequest
from bethink.ports.models import Case, Readers
from bethink.ports.store import Snapshot, UnitOfWork

AROUND = 2
"""Passages on each side of a quote that its reviewer sees."""


@dataclass(frozen=True, slots=True)
class Material:
    """A session under way: who holds it, who writes for it, and what may be read of it."""

    held: Held
    desk: Desk
    transcript: Transcript


@dataclass(slots=True)
class Examined:
    """What is left of a reader's suggestions.

    `ready` is to be admitted, `known` are ids of records that say what was suggested already, `dropped` counts the
    suggestions that were not stored, by why.
    """

    ready: list[Prepared] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    dropped: Counter[Dropped] = field(default_factory=Counter)


def gathered(held: Held, desk: Desk, stages: Stages) -> Material:
    """The session's turns as they may be read, and a desk for whoever held it."""
    own = replace(desk, caller=caller_of(held.session, desk.caller.principal.tenant))
    with stages.stage("transcript"), desk.store.snapshot(desk.tenant) as snapshot:
        fence = _session_fence(snapshot, own, held.session)
        turns = tuple(turn for turn in _turns(snapshot, fence, held.session.id) if turn.seq < held.reading.upto)
    return Material(held, own, transcribed(held.session, turns, held.reading.next_seq))


def examined(material: Material, suggested: Suggested, readers: Readers, stages: Stages) -> Examined:
    """What of the suggestions stands in the session, passed its review and is not known yet.

    Raises:
        ModelError: the review cannot be used.
    """
    found = Examined()
    with stages.stage("validation"):
        places = founded(suggested.suggestions, material.transcript, found.dropped)
    with stages.stage("reviewer"):
        accepted = _reviewed(places, material, readers, found.dropped)
    for item in accepted:
        _prepare(item, material, stages, found)
    return found


def caller_of(session: Session, tenant: str) -> Caller:
    """Whoever held a session, as the one who writes what it gives: an agent, whose every claim needs its quote."""
    task = session.scope.id if session.scope.kind is ScopeKind.TASK else None
    project = session.scope.id if session.scope.kind is ScopeKind.PROJECT else session.project
    return Caller(
        Principal(tenant, session.user, session.agent),
        project=project,
        task=task,
        channel=session.channel,
        surface="extraction",
        ceiling=Sensitivity.SECRET,
        session=session.id,
    )


def _session_fence(snapshot: Snapshot, desk: Desk, session: Session) -> Fence:
    """The session's own turns, and nothing of a session of the same id in another scope."""
    fence = reading_fence(desk.caller, snapshot.grants.of(desk.caller), frozenset({Status.ACTIVE}))
    return replace(fence, scopes=tuple(scope for scope in fence.scopes if scope == session.scope))


def _turns(snapshot: Snapshot, fence: Fence, session: str) -> Iterator[Turn]:
    """A session's turns in order, page by page."""
    after = -1
    while page := snapshot.turns.of_session(fence, session, limit=PAGE, after=after):
        yield from page
        after = page[-1].seq


def _reviewed(
    found: Sequence[Founded], material: Material, readers: Readers, dropped: Counter[Dropped]
) -> list[Founded]:
    """What the reviewer let pass, narrowed where it said so."""
    if not found:
        return []
    with material.desk.store.snapshot(material.desk.tenant) as snapshot:
        fence = reach(snapshot, material)
        cases = [_case(item, material.transcript, snapshot, fence) for item in found]
    passed = []
    for item, word in zip(found, ruled(readers.reviewer.review(cases), len(cases)), strict=True):
        if word.ruling == "reject":
            dropped["rejected"] += 1
            continue
        less = item.suggestion if word.ruling == "accept" else narrowed(item.suggestion, word, item.quote)
        if less is None:
            dropped["overreach"] += 1
        else:
            passed.append(replace(item, suggestion=less))
    return passed


def _case(item: Founded, transcript: Transcript, snapshot: Snapshot, reach: Fence) -> Case:
    """A suggestion with the turns around it and the live records of its fact."""
    passages = (*transcript.before, *transcript.unread)
    at = passages.index(item.passage)
    around = (*passages[max(0, at - AROUND) : at], *passages[at + 1 : at + 1 + AROUND])
    return Case(item.suggestion, item.passage, around, _of_fact(item.suggestion, transcript.session, snapshot, reach))


def _of_fact(
    suggestion: Suggestion, session: Session, source: Snapshot | UnitOfWork, reach: Fence
) -> tuple[Record, ...]:
    """The live records of the fact a suggestion states."""
    live = replace(reach, statuses=LIVE)
    subject = suggestion.subject or (session.user if session.scope.kind is ScopeKind.USER else "")
    if not subject or not suggestion.attribute:
        return source.records.by_digest(live, content_digest(suggestion.content), suggestion.type)
    return source.records.same_fact(live, fold(subject), attribute_key(suggestion.attribute))


def _prepare(item: Founded, material: Material, stages: Stages, found: Examined) -> None:
    """Make a suggestion ready, unless it is known, was erased, or cannot be used."""
    transcript = material.transcript
    with material.desk.store.snapshot(material.desk.tenant) as snapshot:
        fence = reach(snapshot, material)
        suggestion = timed(item)
        known = _of_fact(suggestion, transcript.session, snapshot, fence)
        quoting = snapshot.records.quoting((item.passage.turn.id,))
        said = snapshot.records.get(replace(fence, statuses=frozenset(Status)), quoting)
        erased = snapshot.is_erased(content_digest(suggestion.content)) or barred(
            snapshot, item, suggestion, transcript
        )
    same = {record.id for record in said if already_said(suggestion, (record,), transcript.user)}
    found.known |= same
    if erased or same:
        found.dropped["known" if same else "erased"] += 1
        return
    words = as_known(suggestion, known, transcript.user)
    request = _request(item, suggestion, transcript.session)
    try:
        found.ready.append(prepare(request, material.desk, stages, Quoted(item.passage.turn, item.span, words)))
    except InvalidInput:
        found.dropped["invalid"] += 1


def _request(item: Founded, timed_: Suggestion, session: Session) -> RememberRequest:
    """A suggestion as the request an agent would make with it, in the words that its quote has to say."""
    return RememberRequest(
        content=item.suggestion.content,
        type=timed_.type,
        subject=timed_.subject,
        attribute=timed_.attribute,
        target=_target(session.scope),
        evidence=item.quote,
        session=session.id,
        polarity=timed_.polarity,
        event_at=timed_.event_at,
        valid_from=timed_.valid_from,
        valid_until=timed_.valid_until,
        review_at=timed_.review_at,
        temporary=timed_.temporary,
        sensitivity=item.passage.turn.sensitivity,
        mentions=timed_.mentions,
    )


def _target(scope: Scope) -> Target:
    """The symbolic name of a session's scope."""
    targets: dict[ScopeKind, Target] = {
        ScopeKind.USER: "personal",
        ScopeKind.PROJECT: "project",
        ScopeKind.TASK: "task",
        ScopeKind.AGENT: "private",
    }
    return targets[scope.kind]


def reach(source: Snapshot | UnitOfWork, material: Material) -> Fence:
    """What a write into the session's scope is decided against."""
    caller = material.desk.caller
    return deciding_fence(caller, material.transcript.session.scope, source.grants.of(caller))
