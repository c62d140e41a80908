"""The table of handlers: which kinds of job there are, and how each is done. A new kind is a row here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from bethink.domain.job import Job
from bethink.upkeep.expire import expire
from bethink.upkeep.workshop import Routine, Workshop


def _expire(job: Job, workshop: Workshop) -> Mapping[str, int]:
    """Write down what time has ended."""
    return {"lapsed": expire(workshop.own_desk(job.tenant))}


HANDLERS: Mapping[str, Routine] = {
    "expire": Routine(_expire, every=timedelta(hours=1)),
}
"""Every kind of job that a worker does, by name."""
