"""The table of handlers: which kinds of job there are, and how each is done. A new kind is a row here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta

from bethink.domain.job import Job
from bethink.formation.desk import Desk
from bethink.operations.upkeep import PassReport
from bethink.upkeep.expire import expire
from bethink.upkeep.synthesis import run_synthesis
from bethink.upkeep.workshop import Handler, Routine, Workshop

BATCH = 100
"""Things a pass looks at between two looks at the rest."""


def _expire(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Write down what time has ended."""
    return {"lapsed": expire(workshop.own_desk(job.tenant))}


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


HANDLERS: Mapping[str, Routine] = {
    "expire": Routine(_expire, every=timedelta(hours=1)),
    "synthesis": Routine(_passes(run_synthesis), every=timedelta(hours=1)),
}
"""Every kind of job that a worker does, by name."""
