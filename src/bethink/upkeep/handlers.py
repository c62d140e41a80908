"""The table of handlers: which kinds of job there are, and how each is done. A new kind is a row here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta

from bethink.domain.job import Job
from bethink.domain.scope import Scope
from bethink.errors import ModelError
from bethink.formation.desk import Desk
from bethink.formation.examine import caller_of
from bethink.formation.extract import extract
from bethink.formation.reading import EXTRACT
from bethink.operations.extraction import ExtractRequest
from bethink.operations.upkeep import PassReport
from bethink.upkeep.expire import expire
from bethink.upkeep.files import run_files
from bethink.upkeep.hints import run_hints
from bethink.upkeep.pairing import run_contradictions, run_pairs, run_review
from bethink.upkeep.promotion import run_promotion
from bethink.upkeep.review_due import flag_due
from bethink.upkeep.synthesis import run_synthesis
from bethink.upkeep.workshop import Handler, Routine, Workshop

BATCH = 100
"""Things a pass looks at between two looks at the rest."""


def _expire(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Write down what time has ended."""
    return {"lapsed": expire(workshop.own_desk(job.tenant))}


def _extract(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Read a session that ended.

    Raises:
        ModelError: it could not be read; its turns stay unread.
        SessionBusy: somebody else reads it.
    """
    scope, session_id = Scope.parse(str(job.payload["scope"])), str(job.payload["session"])
    with workshop.store.snapshot(job.tenant) as snapshot:
        session = snapshot.sessions.get(session_id, (scope.key,))
    if session is None or workshop.readers is None:
        return {}
    desk = workshop.desk(caller_of(session, job.tenant))
    result = extract(ExtractRequest(session_id), desk, workshop.readers, scope)
    if result.outcome == "extraction_failed":
        raise ModelError(f"Session {session_id[:60]!r} could not be read ({result.problem}).")
    return {"sessions read": 1, "beliefs": len(result.beliefs), "dropped": sum(result.dropped.values())}


def _passes(run: Callable[[Desk, int], PassReport]) -> Handler:
    """A pass of upkeep as a handler: run until nothing is due, a batch at a time."""

    def work(job: Job, workshop: Workshop) -> Mapping[str, int]:
        done: Counter[str] = Counter()
        more = True
        while more:
            report = run(workshop.own_desk(job.tenant), BATCH)
            done.update(report.changed)
            more = report.more
        return {name: count for name, count in done.items() if count}

    return work


def _review(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Flag what asked to be looked at again."""
    return {"flagged for review": flag_due(workshop.own_desk(job.tenant))}


def _hints(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Count what was asked for in vain."""
    traces = workshop.traces
    if traces is None:
        return {}
    return _passes(lambda desk, limit: run_hints(desk, traces, limit))(job, workshop)


def _files(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Scan the declared roots of a tenant."""
    if workshop.files is None:
        return {}
    return run_files(workshop.own_desk(job.tenant), workshop.files).changed


def _screens(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Screen by the rules of today what those of another version found clean."""
    return {"screened anew": workshop.store.screen_anew(job.tenant)}


def _traces(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Take out of traces what only an operator may see, once its time is over."""
    if workshop.traces is None:
        return {}
    return {"traces cut": workshop.traces.expire_operator_fields(job.tenant, workshop.clock.now())}


HANDLERS: Mapping[str, Routine] = {
    EXTRACT: Routine(_extract),
    "expire": Routine(_expire, every=timedelta(hours=1)),
    "review": Routine(_review, every=timedelta(minutes=15)),
    "contradictions": Routine(_passes(run_contradictions), every=timedelta(hours=1)),
    "dedup_review": Routine(_passes(run_review), every=timedelta(hours=1)),
    "pairs": Routine(_passes(run_pairs), every=timedelta(hours=1)),
    "promotion": Routine(_passes(run_promotion), every=timedelta(hours=1)),
    "files": Routine(_files, every=timedelta(days=1)),
    "screens": Routine(_screens, every=timedelta(days=1)),
    "traces": Routine(_traces, every=timedelta(days=1)),
    "hints": Routine(_hints, every=timedelta(hours=1)),
    "synthesis": Routine(_passes(run_synthesis), every=timedelta(hours=1)),
}
"""Every kind of job that a worker does, by name."""
