"""`eval offer`: what an optional step of a read gains and costs."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import Call, print_json
from bethink.interfaces.cli.screen import columns, progress, say
from bethink.settings import load_settings

if TYPE_CHECKING:
    from bethink.memory import Steps

DatasetName = Literal["locomo", "tmd", "beam", "longmemeval", "rows"]
PartName = Literal["rewriter", "reranker"]


@dataclass(frozen=True, slots=True)
class OfferOptions:
    """What `eval offer` takes."""

    dataset: Annotated[DatasetName, typer.Argument(help="The data set.")]
    data: Annotated[Path, typer.Option(metavar="PATH", help="Where its files lie; none come with bethink.")]
    part: Annotated[PartName, typer.Option(help="The step that is measured.")]
    steps: Annotated[
        str, typer.Option(metavar="MODULE:NAME", help="The bethink.Steps that hold it, or what makes them.")
    ]
    scopes: Annotated[str | None, typer.Option(help="Only these conversations, separated by commas.")] = None
    embedder: Annotated[str | None, typer.Option(help="builtin, hash or none; the settings' unless given.")] = None
    cache: Annotated[Path | None, typer.Option(help="The folder of kept vectors; in the data folder unless given.")] = (
        None
    )
    repeats: Annotated[int, typer.Option(help="How often every question is asked with the step.")] = 3
    out: Annotated[Path | None, typer.Option(help="Write the result here.")] = None


def offer(call: Call, options: OfferOptions) -> None:
    """Measure what a rewriter or reranker of yours gains and costs, before you switch it on.

    Every question is asked once without it and three times with it (--repeats), and compared. With --json it prints the
    result and nothing else. The module is loaded and run: name one of your own.
    """
    # numpy and the store load with the measurement, so that other commands start fast.
    from bethink.evaluation.datasets import Wanted, load  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.offering import Offer, offering  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.plain import write_text  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.runner import Plan  # noqa: PLC0415 - the reason stands above

    settings = load_settings({} if options.embedder is None else {"embedder": options.embedder})
    scopes = tuple(name for name in (options.scopes or "").split(",") if name)
    dataset = load(Wanted(options.dataset, options.data, "all", scopes))
    plan = Plan(settings=settings, cache=options.cache or settings.home / "evaluation")
    bars = lambda label, total: progress(label, total, quiet=call.common.quiet)  # noqa: E731 - one line says it
    wanted = Offer(options.part, named_steps(options.steps), options.repeats)
    found = offering(dataset, plan, wanted, bars)
    if options.out is not None:
        write_text(options.out, json.dumps(found, indent=1) + "\n")
    if call.common.as_json:
        print_json(found)
    else:
        _show(found)


def named_steps(name: str) -> Steps:
    """The steps that MODULE:NAME holds or makes.

    Raises:
        InvalidInput: it names none.
    """
    from bethink.memory import Steps  # noqa: PLC0415 - it loads with the measurement

    module, _, attribute = name.partition(":")
    try:
        held = getattr(importlib.import_module(module), attribute) if module and attribute else None
    except (ImportError, AttributeError) as error:
        raise InvalidInput(f"--steps {name[:80]!r} cannot be loaded: {error}.") from error
    made = held() if callable(held) else held
    if not isinstance(made, Steps):
        raise InvalidInput(f"--steps {name[:80]!r} is no bethink.Steps.", remedy="Write it as my_module:steps.")
    return made


def _show(found: dict[str, Any]) -> None:
    """Gain, cost and the verdict."""
    say(f"{found['part']}: {found['questions']} questions, another order for {found['changed']}")
    if found["unanswered"]:
        say(f"it said nothing for {found['unanswered']} of them")
    keys = ("theirs", "ours", "difference", "low", "high")
    rows = [
        (name, *(f"{gap[key]:+.4f}" if key in keys[2:] else f"{gap[key]:.4f}" for key in keys), "clear" * gap["clear"])
        for name, gap in found["gain"].items()
    ]
    columns(("answerable, 95 %", "without", "with", "gain", "low", "high", ""), rows)
    cost = found["cost_ms"]
    say()
    say(f"cost: {cost['difference']:+.3f} ms a question ({cost['low']:+.3f} to {cost['high']:+.3f})")
    for name in ("without", "with"):
        say(f"  {name}: p50 {cost[name]['p50_ms']} ms, p95 {cost[name]['p95_ms']} ms")
    told = found["repeats"]
    if told["runs"] > 1 and "NDCG@10" in told:
        spread = told["NDCG@10"]
        say(
            f"{told['runs']} runs with it: NDCG@10 {spread['least']:.4f} to {spread['most']:.4f}"
            f" (deviation {spread['deviation']:.4f}), another order for {told['differing']} questions among them"
        )
    say("worth offering" if found["worth_offering"] else "not worth offering: no clear gain without a clear loss")
