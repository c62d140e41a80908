"""Derive a session anew, as a recipe: claim → read all of it → replay what was rejected and erased → store what is new.

It goes the way of every reading, so there is one set of rules. A dry run goes that way too, to the end of the
transaction, and then takes it back: what it says would change is what does change. Nothing that was rejected, hidden or
erased comes back, whoever reads; what the new reader does not form stays and is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bethink.domain.record import LIVE
from bethink.domain.rejection import Rejection, wanted_statements
from bethink.errors import EmbedderError, ModelError
from bethink.formation.desk import Desk
from bethink.formation.examine import Examined, Material, examined, gathered, reach
from bethink.formation.extract import payload, stored, summary_of
from bethink.formation.reading import let_go, still_held, take, unclaimed
from bethink.formation.timing import Stages
from bethink.operations.extraction import (
    ExtractResult,
    RederiveRequest,
    RederiveResult,
    Replayed,
    Suggested,
)
from bethink.ports.models import Readers
from bethink.ports.store import UnitOfWork


class _TakenBack(Exception):
    """A dry run that came to its end."""

    def __init__(self, result: RederiveResult) -> None:
        super().__init__()
        self.result = result


def rederive(request: RederiveRequest, desk: Desk, readers: Readers) -> RederiveResult:
    """Derive one session anew, or say what that would change.

    Raises:
        NotFound, AccessDenied: the caller may not use the session.
        SessionBusy: somebody else reads it.
        StoreError: the store cannot be read or written.
    """
    held = unclaimed(request.session, desk) if request.dry_run else take(request.session, desk, again=True)
    if held.reading.upto == 0:
        return RederiveResult("nothing_new", held.session.id, request.dry_run, summary_id=held.reading.summary_id)
    stages = Stages(desk.clock)
    material = gathered(held, desk, stages)
    try:
        with stages.stage("extractor"):
            suggested = readers.extractor.suggest(material.transcript)
        return _admitted(material, suggested, readers, stages, dry_run=request.dry_run)
    except _TakenBack as back:
        return back.result
    except (ModelError, EmbedderError) as error:
        if not request.dry_run:
            let_go(held, desk, error.code)
        return RederiveResult("extraction_failed", held.session.id, request.dry_run, problem=error.code)


def _admitted(
    material: Material, suggested: Suggested, readers: Readers, stages: Stages, *, dry_run: bool
) -> RederiveResult:
    """Admit what is new in one transaction, and end it there or take it back.

    Raises:
        _TakenBack: it was a dry run, and nothing was written.
    """
    found = examined(material, suggested, readers, stages)
    summed = summary_of(material, suggested, stages)
    with stages.stage("transaction"), material.desk.store.write(material.desk.tenant) as work:
        if not dry_run:
            still_held(material.held, work)
        replayed = _replayed(work, material, found)
        done = stored(work, material, found, summed, stages)
        result = _result(work, material, found, done)
        result = replace(result, replayed=replayed, dry_run=dry_run)
        if dry_run:
            raise _TakenBack(result)
        told = {**payload(done, readers, suggested, stages), "rejections": [item.reason for item in replayed]}
        work.event("session.rederived", material.held.session.id, told)
    return result


def _replayed(work: UnitOfWork, material: Material, found: Examined) -> tuple[Replayed, ...]:
    """The rejections of what the session gave before, and of what is suggested now, the latest first."""
    about = work.rejections.of(_quoting(work, material))
    met: Iterable[Rejection] = (
        rejection
        for item in found.ready
        for rejection in work.rejections.matching(item.scope, wanted_statements(item.draft.content))
    )
    distinct = {rejection.id: rejection for rejection in (*about, *met)}
    ordered = sorted(distinct.values(), key=lambda item: (item.said_at, item.id), reverse=True)
    return tuple(Replayed(item.reason, item.record, item.said_at) for item in ordered)


def _quoting(work: UnitOfWork, material: Material) -> tuple[str, ...]:
    """Ids of the records that quote what was read."""
    turns = [passage.turn.id for passage in material.transcript.unread]
    return tuple(sorted(set(work.records.quoting(turns)))) if turns and material.held.reading.upto else ()


def _result(work: UnitOfWork, material: Material, found: Examined, done: ExtractResult) -> RederiveResult:
    """What it came to, with what of the session this reader does not form."""
    formed = {belief.id for belief in done.beliefs}
    live = replace(reach(work, material), statuses=LIVE)
    quoting = work.records.get(live, _quoting(work, material))
    left = sorted(record.id for record in quoting if record.id not in formed | found.known)
    return RederiveResult(
        outcome="rederived" if done.beliefs else "nothing_new",
        session=done.session,
        dry_run=False,
        beliefs=done.beliefs,
        known=tuple(sorted(found.known)),
        not_formed=tuple(left),
        dropped=done.dropped,
        summary_id=done.summary_id,
    )
