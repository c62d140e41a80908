"""`eval retrieval` and `eval scenarios`: how good recall is, in numbers that can be repeated."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import ALONE, Call, command, print_json
from bethink.interfaces.cli.evaluating_floor import FloorOptions, floor
from bethink.interfaces.cli.evaluating_formation import FormationOptions, formation
from bethink.interfaces.cli.evaluating_sweep import SweepOptions, sweep
from bethink.interfaces.cli.measures import show_retrieval, show_scenarios
from bethink.interfaces.cli.offering import OfferOptions, offer
from bethink.interfaces.cli.screen import bars, say
from bethink.settings import load_settings

if TYPE_CHECKING:
    from bethink.evaluation.baseline import Compared

DatasetName = Literal["locomo", "tmd", "beam", "longmemeval", "rows"]
SplitName = Literal["dev", "test", "all"]
LevelName = Literal["turn", "session"]
LayoutName = Literal["apart", "together"]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A run of the scenarios, and how it differs from the baseline."""

    run: dict[str, Any]
    compared: Compared
    same: bool


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """What `eval retrieval` takes."""

    dataset: Annotated[DatasetName, typer.Argument(help="The data set.")]
    data: Annotated[Path, typer.Option(metavar="PATH", help="Where its files lie; none come with bethink.")]
    split: Annotated[SplitName, typer.Option(help="Which conversations.")] = "all"
    scopes: Annotated[str | None, typer.Option(help="Only these conversations, separated by commas.")] = None
    queries: Annotated[str, typer.Option(help="The file of questions beside docs.jsonl.")] = "queries.jsonl"
    level: Annotated[LevelName, typer.Option(help="What is ranked.")] = "turn"
    layout: Annotated[LayoutName, typer.Option(help="A tenant for each conversation, or one for all.")] = "apart"
    embedder: Annotated[str | None, typer.Option(help="builtin, multilingual, hash, none; as set unless given.")] = None
    set: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A setting; may be repeated.")] = None
    store: Annotated[
        str | None,
        typer.Option(metavar="PATH|URL", help="Fill or take up this store; a passing SQLite file unless given."),
    ] = None
    cache: Annotated[Path | None, typer.Option(help="The folder of kept vectors; in the data folder unless given.")] = (
        None
    )
    label: Annotated[str | None, typer.Option(help="What to call the run in comparisons.")] = None
    out: Annotated[Path | None, typer.Option(help="Write RUN.json here, and a row a question to RUN.jsonl.")] = None
    against: Annotated[
        list[Path] | None, typer.Option(metavar="RUN.json", help="Compare with this earlier run; may be repeated.")
    ] = None


@dataclass(frozen=True, slots=True)
class ScenariosOptions:
    """What `eval scenarios` takes."""

    baseline: Annotated[
        Path | None, typer.Option(help="Compare with this run; with the one that comes along unless given.")
    ] = None
    write_baseline: Annotated[Path | None, typer.Option(help="Write this run as a baseline here.")] = None
    out: Annotated[Path | None, typer.Option(help="Write every record, question and block of the run here.")] = None


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What `eval report` takes."""

    results: Annotated[list[Path], typer.Argument(help="Result files, or folders of them.")]
    published: Annotated[Path | None, typer.Option(help="A JSON list of numbers of others, with conditions.")] = None
    out: Annotated[Path | None, typer.Option(help="Write the page here instead of printing it.")] = None


@dataclass(frozen=True, slots=True)
class Page:
    """The page that was written."""

    page: str
    path: Path | None


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Measure how good recall is, on data sets and on scenarios.", rich_markup_mode=None)
    command(group, "eval retrieval", RetrievalOptions, ALONE)(retrieval)
    command(group, "eval sweep", SweepOptions, ALONE)(sweep)
    command(group, "eval scenarios", ScenariosOptions, ALONE)(scenarios)
    command(group, "eval report", ReportOptions, ALONE)(report)
    command(group, "eval formation", FormationOptions, ALONE)(formation)
    command(group, "eval floor", FloorOptions, ALONE)(floor)
    command(group, "eval offer", OfferOptions, ALONE)(offer)
    app.add_typer(group, name="eval")


def retrieval(call: Call, options: RetrievalOptions) -> None:
    """Measure recall on a data set of questions with known evidence.

    Every turn goes through the import, every question through recall; ranks are those of the trace before the budget,
    noise and tokens those of the rendered block. With --json it prints the result and nothing else.
    """
    # numpy and the store load with the measurement, so that other commands start fast.
    from bethink.evaluation.datasets import Wanted, load  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.earlier import comparison, read_earlier  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.results import Measured, check_out, result, write  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.runner import Plan, measure  # noqa: PLC0415 - the reason stands above

    settings = load_settings(_overrides(options))
    scopes = tuple(name for name in (options.scopes or "").split(",") if name)
    dataset = load(Wanted(options.dataset, options.data, options.split, scopes, options.queries))
    earlier = read_earlier(options.against or (), dataset, options.level)
    if options.out is not None:
        check_out(options.out)
    plan = Plan(
        settings=settings,
        cache=options.cache or settings.home / "evaluation",
        level=options.level,
        layout=options.layout,
        store=options.store,
    )
    measured = Measured(dataset, plan, measure(dataset, plan, bars(quiet=call.common.quiet)))
    found = result(measured, options.label or (options.out.stem if options.out else options.dataset))
    if earlier:
        found["comparisons"] = {one.name: comparison(measured, one) for one in earlier}
    if options.out is not None:
        write(options.out, found, measured.run)
    if call.common.as_json:
        print_json(found)
    else:
        show_retrieval(found)


def scenarios(call: Call, options: ScenariosOptions) -> int:
    """Play the scenarios that come along, and compare their integers with the baseline.

    Nothing is needed and nothing is left to chance: the clock is fixed, ids count, and recall goes by words alone. Ends
    with 1 when anything differs from the baseline.
    """
    # the store loads with the benchmark, so that other commands start fast.
    from bethink.evaluation import baseline  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.plain import as_lines, write_text  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.playing import play  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.publishing import published  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.scenario import shipped  # noqa: PLC0415 - the reason stands above

    corpus = shipped()
    played = play(corpus)
    run = baseline.measured(corpus, played)
    if options.out is not None:
        write_text(options.out, json.dumps(published(corpus, played), indent=1) + "\n")
    if options.write_baseline is not None:
        write_text(options.write_baseline, as_lines(run))
    then = run if options.write_baseline else _baseline(options.baseline)
    compared = baseline.compare(run, then)
    call.answer(Benchmark(run, compared, compared.same), lambda: show_scenarios(run, compared))
    return 0 if compared.same else 1


def report(call: Call, options: ReportOptions) -> None:
    """Write the page of benchmarks from result files.

    It holds every run with its conditions, where evidence was lost, and where the default is worse than another run.
    """
    # the results bring numpy along, so that other commands start fast.
    from bethink.evaluation.plain import write_text  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.report import page  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.results import read_published, read_result, result_files  # noqa: PLC0415 - the reason stands above

    results = [read_result(path) for path in result_files(options.results)]
    text = page(results, read_published(options.published) if options.published else [])
    if options.out is not None:
        write_text(options.out, text)
    call.answer(Page(text, options.out), lambda: None if options.out else say(text.rstrip("\n")))


def _baseline(path: Path | None) -> dict[str, Any]:
    """The baseline named, else the one that comes along."""
    from bethink.evaluation import baseline  # noqa: PLC0415 - it loads with the benchmark

    return baseline.shipped_baseline() if path is None else baseline.read_baseline(path)


def _overrides(options: RetrievalOptions) -> dict[str, Any]:
    """The settings named on the command line.

    Raises:
        InvalidInput: one is not NAME=VALUE.
    """
    given: dict[str, Any] = {} if options.embedder is None else {"embedder": options.embedder}
    for text in options.set or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidInput(f"--set {text[:40]!r} is no NAME=VALUE.", remedy="Write it as recall.depth=100.")
        given[name] = value
    return given
