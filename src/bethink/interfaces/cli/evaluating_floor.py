"""`eval floor`: what a model's cosines say, so that its floors are measured and not guessed."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import Call, print_json
from bethink.interfaces.cli.screen import pairs
from bethink.settings import load_settings

DatasetName = Literal["locomo", "tmd", "beam", "longmemeval", "rows"]
SplitName = Literal["dev", "test", "all"]


@dataclass(frozen=True, slots=True)
class FloorOptions:
    """What `eval floor` takes."""

    dataset: Annotated[DatasetName, typer.Argument(help="The data set.")]
    data: Annotated[Path, typer.Option(metavar="PATH", help="Where its files lie; none come with bethink.")]
    split: Annotated[SplitName, typer.Option(help="Which conversations.")] = "all"
    embedder: Annotated[str | None, typer.Option(help="The embedder; as set unless given.")] = None
    cache: Annotated[Path | None, typer.Option(help="The folder of kept vectors; in the data folder unless given.")] = (
        None
    )
    out: Annotated[Path | None, typer.Option(help="Write the result here.")] = None


def floor(call: Call, options: FloorOptions) -> None:
    """Measure how a model's cosines read: of questions and their evidence, of other turns, and of unrelated ones.

    A floor on meaning belongs between `low` and `high`. Turns are drawn at random, the same ones at every run.
    """
    # numpy and the store load with the measurement, so that other commands start fast.
    from bethink.evaluation.datasets import Wanted, load  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.floor import floor_of  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.plain import as_lines, write_text  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.runner import Plan, kept_vectors  # noqa: PLC0415 - the reason stands above

    settings = load_settings({} if options.embedder is None else {"embedder": options.embedder})
    dataset = load(Wanted(options.dataset, options.data, options.split))
    with tempfile.TemporaryDirectory(prefix="bethink-floor-") as folder:
        plan = Plan(settings=settings, cache=options.cache or settings.home / "evaluation")
        vectors = kept_vectors(Path(folder) / "floor.db", plan)
    if vectors is None:
        raise InvalidInput("There is no floor on meaning without an embedder.", remedy="Name one with --embedder.")
    found = floor_of(dataset, vectors)
    if options.out is not None:
        write_text(options.out, as_lines(found))
    if call.common.as_json:
        print_json(found)
    else:
        pairs(list(found.items()))
