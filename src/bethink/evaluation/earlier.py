"""An earlier run beside this one. It is read before anything is measured, so that a wrong file costs no run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bethink.errors import InvalidInput
from bethink.evaluation.cases import Dataset, Level
from bethink.evaluation.compare import compare
from bethink.evaluation.metrics import Values
from bethink.evaluation.results import KIND, Measured, answerable, difference, parsed, read_result, rows_of


@dataclass(frozen=True, slots=True)
class Earlier:
    """A run to compare with: what a result calls it, its own label, the digest of its data, its questions' metrics."""

    name: str
    label: str
    digest: str
    rows: Mapping[str, Values]


def read_earlier(paths: Sequence[Path], dataset: Dataset, level: Level) -> list[Earlier]:
    """The runs to compare with.

    Raises:
        NotFound: a result or its rows are not there.
        InvalidInput: one cannot be read, is of another data set or level, or shares no question with this run.
    """
    stems = [path.stem for path in paths]
    asked = {_key(case.scope, case.id) for case in dataset.cases}
    found = []
    for path in paths:
        told = read_result(path)
        if (told["kind"], told.get("dataset"), told.get("level")) != (KIND, dataset.name, level):
            msg = f"{path} is no run of {dataset.name} at {level} level."
            raise InvalidInput(msg, remedy="Compare runs of one data set at one level.")
        rows = _rows(path)
        if not rows.keys() & asked:
            raise InvalidInput(f"{path} shares no question with this run.", remedy="Compare runs of one data set.")
        name = path.stem if stems.count(path.stem) == 1 else str(path.with_suffix(""))
        found.append(Earlier(name, str(told["label"]), str(told["conditions"].get("digest", "")), rows))
    return found


def comparison(measured: Measured, earlier: Earlier) -> dict[str, Any]:
    """This run beside an earlier one, question by question, for all questions and the answerable ones.

    ``same_data`` says whether both were asked the same of the same turns; where not, the questions that share an id.
    """
    groups = {"all": measured.run.answers, "answerable": answerable(measured.run.answers)}
    found = {
        name: compare({_key(one.case.scope, one.case.id): one.values for one in answers}, earlier.rows)
        for name, answers in groups.items()
    }
    return {
        "against": earlier.label,
        "same_data": earlier.digest == measured.dataset.digest,
        **{name: {metric: difference(gap) for metric, gap in gaps.items()} for name, gaps in found.items()},
    }


def _rows(path: Path) -> dict[str, Values]:
    """The metrics of each question of a result, by question.

    Raises:
        NotFound: its rows are not beside it.
        InvalidInput: they cannot be read.
    """
    rows = parsed(rows_of(path), lambda text: [_row(line) for line in text.splitlines()])
    return {_key(row["scope"], row["id"]): row["metrics"] for row in rows}


def _row(line: str) -> dict[str, Any]:
    """A row that has all that a comparison reads.

    Raises:
        ValueError: it has not.
    """
    row = json.loads(line)
    metrics = row.get("metrics") if isinstance(row, dict) else None
    if not isinstance(metrics, dict) or not {"scope", "id"} <= row.keys():
        msg = "a row has no scope, id and metrics"
        raise ValueError(msg)
    if not all(value is None or isinstance(value, int | float) for value in metrics.values()):
        msg = "a metric is no number"
        raise ValueError(msg)
    return dict(row)


def _key(scope: str, name: str) -> str:
    """What a question is known by."""
    return f"{scope}\n{name}"
