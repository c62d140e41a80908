"""`eval retrieval`: how good recall is, in numbers that can be repeated."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import ALONE, Call, command, print_json
from bethink.interfaces.cli.screen import Report, columns, pairs, progress, say
from bethink.settings import load_settings

DatasetName = Literal["locomo", "tmd", "beam", "longmemeval", "rows"]
SplitName = Literal["dev", "test", "all"]
LevelName = Literal["turn", "session"]
LayoutName = Literal["apart", "together"]

_SHOWN = "R@5 R@10 R@50 recall_all@10 hit@1 hit@5 MRR NDCG@10 block_recall noise tokens p50_ms p95_ms".split()


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
    embedder: Annotated[str | None, typer.Option(help="builtin, hash or none; the settings' unless given.")] = None
    set: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A setting; may be repeated.")] = None
    store: Annotated[Path | None, typer.Option(help="Fill or take up this store; a passing one unless given.")] = None
    cache: Annotated[Path | None, typer.Option(help="The folder of kept vectors; in the data folder unless given.")] = (
        None
    )
    label: Annotated[str | None, typer.Option(help="What to call the run in comparisons.")] = None
    out: Annotated[Path | None, typer.Option(help="Write RUN.json here, and a row a question to RUN.jsonl.")] = None
    against: Annotated[Path | None, typer.Option(metavar="RUN.json", help="Compare with this earlier run.")] = None


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Measure how good recall is, on data sets and on scenarios.", rich_markup_mode=None)
    command(group, "eval retrieval", RetrievalOptions, ALONE)(retrieval)
    app.add_typer(group, name="eval")


def retrieval(call: Call, options: RetrievalOptions) -> None:
    """Measure recall on a data set of questions with known evidence.

    Every turn goes through the import, every question through recall; ranks are those of the trace before the budget,
    noise and tokens those of the rendered block. With --json it prints the result and nothing else.
    """
    # numpy and the store load with the measurement, so that other commands start fast.
    from bethink.evaluation.datasets import Wanted, load  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.results import Measured, comparison, result, write  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.runner import Plan, measure  # noqa: PLC0415 - the reason stands above

    settings = load_settings(_overrides(options))
    scopes = tuple(name for name in (options.scopes or "").split(",") if name)
    dataset = load(Wanted(options.dataset, options.data, options.split, scopes, options.queries))
    plan = Plan(
        settings=settings,
        cache=options.cache or settings.home / "evaluation",
        level=options.level,
        layout=options.layout,
        store=options.store,
    )
    measured = Measured(dataset, plan, measure(dataset, plan, _bars(call)))
    found = result(measured, options.label or (options.out.stem if options.out else options.dataset))
    if options.against is not None:
        found["comparison"] = comparison(measured, options.against)
    if options.out is not None:
        write(options.out, found, measured.run)
    if call.common.as_json:
        print_json(found)
    else:
        _show(found)


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


def _bars(call: Call) -> Any:
    """How a run opens its progress bars."""

    def bar(label: str, total: int | None) -> AbstractContextManager[Report]:
        return progress(label, total, quiet=call.common.quiet)

    return bar


def _show(found: dict[str, Any]) -> None:
    """The metrics by group, where evidence was lost, and the comparison."""
    metrics, failures = found["metrics"], found["failures"]
    groups = {"all": metrics["all"], "answerable": metrics["answerable"], **metrics["by_category"]}
    columns(("", "n", *_SHOWN), [(name, str(group["queries"]), *_cells(group)) for name, group in groups.items()])
    macros = metrics["macro"]
    say()
    columns(("macro", *_SHOWN[:8]), [(name, *_cells(group)[:8]) for name, group in macros.items()])
    say()
    lost = failures["answerable"]
    say(f"evidence lost among the first ten: {lost['lost']} of {lost['evidence']} (answerable questions)")
    pairs([*lost["by_code"].items(), *((f"  {place}", count) for place, count in lost["by_place"].items())])
    if told := found.get("comparison"):
        say()
        say(f"against {told['against']} (answerable, paired bootstrap, 95 %)")
        rows = [
            (name, *(f"{gap[key]:+.4f}" for key in ("difference", "low", "high")), "clear" if gap["clear"] else "")
            for name, gap in told["answerable"].items()
        ]
        columns(("", "difference", "low", "high", ""), rows)
    if degraded := found["conditions"]["degraded"]:
        say(f"degraded: {degraded}")


def _cells(group: dict[str, float]) -> list[str]:
    """The metrics of a group that are shown."""
    return [
        "" if name not in group else f"{group[name]:.3f}" if group[name] < 10 else f"{group[name]:.1f}"
        for name in _SHOWN
    ]
