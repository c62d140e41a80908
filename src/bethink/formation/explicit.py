"""`remember`, the explicit write, as a recipe.

check → redact → permission → evidence → screen → draft → embed, and then in one transaction: replay → entities →
neighbours → decide → apply. Nothing is written before `apply`, no model runs inside the transaction, and what was
lowered, redacted or held back on the way is said in the result's notices.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bethink.domain.fence import Fence
from bethink.domain.record import Status, lasts, short_ids
from bethink.domain.scope import Caller, Scope
from bethink.formation.access import deciding_fence, reading_fence, writable_scope
from bethink.formation.answers import Question, keep, replayed
from bethink.formation.apply import Applied, Writing, apply
from bethink.formation.check import checked
from bethink.formation.decide import decide
from bethink.formation.desk import Desk
from bethink.formation.draft import Draft, drafted
from bethink.formation.embed import Vectors, embedded, put_added, waits
from bethink.formation.entities import Resolved, resolve
from bethink.formation.evidence import Grounds, ground, turns_holding
from bethink.formation.filing import known_nodes
from bethink.formation.neighbours import meet
from bethink.formation.proposal import Decision, Proposal
from bethink.formation.quoted import Quoted
from bethink.formation.screening import erased_before, screened
from bethink.formation.secrecy import redacted
from bethink.formation.timing import Stages
from bethink.formation.typed import typed_among
from bethink.operations.common import Notice
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.ports.store import UnitOfWork


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request with everything that is known before the transaction.

    `question` is what an answer is kept under. `vectors` are those of the draft's record and turn, `waits` whether what
    has none waits for one, `waiting` what to say then.
    """

    request: RememberRequest
    scope: Scope
    grounds: Grounds
    draft: Draft
    question: Question
    notices: tuple[Notice, ...]
    vectors: Vectors | None
    waits: bool
    waiting: tuple[Notice, ...]


def remember(request: RememberRequest, desk: Desk) -> RememberResult:
    """Remember one statement; what became of it, and why.

    Raises:
        InvalidInput: a field cannot be used; nothing was stored.
        AccessDenied: the caller may not write the target.
        IdempotencyMismatch: the key belongs to another request.
        StoreError, DeadlineExceeded: the write did not happen.
    """
    stages = Stages(desk.clock)
    ready = prepare(request, desk, stages)
    with stages.stage("transaction"), desk.store.write(desk.tenant) as work:
        result = admit(work, desk, ready, stages)
    return result if result.outcome == "replayed" else replace(result, stages_ms=dict(stages.milliseconds))


def prepare(request: RememberRequest, desk: Desk, stages: Stages, quoted: Quoted | None = None) -> Prepared:
    """Everything that reads and decides nothing: check, redact, permission, evidence, screen, draft, embed.

    Args:
        request: the statement.
        desk: who states it, and what it is written with.
        stages: where the time goes.
        quoted: where its quote was found already; looked for in its session unless given.

    Raises:
        InvalidInput: a field cannot be used.
        AccessDenied: the caller may not write the target.
    """
    caller = desk.caller
    clean, secrets = redacted(checked(request, desk.clock.now(), desk.content_limit))
    session = clean.session or caller.session
    with desk.store.snapshot(desk.tenant) as snapshot:
        with stages.stage("permission"):
            grants = snapshot.grants.of(caller)
            scope = writable_scope(caller, clean.target, grants)
        with stages.stage("evidence"):
            fence = reading_fence(caller, grants, frozenset({Status.ACTIVE}))
            said = turns_holding(snapshot.turns, fence, session, clean.evidence) if quoted is None else (quoted.turn,)
            grounds = ground(clean, caller, said)
            verdict = screened(clean.content, grounds.source.kind)
    draft = drafted(clean, desk, scope, grounds, verdict.flags)
    draft = draft if quoted is None else quoted.worded(draft)
    with stages.stage("embedding"):
        vectors, waiting = embedded(desk, draft.texts)
    return Prepared(
        request=clean,
        scope=scope,
        grounds=grounds,
        draft=draft,
        question=Question.of(clean, caller, session),
        notices=(*secrets, *grounds.notices, *verdict.notices),
        vectors=vectors,
        waits=waits(desk),
        waiting=waiting,
    )


def admit(work: UnitOfWork, desk: Desk, ready: Prepared, stages: Stages) -> RememberResult:
    """Decide and write inside one transaction; an answer that was given before is given again.

    Raises:
        InvalidInput: the rules refuse the statement; nothing of it was written.
        AccessDenied: the caller may no longer write the target.
    """
    caller = desk.caller
    with stages.stage("permission"):
        grants = work.grants.of(caller)
        writable_scope(caller, ready.request.target, grants)
        earlier = replayed(work.idempotency, ready.question, RememberResult)
    if earlier is not None:
        return earlier
    readable = reading_fence(caller, grants, frozenset()).scopes
    with stages.stage("entity"):
        scopes = sorted({scope.key for scope in (*readable, ready.scope)})
        found = resolve(work, desk, ready.draft.content, ready.request.mentions, scopes)
    proposal = _proposal(work, desk, ready, found)
    reach = deciding_fence(caller, ready.scope, grants)
    near = meet(work, reach, proposal, stages)
    with stages.stage("contradiction"):
        decision = decide(proposal, near)
    away = tuple(turn.id for turn in typed_among(work.turns, _active(reach), decision.withdrawn))
    filed = known_nodes(work, ready.request.taxonomy)
    writing = Writing(decision, proposal, reach, found.created, ready.draft.turn, away, filed=filed)
    applied = apply(work, desk, writing, stages)
    with stages.stage("embedding"):
        added = put_added(work, desk, ready.vectors, (applied.record, applied.turn))
    said = (*found.notices, *erased_before(work, proposal.content.text), *_moved(decision, caller), *added.split)
    result = _result(ready, decision, applied, (*ready.notices, *said, *(ready.waiting if added.missing else ())))
    result = replace(result, embedding_pending=added.missing and ready.waits)
    if decision.record is not None and decision.record.content.subject_key:
        work.rejections.answered(caller.principal.user, decision.record.content.subject_key)
    keep(work.idempotency, ready.question, result)
    return result


def _proposal(work: UnitOfWork, desk: Desk, ready: Prepared, found: Resolved) -> Proposal:
    """The draft as it is decided about, with the identity and time of this transaction."""
    return Proposal(
        id=desk.ids.new(work.recorded_at),
        content=replace(ready.draft.content, subject_entity=found.about.id if found.about else None),
        at=work.recorded_at,
        support=ready.draft.support,
        expires_at=ready.request.expires_at,
        entities=found.links,
        narrows=_narrows(ready.request, desk.caller),
        said_at=ready.grounds.said_at or (work.recorded_at if ready.grounds.typed else None),
    )


def _result(ready: Prepared, decision: Decision, applied: Applied, notices: tuple[Notice, ...]) -> RememberResult:
    """The answer, as far as the transaction knows it."""
    return RememberResult(
        outcome=decision.outcome,
        id=decision.id,
        short_id=short_ids([decision.id])[decision.id],
        status=decision.status,
        source=ready.grounds.source.kind,
        superseded=decision.superseded,
        conflicts=decision.conflicts,
        evidence_located=ready.grounds.located,
        notices=notices,
        position=applied.record or 0,
    )


def _narrows(request: RememberRequest, caller: Caller) -> bool:
    """Whether the user says how far the statement carries, from a project that it can be narrowed to."""
    return caller.voice == "user" and request.portability is not None and caller.project is not None


def _active(fence: Fence) -> Fence:
    """The same reach, for what was not put away already."""
    return replace(fence, statuses=frozenset({Status.ACTIVE}))


def _moved(decision: Decision, caller: Caller) -> tuple[Notice, ...]:
    """A word about what the statement did to others that say the same or come from its source."""
    notices = []
    if decision.outcome == "narrowed":
        text = f"What was known more widely now belongs to project {caller.project} and is withdrawn elsewhere."
        notices.append(Notice("narrowed", text))
    if decision.outcome == "rejected":
        notices.append(Notice("rejected_before", "This was rejected after it was said, so it is not remembered."))
    if decision.record is not None and caller.voice == "agent" and lasts(decision.record.content):
        text = f"A lasting {decision.record.content.type} was stored: let the user see it."
        notices.append(Notice("lasting", text))
    if decision.stale:
        text = f"{len(decision.stale)} records of earlier revisions of this source are marked stale."
        notices.append(Notice("source_moved_on", text))
    return tuple(notices)
