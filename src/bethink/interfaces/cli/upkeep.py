"""`check` and `repair`: is the store what it should be, and what can be rebuilt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.interfaces.cli.command import STORE, Call, command
from bethink.interfaces.cli.screen import columns, pairs, progress, say
from bethink.operations.upkeep import CheckResult, Finding, RepairResult


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What `check` takes: nothing of its own."""


@dataclass(frozen=True, slots=True)
class RepairOptions:
    """What `repair` takes."""

    reembed: Annotated[
        bool, typer.Option("--reembed", help="Build every vector anew, under the embedder that is set.")
    ] = False


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "check", CheckOptions, STORE)(check)
    command(app, "repair", RepairOptions, STORE)(repair)


def check(call: Call, _options: CheckOptions) -> int:
    """Compare the store with its own rules; changes nothing.

    Ends with 1 when something was found.
    """
    result = call.memory(any_space=True).check()
    call.answer(result, lambda: _show_check(result))
    return 1 if result.findings else 0


def repair(call: Call, options: RepairOptions) -> int:
    """Rebuild what derives from the records, which are never dropped.

    Ends with 1 when something is left that cannot be rebuilt.
    """
    quiet = call.common.quiet
    memory = call.memory(any_space=True)
    with progress("repair", None, quiet=quiet) as report:
        result = memory.repair(rebuild_vectors=options.reembed, progress=report)
    with progress("embed", memory.pending or None, quiet=quiet) as report:
        memory.embed_pending(report)
    call.answer(result, lambda: _show_repair(result))
    return 1 if result.left else 0


def _show_check(result: CheckResult) -> None:
    """The findings, then what was counted."""
    if result.findings:
        _show_findings(result.findings)
    else:
        say("clean: nothing was found")
    say()
    pairs(
        [
            ("schema", result.schema),
            ("engine", result.engine),
            ("vector space", result.space),
            ("waiting for a vector", result.embedding_pending),
            ("waiting traces", result.traces_waiting),
            *sorted(result.counts.items()),
            *((f"reads: {name}", count) for name, count in result.reads.items()),
        ]
    )


def _show_repair(result: RepairResult) -> None:
    """What was rebuilt, and what is left."""
    rebuilt = {part: count for part, count in result.rebuilt.items() if count}
    say("rebuilt:" if rebuilt else "nothing needed rebuilding")
    pairs(sorted(rebuilt.items()))
    if result.left:
        say("left:")
        _show_findings(result.left)


def _show_findings(findings: tuple[Finding, ...]) -> None:
    """Where, what, and whether `repair` helps."""
    rows = [(item.place, "yes" if item.repairable else "no", item.text) for item in findings]
    columns(("place", "repairable", "found"), rows)
