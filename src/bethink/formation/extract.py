"""Read a session for beliefs, as a recipe.

claim → transcript → suggest → find quotes → review → settle times → prepare, and then in one transaction: admit each
as an explicit write is admitted, write the one summary, move the watermark. Whatever fails before that transaction
leaves nothing behind but the turns, unread. No model runs inside a transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Record, Status, content_digest, fold
from bethink.domain.scope import Caller, Principal, Scope, ScopeKind, Sensitivity, Target
from bethink.domain.session import Session, Turn
from bethink.domain.transcript import Transcript
from bethink.errors import EmbedderError, InvalidInput, ModelError
from bethink.formation.access import deciding_fence, reading_fence
from bethink.formation.decide import Proposal
from bethink.formation.desk import Desk
from bethink.formation.embed import Vectors, embedded, put_added
from bethink.formation.evidence import PAGE
from bethink.formation.explicit import Prepared, admit, prepare
from bethink.formation.known import already_said, as_known
from bethink.formation.quoted import Quoted
from bethink.formation.reading import Held, let_go, read_through, still_held, take
from bethink.formation.review import narrowed, ruled
from bethink.formation.summary import Summary, known_summary, summarised, summary_content, write_summary
from bethink.formation.timing import Stages
from bethink.formation.transcript import transcribed
from bethink.formation.validate import Founded, founded, timed
from bethink.operations.common import Notice
from bethink.operations.extraction import Dropped, ExtractRequest, ExtractResult, Suggested, Suggestion
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.ports.models import Case, Readers
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.text.template import Phrase

AROUND = 2
"""Passages on each side of a quote that its reviewer sees."""


@dataclass(frozen=True, slots=True)
class Material:
    """A session under way: who holds it, who writes for it, and what may be read of it."""

    held: Held
    desk: Desk
    transcript: Transcript


def extract(request: ExtractRequest, desk: Desk, readers: Readers, scope: Scope | None = None) -> ExtractResult:
    """Read what is unread of one session, and store what it supports.

    Args:
        request: which session.
        desk: who asks for it; it is written as whoever held the session.
        readers: who suggests and who reviews.
        scope: whose session of that id; the first the caller may use unless given.

    Raises:
        NotFound, AccessDenied: the caller may not use the session.
        SessionBusy: somebody else reads it.
        StoreError: the store cannot be read or written; the claim runs out by itself.
    """
    stages = Stages(desk.clock)
    held = take(request.session, desk, scope, again=request.again)
    if held.reading.claim is None:
        return ExtractResult("nothing_to_store", held.session.id, summary_id=held.reading.summary_id)
    material = gathered(held, desk, stages)
    try:
        with stages.stage("extractor"):
            suggested = readers.extractor.suggest(material.transcript)
        return settled(material, suggested, readers, stages)
    except (ModelError, EmbedderError) as error:
        let_go(held, desk, error.code)
        return ExtractResult("extraction_failed", held.session.id, problem=error.code)


def gathered(held: Held, desk: Desk, stages: Stages) -> Material:
    """The session's turns as they may be read, and a desk for whoever held it."""
    own = replace(desk, caller=caller_of(held.session, desk.caller.principal.tenant))
    with stages.stage("transcript"), desk.store.snapshot(desk.tenant) as snapshot:
        fence = _session_fence(snapshot, own, held.session)
        turns = tuple(turn for turn in _turns(snapshot, fence, held.session.id) if turn.seq < held.reading.upto)
    return Material(held, own, transcribed(held.session, turns, held.reading.next_seq))


def settled(material: Material, suggested: Suggested, readers: Readers, stages: Stages) -> ExtractResult:
    """Review what was suggested, and store what is left of it with the summary.

    Raises:
        ModelError: the review cannot be used; nothing was stored.
        SessionBusy: the claim was lost; nothing was stored.
    """
    dropped: Counter[Dropped] = Counter()
    with stages.stage("validation"):
        found = founded(suggested.suggestions, material.transcript, dropped)
    with stages.stage("reviewer"):
        accepted = _reviewed(found, material, readers, dropped)
    ready = list(_prepared(accepted, material, stages, dropped))
    with stages.stage("summary"):
        summary = summarised(material.transcript, suggested.summary)
        content = None if summary is None else summary_content(summary, material.transcript, _agent(material))
        vectors, _ = embedded(material.desk, [] if content is None else [Phrase(content.text)])
    with stages.stage("transaction"), material.desk.store.write(material.desk.tenant) as work:
        still_held(material.held, work)
        beliefs = tuple(_admitted(work, material, ready, stages, dropped))
        with stages.stage("summary"):
            summary_id = _summed(work, material, summary, vectors, stages)
        result = _result(material, beliefs, dropped, summary_id)
        read_through(material.held, work, result.outcome, summary_id)
        work.event("session.extracted", material.held.session.id, _payload(result, readers, suggested, stages))
    return replace(result, stages_ms=dict(stages.milliseconds))


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
        reach = _reach(snapshot, material)
        cases = [_case(item, material.transcript, snapshot, reach) for item in found]
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
    return source.records.same_fact(live, fold(subject), fold(suggestion.attribute).replace(" ", "_"))


def _prepared(
    accepted: Sequence[Founded], material: Material, stages: Stages, dropped: Counter[Dropped]
) -> Iterator[Prepared]:
    """What is left, made ready to be admitted as any write is."""
    for item in accepted:
        with material.desk.store.snapshot(material.desk.tenant) as snapshot:
            reach = _reach(snapshot, material)
            suggestion = timed(item)
            known = _of_fact(suggestion, material.transcript.session, snapshot, reach)
            quoting = snapshot.records.quoting((item.passage.turn.id,))
            said = snapshot.records.get(replace(reach, statuses=frozenset(Status)), quoting)
            erased = snapshot.is_erased(content_digest(suggestion.content))
        if erased or already_said(suggestion, said, material.transcript.user):
            dropped["erased" if erased else "known"] += 1
            continue
        words = as_known(suggestion, known, material.transcript.user)
        request = _request(item, suggestion, material.transcript.session)
        try:
            yield prepare(request, material.desk, stages, Quoted(item.passage.turn, item.span, words))
        except InvalidInput:
            dropped["invalid"] += 1


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


def _admitted(
    work: UnitOfWork, material: Material, ready: Sequence[Prepared], stages: Stages, dropped: Counter[Dropped]
) -> Iterator[RememberResult]:
    """Admit one after the other, so that a later one meets the earlier ones; what the rules refuse is counted."""
    for item in ready:
        try:
            answer = admit(work, material.desk, item, stages)
        except InvalidInput:
            dropped["invalid"] += 1
            continue
        if answer.outcome == "rejected":
            dropped["rejected_before"] += 1
        else:
            yield answer


def _summed(
    work: UnitOfWork, material: Material, summary: Summary | None, vectors: Vectors | None, stages: Stages
) -> str | None:
    """Write the session's summary; its id."""
    before = material.held.reading.summary_id
    if summary is None:
        return before
    content = summary_content(summary, material.transcript, _agent(material))
    reach = _reach(work, material)
    proposal = Proposal(material.desk.ids.new(work.recorded_at), content, work.recorded_at, content.source.ref)
    known = known_summary(work, reach, before)
    summary_id, applied = write_summary(work, material.desk, (proposal, reach), known, stages)
    put_added(work, material.desk, vectors, (applied.record,))
    return summary_id


def _reach(source: Snapshot | UnitOfWork, material: Material) -> Fence:
    """What a write into the session's scope is decided against."""
    caller = material.desk.caller
    return deciding_fence(caller, material.transcript.session.scope, source.grants.of(caller))


def _agent(material: Material) -> str:
    """Who writes the session's records."""
    return material.desk.caller.principal.agent


def _result(
    material: Material, beliefs: tuple[RememberResult, ...], dropped: Counter[Dropped], summary_id: str | None
) -> ExtractResult:
    """What reading came to."""
    over = dropped["over_the_cap"]
    notice = Notice("over_the_cap", f"{over} suggestions were more than one reading may store and were left out.")
    return ExtractResult(
        outcome="stored" if beliefs else "nothing_to_store",
        session=material.held.session.id,
        beliefs=beliefs,
        dropped={reason: count for reason, count in sorted(dropped.items()) if count},
        summary_id=summary_id,
        turns=len(material.transcript.unread) + material.transcript.hidden,
        hidden=material.transcript.hidden,
        notices=(notice,) if over else (),
    )


def _payload(result: ExtractResult, readers: Readers, suggested: Suggested, stages: Stages) -> dict[str, object]:
    """What the log keeps of a reading: who read, ids, counts and times, never words."""
    return {
        "extractor": readers.extractor.name,
        "turns": result.turns,
        "hidden": result.hidden,
        "suggested": len(suggested.suggestions),
        "beliefs": [belief.id for belief in result.beliefs],
        "outcomes": dict(sorted(Counter(belief.outcome for belief in result.beliefs).items())),
        "dropped": dict(result.dropped),
        "summary": result.summary_id,
        "stages_ms": dict(stages.milliseconds),
    }
