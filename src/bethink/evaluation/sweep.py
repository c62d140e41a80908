"""A sweep: the default beside every fixed share of both fusions, on several data sets at once.

Each set is stored and embedded once and asked once a setting, through `recall` as ever. What decides is whether one
default serves them all: the questions of all sets together, and the sets weighed alike (`balanced`), each with the
interval of a paired bootstrap.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bethink
from bethink.errors import InvalidInput
from bethink.evaluation.cases import Dataset
from bethink.evaluation.compare import balanced, compare
from bethink.evaluation.metrics import Values, micro
from bethink.evaluation.results import DIGITS, difference
from bethink.evaluation.runner import Plan, Progress, Run, measure
from bethink.settings import RecallSettings, Settings

KIND = "sweep"
METRICS = ("R@10", "NDCG@10", "hit@1", "noise")
_PATIENCE_MS = 60_000
"""How long a recall may take: on a busy machine an answer that fell short would stand for a setting that is worse."""

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to fuse: the share of meaning held fixed, of scores or of ranks; the default where both are empty."""

    fusion: str = ""
    share: float | None = None

    @property
    def name(self) -> str:
        """What the page calls it."""
        return f"{self.fusion} {self.share:g}" if self.share is not None else "default"

    def of(self, settings: Settings) -> Settings:
        """The settings with this way to fuse."""
        if self.share is None:
            return settings
        fixed = replace(settings.recall, fusion=self.fusion)
        if self.fusion == "scores":
            return replace(settings, recall=replace(fixed, dense_weight=self.share))
        return replace(settings, recall=replace(fixed, dense_votes=self.share))


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What to sweep: the settings that stay, the folder of kept vectors, and the shares of each fusion."""

    settings: Settings
    cache: Path
    shares: tuple[float, ...] = SHARES

    @property
    def fixed(self) -> list[Setting]:
        """Every fixed setting: the shares, and the one that the settings hold for where no arm tells more."""
        usual = RecallSettings().dense_weight
        scores = sorted({*self.shares, usual})
        return [Setting("scores", share) for share in scores] + [Setting("ranks", share) for share in self.shares]


def sweep(datasets: Sequence[Dataset], plan: SweepPlan, progress: Progress) -> dict[str, Any]:
    """Measure the default and every fixed setting on every set; see `sweep_result` for what comes back.

    Raises:
        InvalidInput: no set, one named twice, or a share outside 0 to 1.
        NotFound: no question of a set has evidence.
        EmbedderError: the embedder asked for cannot be used.
    """
    names = [dataset.name for dataset in datasets]
    if not names or len(set(names)) < len(names):
        raise InvalidInput("A sweep takes one or more data sets, each once.")
    if not all(0 <= share <= 1 for share in plan.shares):
        raise InvalidInput("A share lies between 0 and 1.")
    patient = replace(plan.settings, recall=replace(plan.settings.recall, timeout_ms=_PATIENCE_MS))
    asked: dict[str, dict[str, Run]] = {}
    with tempfile.TemporaryDirectory(prefix="bethink-sweep-") as folder:
        for dataset in datasets:
            answerable = replace(dataset, cases=tuple(case for case in dataset.cases if case.answerable))
            base = Plan(patient, plan.cache, store=Path(folder) / f"{dataset.name}.db")
            ask = _asker(answerable, base, progress)
            asked[dataset.name] = {one.name: ask(one) for one in (Setting(), *plan.fixed)}
    return sweep_result(datasets, plan, asked)


def sweep_result(
    datasets: Sequence[Dataset], plan: SweepPlan, asked: Mapping[str, Mapping[str, Run]]
) -> dict[str, Any]:
    """The result object: by setting the means of each set, and what the default is better by.

    ``less`` holds the default less that setting over the questions of all sets, ``balanced`` the same with the sets
    weighed alike, ``apart`` by set; each is a difference with its interval, by metric.
    """
    values = {name: {one: _values(run) for one, run in runs.items()} for name, runs in asked.items()}
    default = Setting().name
    rows = [
        {
            "setting": one.name,
            "fusion": one.fusion,
            "share": one.share,
            "means": {name: _means(list(found[one.name].values())) for name, found in values.items()},
            **(_beside(values, default, one.name) if one.name != default else {}),
        }
        for one in (Setting(), *plan.fixed)
    ]
    runs = {dataset.name: asked[dataset.name][default] for dataset in datasets}
    return {
        "kind": KIND,
        "label": default,
        "sets": {
            dataset.name: {
                "split": dataset.split,
                "digest": dataset.digest,
                "questions": len(runs[dataset.name].answers),
                "turns": runs[dataset.name].turns,
            }
            for dataset in datasets
        },
        "settings": rows,
        "conditions": {
            "version": bethink.__version__,
            "embedder": plan.settings.embedder,
            "space": next(iter(runs.values())).space,
            "policy": next(iter(runs.values())).policy,
        },
    }


def _asker(dataset: Dataset, base: Plan, progress: Progress) -> Callable[[Setting], Run]:
    """Asks a set under a setting."""

    def ask(setting: Setting) -> Run:
        return measure(dataset, replace(base, settings=setting.of(base.settings)), progress)

    return ask


def _values(run: Run) -> dict[str, Values]:
    """The metrics of each question of a run."""
    return {f"{answer.case.scope} {answer.case.id}": answer.values for answer in run.answers}


def _means(rows: Sequence[Values]) -> dict[str, float]:
    """The means that a sweep shows."""
    means = micro(rows)
    return {name: round(means[name], DIGITS) for name in METRICS if name in means}


def _beside(values: Mapping[str, Mapping[str, Mapping[str, Values]]], ours: str, theirs: str) -> dict[str, Any]:
    """The default less a setting: over all questions, with the sets weighed alike, and by set."""
    pairs = {name: (found[ours], found[theirs]) for name, found in values.items()}
    mine, other = (
        {f"{name} {key}": told for name, pair in pairs.items() for key, told in pair[side].items()} for side in (0, 1)
    )
    return {
        "less": _shown(compare(mine, other)),
        "balanced": _shown(balanced(list(pairs.values()))),
        "apart": {name: _shown(compare(*pair)) for name, pair in pairs.items()},
    }


def _shown(gaps: Mapping[str, Any]) -> dict[str, Any]:
    """Differences as data, of the metrics a sweep shows."""
    return {name: difference(gaps[name]) for name in METRICS if name in gaps}
