"""`worker` and `jobs`: do what waits, and look at it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from bethink.domain.job import Job, JobState
from bethink.domain.time import iso
from bethink.errors import NotFound
from bethink.interfaces.cli.command import STORE, TENANT, Call, command
from bethink.interfaces.cli.screen import columns, remark, say
from bethink.operations.jobs import JobsListed, JobsResult

StateName = Literal["waiting", "running", "dead"]


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """What `worker` takes."""

    once: Annotated[bool, typer.Option("--once", help="Do what is due now and end.")] = False
    poll: Annotated[float, typer.Option(metavar="SECONDS", min=0.05, help="How long to wait for more work.")] = 5.0
    limit: Annotated[int, typer.Option(min=1, help="Jobs in one go.")] = 100


@dataclass(frozen=True, slots=True)
class JobsOptions:
    """What `jobs` takes."""

    state: Annotated[StateName | None, typer.Option(help="Only those.")] = None
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50
    retry: Annotated[str | None, typer.Option(metavar="ID", help="Let this dead job be tried anew.")] = None


@dataclass(frozen=True, slots=True)
class Retried:
    """A dead job that will be tried anew."""

    retried: str


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "worker", WorkerOptions, STORE)(worker)
    command(app, "jobs", JobsOptions, TENANT)(jobs)


def worker(call: Call, options: WorkerOptions) -> int:
    """Do what waits: read sessions that ended, expire, embed and more.

    It goes on until it is told to stop (Ctrl-C, SIGTERM) and ends after the job under way. Start as many as you like,
    on as many machines as reach the store. With --once it ends when nothing is due, with 1 when a job died.
    """
    memory, stop = call.memory(), threading.Event()
    if options.once:
        memory.embed_pending()
        result = memory.run_jobs(options.limit)
        call.answer(result, lambda: _show_round(result))
        return 1 if result.dead else 0
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    while not stop.is_set():
        memory.embed_pending()
        result = memory.run_jobs(options.limit)
        if _moved(result) and not call.common.quiet:
            remark(_told(result))
        if not _moved(result):
            stop.wait(options.poll)
    return 0


def jobs(call: Call, options: JobsOptions) -> None:
    """List the work that waits, runs or died; let what died be tried anew."""
    memory = call.memory(any_space=True)
    if options.retry is not None:
        if not memory.retry_job(options.retry, tenant=call.common.tenant):
            raise NotFound(f"There is no dead job {options.retry[:60]!r}.")
        retried = Retried(options.retry)
        call.answer(retried, lambda: say(f"{retried.retried} will be tried anew"))
        return
    state = None if options.state is None else JobState(options.state)
    result = memory.jobs(state, tenant=call.common.tenant, limit=options.limit)
    call.answer(result, lambda: _show_jobs(result))


def _moved(result: JobsResult) -> bool:
    """Whether any job was touched."""
    return bool(result.done or result.retried or result.dead)


def _told(result: JobsResult) -> str:
    """A round in one line."""
    did = ", ".join(f"{name} {count}" for name, count in result.counts.items() if count)
    return f"done {result.done}, to be tried again {result.retried}, dead {result.dead}" + (f"; {did}" if did else "")


def _show_round(result: JobsResult) -> None:
    """What a round came to, and what is left."""
    say(_told(result))
    say(_left(result.left) if result.left else "no jobs are left")


def _left(counts: Mapping[str, int]) -> str:
    """Jobs by state."""
    return ", ".join(f"{state} {count}" for state, count in counts.items())


def _show_jobs(result: JobsListed) -> None:
    """The jobs, and how many there are."""
    if not result.jobs:
        say("no jobs")
        return
    columns(("id", "kind", "state", "due", "tries", "tenant", "problem"), [_row(job) for job in result.jobs])
    say(_left(result.counts))


def _row(job: Job) -> tuple[str, ...]:
    """One job."""
    return (job.id, job.kind, job.state, iso(job.run_at), str(job.attempts), job.tenant, job.problem or "")
