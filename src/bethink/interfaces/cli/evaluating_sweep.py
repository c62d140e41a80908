"""`eval sweep`: the default way to fuse beside every fixed one, on several data sets at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import Call, print_json
from bethink.interfaces.cli.screen import bars, columns, say
from bethink.settings import load_settings

DatasetName = Literal["locomo", "tmd", "beam", "longmemeval", "rows"]
SplitName = Literal["dev", "test", "all"]


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """What `eval sweep` takes."""

    sets: Annotated[list[str], typer.Argument(metavar="SET=PATH", help="Data sets and where their files lie.")]
    split: Annotated[SplitName, typer.Option(help="Which conversations.")] = "all"
    shares: Annotated[str | None, typer.Option(help="Fixed shares of meaning, by commas; tenths unless given.")] = None
    cache: Annotated[Path | None, typer.Option(help="The folder of kept vectors; in the data folder unless given.")] = (
        None
    )
    out: Annotated[Path | None, typer.Option(help="Write the result here.")] = None


def sweep(call: Call, options: SweepOptions) -> None:
    """Measure the default beside every fixed share of both fusions, on all data sets at once.

    Each set is stored once and asked once a setting. Every difference has the interval of a paired bootstrap, over the
    questions of all sets together and with the sets weighed alike.
    """
    # numpy and the store load with the measurement, so that other commands start fast.
    from bethink.evaluation.datasets import Wanted, load  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.plain import as_lines, write_text  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.sweep import SHARES, SweepPlan  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.sweep import sweep as run_sweep  # noqa: PLC0415 - the reason stands above

    settings = load_settings()
    datasets = [load(Wanted(*_named(text), options.split)) for text in options.sets]
    shares = SHARES if options.shares is None else _shares(options.shares)
    plan = SweepPlan(settings, options.cache or settings.home / "evaluation", shares)
    found = run_sweep(datasets, plan, bars(quiet=call.common.quiet))
    if options.out is not None:
        write_text(options.out, as_lines(found))
    if call.common.as_json:
        print_json(found)
    else:
        _show(found)


def _named(text: str) -> tuple[Any, Path]:
    """A data set and where it lies.

    Raises:
        InvalidInput: it is not SET=PATH.
    """
    name, equals, path = text.partition("=")
    known = get_args(DatasetName)
    if not equals or not path or name not in known:
        raise InvalidInput(
            f"{text[:60]!r} is no SET=PATH.", remedy=f"Write it as locomo=PATH; the sets are {', '.join(known)}."
        )
    return name, Path(path)


def _shares(text: str) -> tuple[float, ...]:
    """The shares named.

    Raises:
        InvalidInput: one is no number.
    """
    try:
        return tuple(sorted({float(part) for part in text.split(",")}))
    except ValueError as error:
        msg = f"--shares {text[:40]!r} is no list of numbers."
        raise InvalidInput(msg, remedy="Write it as 0.2,0.5.") from error


def _show(found: dict[str, Any]) -> None:
    """A row a setting: its means on each set, and what the default is better by."""
    metrics = ("R@10", "NDCG@10")
    heads = ("", *(f"{name} {metric}" for name in found["sets"] for metric in metrics))
    gaps = tuple(f"{kind} {metric}" for kind in ("less", "balanced") for metric in metrics)
    rows = [
        (
            row["setting"],
            *(f"{row['means'][name][metric]:.3f}" for name in found["sets"] for metric in metrics),
            *(_gap(row.get(kind, {}).get(metric)) for kind in ("less", "balanced") for metric in metrics),
        )
        for row in found["settings"]
    ]
    columns((*heads, *gaps), rows)
    say("less: the default less that setting over all questions, in points; balanced: with the sets weighed alike")


def _gap(told: dict[str, Any] | None) -> str:
    """A difference in points with its interval; a star where it excludes zero."""
    if told is None:
        return ""
    low, high = (f"{100 * told[end]:+.1f}" for end in ("low", "high"))
    return f"{100 * told['difference']:+.1f} ({low}, {high}){'*' if told['clear'] else ''}"
