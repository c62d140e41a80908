"""Read a session for beliefs, as a recipe.

claim → transcript → suggest → find quotes → review → settle times → prepare, and then in one transaction: admit each
as an explicit write is admitted, write the one summary, move the watermark. Whatever fails before that transaction
leaves nothing behind but the turns, unread. No model runs inside a transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bethink.domain.scope import Scope
from bethink.errors import EmbedderError, InvalidInput, ModelError
from bethink.formation.desk import Desk
from bethink.formation.embed import Vectors, embedded, put_added
from bethink.formation.examine import Examined, Material, examined, gathered, reach
from bethink.formation.explicit import admit
from bethink.formation.proposal import Proposal
from bethink.formation.reading import let_go, read_through, still_held, take
from bethink.formation.summary import Summary, known_summary, summarised, summary_content, write_summary
from bethink.formation.timing import Stages
from bethink.operations.common import Notice
from bethink.operations.extraction import Dropped, ExtractRequest, ExtractResult, Suggested
from bethink.operations.remember import RememberResult
from bethink.ports.models import Readers
from bethink.ports.store import UnitOfWork
from bethink.text.template import Phrase


@dataclass(frozen=True, slots=True, eq=False)
class Summed:
    """A session's summary, and what to give it a vector with; each None where there is none."""

    summary: Summary | None
    vectors: Vectors | None


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
        return concluded(material, suggested, readers, stages)
    except (ModelError, EmbedderError) as error:
        let_go(held, desk, error.code)
        return ExtractResult("extraction_failed", held.session.id, problem=error.code)


def concluded(material: Material, suggested: Suggested, readers: Readers, stages: Stages) -> ExtractResult:
    """Review what was suggested, and store what is left of it with the summary.

    Raises:
        ModelError: the review cannot be used; nothing was stored.
        SessionBusy: the claim was lost; nothing was stored.
    """
    found = examined(material, suggested, readers, stages)
    summed = summary_of(material, suggested, stages)
    with stages.stage("transaction"), material.desk.store.write(material.desk.tenant) as work:
        still_held(material.held, work)
        result = stored(work, material, found, summed, stages)
        work.event("session.extracted", material.held.session.id, payload(result, readers, suggested, stages))
    return replace(result, stages_ms=dict(stages.milliseconds))


def summary_of(material: Material, suggested: Suggested, stages: Stages) -> Summed:
    """The session's summary, and what to give it a vector with."""
    with stages.stage("summary"):
        summary = summarised(material.transcript, suggested.summary)
        content = None if summary is None else summary_content(summary, material.transcript, _agent(material))
        vectors, _ = embedded(material.desk, [] if content is None else [Phrase(content.text)])
    return Summed(summary, vectors)


def stored(work: UnitOfWork, material: Material, found: Examined, summed: Summed, stages: Stages) -> ExtractResult:
    """Admit what was examined, write the summary and move the watermark, in one transaction."""
    beliefs = tuple(_admitted(work, material, found, stages))
    with stages.stage("summary"):
        summary_id = _summed(work, material, summed, stages)
    result = _result(material, beliefs, found.dropped, summary_id)
    read_through(material.held, work, result.outcome, summary_id)
    return result


def _admitted(work: UnitOfWork, material: Material, found: Examined, stages: Stages) -> Iterator[RememberResult]:
    """Admit one after the other, so that a later one meets the earlier ones; what the rules refuse is counted."""
    for item in found.ready:
        try:
            answer = admit(work, material.desk, item, stages)
        except InvalidInput:
            found.dropped["invalid"] += 1
            continue
        if answer.outcome == "rejected":
            found.dropped["rejected_before"] += 1
        else:
            yield answer


def _summed(work: UnitOfWork, material: Material, summed: Summed, stages: Stages) -> str | None:
    """Write the session's summary; its id."""
    summary, before = summed.summary, material.held.reading.summary_id
    if summary is None:
        return before
    content = summary_content(summary, material.transcript, _agent(material))
    fence = reach(work, material)
    proposal = Proposal(material.desk.ids.new(work.recorded_at), content, work.recorded_at, content.source.ref)
    known = known_summary(work, fence, before)
    summary_id, applied = write_summary(work, material.desk, (proposal, fence), known, stages)
    put_added(work, material.desk, summed.vectors, (applied.record,))
    return summary_id


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


def payload(result: ExtractResult, readers: Readers, suggested: Suggested, stages: Stages) -> dict[str, object]:
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
