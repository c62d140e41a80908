"""A run beside the checked-in one, compared exactly: what drifted, what got worse, what got better, what only moved."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from bethink.errors import InvalidInput, NotFound
from bethink.evaluation.playing import Played
from bethink.evaluation.scenario import Corpus
from bethink.evaluation.tallies import METRICS, by_category, by_probe, by_write, tally

KIND = "scenarios"


@dataclass(frozen=True, slots=True)
class Change:
    """One number that is not what it was."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Compared:
    """How a run differs from the baseline.

    `drift` says that the two cannot be compared: the corpus changed, or a metric came or went. `regressions` and
    `improvements` are metrics that have a direction, `shifts` the others. `rows` are the probes and writes whose
    numbers moved, also when the sums did not.
    """

    drift: tuple[str, ...]
    regressions: tuple[Change, ...]
    improvements: tuple[Change, ...]
    shifts: tuple[Change, ...]
    rows: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs at all."""
        return not (self.drift or self.regressions or self.improvements or self.shifts or self.rows)


def measured(corpus: Corpus, played: Played) -> dict[str, Any]:
    """A run as the object that a baseline is: integers, and what they were counted on."""
    return {
        "kind": KIND,
        "corpus": corpus.digest,
        "scenarios": len(corpus.scenarios),
        "policy": played.policy,
        "metrics": tally(played),
        "by_category": by_category(played),
        "writes": by_write(played),
        "probes": by_probe(played),
    }


def compare(run: Mapping[str, Any], baseline: Mapping[str, Any]) -> Compared:
    """The differences of a run from a baseline, both as `measured` gives them."""
    ours, theirs = run["metrics"], baseline["metrics"]
    changes = [Change(name, theirs[name], ours[name]) for name in METRICS if name in ours and name in theirs]
    moved = [change for change in changes if change.before != change.after]
    worse = [change for change in moved if _worse(change)]
    better = [change for change in moved if METRICS[change.name][0] != "same" and change not in worse]
    return Compared(
        drift=tuple(_drift(run, baseline)),
        regressions=tuple(worse),
        improvements=tuple(better),
        shifts=tuple(change for change in moved if METRICS[change.name][0] == "same"),
        rows=tuple(_rows(run, baseline)),
    )


def shipped_baseline() -> dict[str, Any]:
    """The baseline that comes with the package."""
    return _checked(
        json.loads((resources.files("bethink.evaluation") / "baseline.json").read_text("utf-8")), "baseline"
    )


def read_baseline(path: Path) -> dict[str, Any]:
    """A baseline from a file.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is no baseline.
    """
    try:
        return _checked(json.loads(path.read_text("utf-8")), str(path))
    except FileNotFoundError as error:
        raise NotFound(f"There is no {path}.", remedy="Write one with --write-baseline.") from error
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error


def _checked(found: Any, name: str) -> dict[str, Any]:
    """What was read, when it is a baseline."""
    if not _is_baseline(found):
        raise InvalidInput(f"{name} is no baseline of the scenarios.", remedy="Write one with --write-baseline.")
    return dict(found)


def _is_baseline(found: Any) -> bool:
    """Whether all that a comparison reads is there, and counts are counts."""
    if not isinstance(found, dict) or found.get("kind") != KIND or not isinstance(found.get("corpus"), str):
        return False
    probes = found.get("probes")
    rows = [found.get("metrics"), found.get("writes"), *(probes.values() if isinstance(probes, dict) else [None])]
    return all(isinstance(row, dict) and all(isinstance(count, int) for count in row.values()) for row in rows)


def _worse(change: Change) -> bool:
    """Whether a metric with a direction went the other way."""
    direction = METRICS[change.name][0]
    return direction != "same" and (change.after > change.before) == (direction == "less")


def _drift(run: Mapping[str, Any], baseline: Mapping[str, Any]) -> list[str]:
    """Why the two cannot be compared number by number."""
    gone, new = baseline["metrics"].keys() - run["metrics"].keys(), run["metrics"].keys() - baseline["metrics"].keys()
    changed = run["corpus"] != baseline["corpus"]
    return [
        *([f"the scenarios changed: {baseline['corpus']} then, {run['corpus']} now"] if changed else []),
        *(f"the metric {name} is not counted any more" for name in sorted(gone)),
        *(f"the metric {name} was not counted then" for name in sorted(new)),
    ]


def _rows(run: Mapping[str, Any], baseline: Mapping[str, Any]) -> list[Change]:
    """Every number of a probe or write that differs."""
    ours, theirs = _flat(run), _flat(baseline)
    names = sorted(ours.keys() | theirs.keys())
    return [Change(name, theirs[name], ours[name]) for name in names if theirs[name] != ours[name]]


def _flat(run: Mapping[str, Any]) -> Counter[str]:
    """The numbers of writes and probes by name; one that is not there is zero."""
    found = Counter({f"{name} formed": value for name, value in run["writes"].items()})
    return found | Counter(
        {f"{name} {metric}": value for name, row in run["probes"].items() for metric, value in row.items()}
    )
