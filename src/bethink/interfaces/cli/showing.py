"""`demo` and `bench`: the product shown, and measured."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.errors import InvalidInput
from bethink.interfaces.cli.bench_tables import show_bench
from bethink.interfaces.cli.command import ALONE, Call, command, print_json
from bethink.interfaces.cli.screen import remark, say

if TYPE_CHECKING:
    from bethink.evaluation.demo import Line


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What `demo` takes."""

    folder: Annotated[Path | None, typer.Option(help="Keep the store here; a passing folder unless given.")] = None


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What `bench` takes."""

    sizes: Annotated[str, typer.Option(help="Records per run, separated by commas.")] = "1000,10000,50000"
    queries: Annotated[int, typer.Option(help="Questions per run.")] = 300
    writes: Annotated[int, typer.Option(help="Writes per run.")] = 200
    seed: Annotated[int, typer.Option(help="What the corpus is made from.")] = 11
    url: Annotated[str | None, typer.Option(help="An empty store to fill and keep; a passing file unless given.")] = (
        None
    )
    scope_size: Annotated[int, typer.Option(help="Records of a scope, of which one is asked; 0 is one scope.")] = 0
    callers: Annotated[int, typer.Option(help="Processes that ask at once.")] = 1
    keep: Annotated[
        Path | None,
        typer.Option(help="Keep the files in this folder, and take up what it holds."),
    ] = None
    small_scopes: Annotated[int, typer.Option(help="Scopes of 10,000 records to fill and ask beside the others.")] = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """The lines of the demo, and whether every one held."""

    lines: tuple[Line, ...]
    holds: bool


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "demo", DemoOptions, ALONE)(demo)
    command(app, "bench", BenchOptions, ALONE)(bench)


def demo(call: Call, options: DemoOptions) -> int:
    """Show the whole of it on a conversation that comes with the package.

    Each line is checked as it is printed. Ends with 1 when one does not hold.
    """
    # The store and the encoder load with the demo, so that other commands start fast.
    from bethink.evaluation.demo import demo as run_demo  # noqa: PLC0415 - the reason stands above

    lines: list[Line] = []

    def show(line: Line) -> None:
        lines.append(line)
        if not call.common.as_json:
            say(f"{'ok  ' if line.holds else 'FAIL'}  {line.text}")
            for row in line.detail.splitlines():
                say(f"        {row}")

    if options.folder is None:
        with tempfile.TemporaryDirectory(prefix="bethink-demo-") as folder:
            holds = run_demo(Path(folder), show)
    else:
        options.folder.mkdir(parents=True, exist_ok=True)
        holds = run_demo(options.folder, show)
    call.answer(Shown(tuple(lines), holds), lambda: None)
    return 0 if holds else 1


def bench(call: Call, options: BenchOptions) -> None:
    """Measure each stage at several sizes, on generated corpora.

    Beside the times stand what is found, the tokens of a block, the peak of the memory, and how each of them grows from
    size to size. With --json it prints {"runs": [...], "slopes": [...], "encoder": {...}} and nothing else; times are
    in milliseconds. With --url the store is one of yours, such as a PostgreSQL database, and the records stay in it,
    each size as a tenant of its own.
    """
    # numpy and the store load with the bench, so that other commands start fast.
    from bethink.evaluation.bench import BenchPlan  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.bench import bench as run_bench  # noqa: PLC0415 - the reason stands above

    plan = BenchPlan(
        _sizes(options.sizes),
        _at_least(1, options.queries, "queries"),
        _at_least(1, options.writes, "writes"),
        _at_least(0, options.seed, "seed"),
        options.url,
        _at_least(0, options.scope_size, "scope-size"),
        _at_least(1, options.callers, "callers"),
        options.keep,
        _at_least(0, options.small_scopes, "small-scopes"),
    )
    found = run_bench(plan, lambda text: None if call.common.quiet else remark(text))
    if call.common.as_json:
        print_json(found)
    else:
        show_bench(found)


def _sizes(text: str) -> tuple[int, ...]:
    """The sizes named.

    Raises:
        InvalidInput: not whole numbers above 0, separated by commas.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        msg = f"--sizes {text[:40]!r} is no list of whole numbers."
        raise InvalidInput(msg, remedy="Write it as 1000,50000.")
    return tuple(int(part) for part in parts)


def _at_least(least: int, count: int, what: str) -> int:
    """A number that is large enough: a median needs one run, a seed may not be negative.

    Raises:
        InvalidInput: it is smaller.
    """
    if count < least:
        raise InvalidInput(f"--{what} must be at least {least}, not {count}.")
    return count
