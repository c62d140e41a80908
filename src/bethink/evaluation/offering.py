"""Offering: what an optional step of a read gains and costs, measured with and without it before anybody offers it.

The same questions are asked of the same store, once without the step and several times with it, and compared question
by question; how the runs with it differ is told apart from the interval. A step is worth offering where the gain in
NDCG@10 is more than chance and nothing else it moves is a clear loss; what it costs in milliseconds stands beside the
gain, for its reader to weigh.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Literal, get_args

from bethink.errors import InvalidInput
from bethink.evaluation.cases import Dataset
from bethink.evaluation.compare import Difference, compare, paired
from bethink.evaluation.metrics import Values, percentile
from bethink.evaluation.runner import Answer, Plan, Progress, Run, measure
from bethink.memory import Steps
from bethink.settings import Settings

Offered = Literal["rewriter", "reranker"]
"""The steps that are off until a host hands in a model."""

DECIDES = "NDCG@10"
"""The metric whose gain decides, over the questions that have an answer."""

HARMED = ("R@10", "recall_all@10", "hit@1", "MRR")
"""Metrics in which a clear loss speaks against a step whatever it gains."""

DIGITS = 4
_UNUSED: dict[Offered, str] = {"rewriter": "not_rewritten", "reranker": "not_reranked"}


@dataclass(frozen=True, slots=True)
class Offer:
    """What is measured: a step, what holds it, and how often every question is asked with it."""

    part: Offered
    steps: Steps
    repeats: int = 3


def offering(dataset: Dataset, plan: Plan, offer: Offer, progress: Progress) -> dict[str, Any]:
    """Gain with its interval and cost of one step, as plain data that holds no text of the set.

    Args:
        dataset: the questions.
        plan: how to run; a reranker stands where its setting says, `after` the floors unless that names a place.
        offer: the step; the other steps of what holds it are left out of every run.
        progress: opens the bars of each run.

    Raises:
        InvalidInput: what holds the step has none, there is none of that name, or it is to be asked less than once.
        NotFound, EmbedderError, StoreError: as `measure` says.
    """
    part, steps = offer.part, offer.steps
    if part not in get_args(Offered):
        raise InvalidInput(f"Step {str(part)[:40]!r} is none of {', '.join(get_args(Offered))}.")
    if getattr(steps, part) is None:
        raise InvalidInput(f"What was handed in has no {part}.", remedy=f"Pass bethink.Steps({part}=...).")
    if offer.repeats < 1:
        raise InvalidInput("Every question is asked at least once with the step.", remedy="Pass --repeats 1 or more.")
    alone = Steps(rewriter=steps.rewriter) if part == "rewriter" else Steps(reranker=steps.reranker)
    with tempfile.TemporaryDirectory(prefix="bethink-offer-") as folder:
        at = replace(plan, store=plan.store or Path(folder) / "eval.db")
        without = measure(dataset, replace(at, settings=switched(plan.settings, None), steps=None), progress)
        on = replace(at, settings=switched(plan.settings, part), steps=alone)
        used = [measure(dataset, on, progress) for _ in range(offer.repeats)]
    return {
        "kind": "offer",
        "part": part,
        "dataset": dataset.name,
        "split": dataset.split,
        "digest": dataset.digest,
        "space": without.space,
        "policy": {"without": without.policy, "with": used[0].policy},
        **_measured(without, used, part),
    }


def switched(settings: Settings, part: Offered | None) -> Settings:
    """The settings with one step on, or with none."""
    place = settings.recall.rerank if settings.recall.rerank != "off" else "after"
    rerank = place if part == "reranker" else "off"
    return replace(settings, recall=replace(settings.recall, read_models=part is not None, rerank=rerank))


def worth_offering(gain: Mapping[str, Difference]) -> bool:
    """Whether the gain is more than chance and no other metric clearly falls."""
    decides = gain.get(DECIDES)
    return decides is not None and decides.low > 0 and not any(gain[name].high < 0 for name in HARMED if name in gain)


def _measured(without: Run, used: Sequence[Run], part: Offered) -> dict[str, Any]:
    """Gain, cost, how often the step did anything, and how its runs differ; a question has its mean over them."""
    before, rounds = _by_key(without.answers), [_by_key(run.answers) for run in used]
    keys = sorted(before)
    answerable = {key for key in keys if before[key].case.answerable}
    gain = compare(
        {key: _mean_values([found[key].values for found in rounds]) for key in answerable},
        {key: before[key].values for key in answerable},
    )
    cost = paired([(fmean(found[key].milliseconds for found in rounds), before[key].milliseconds) for key in keys])
    spent = {"without": _spread(without.answers), "with": _spread([one for run in used for one in run.answers])}
    return {
        "questions": len(keys),
        "changed": sum(any(found[key].order != before[key].order for found in rounds) for key in keys),
        "unanswered": sum(any(_UNUSED[part] in found[key].notices for found in rounds) for key in keys),
        "gain": {name: {**_rounded(found), "clear": found.clear} for name, found in gain.items()},
        "cost_ms": {**_rounded(cost), **spent},
        **({"by_candidates": _by_candidates(used[0].answers)} if part == "reranker" else {}),
        "repeats": _repeats(rounds, answerable),
        "worth_offering": worth_offering(gain),
    }


def _repeats(rounds: Sequence[Mapping[str, Answer]], answerable: Collection[str]) -> dict[str, Any]:
    """How the runs with the step differ: a model need not say the same twice, and that is no part of the interval.

    `differing` counts the questions that not every run orders alike. Of each metric that decides: the mean over the
    runs, the least and the most of them, and their standard deviation.
    """
    found: dict[str, Any] = {
        "runs": len(rounds),
        "differing": sum(len({run[key].order for run in rounds}) > 1 for key in rounds[0]),
    }
    for name in (DECIDES, *HARMED) if answerable else ():
        means = [fmean(run[key].values[name] or 0.0 for key in sorted(answerable)) for run in rounds]
        told = {"mean": fmean(means), "least": min(means), "most": max(means), "deviation": pstdev(means)}
        found[name] = {key: round(value, DIGITS) for key, value in told.items()}
    return found


def _mean_values(rows: Sequence[Values]) -> dict[str, float | None]:
    """The mean of each metric; None where a run has none."""
    told = {name: [row[name] for row in rows] for name in rows[0]}
    return {
        name: fmean(known) if len(known := [value for value in found if value is not None]) == len(found) else None
        for name, found in told.items()
    }


def _by_candidates(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """What the reranker's own stage takes, by how many candidates it had before it, ascending."""
    spent: dict[int, list[float]] = {}
    for answer in answers:
        spent.setdefault(answer.survivors, []).append(answer.stages["rerank"])
    return [
        {"candidates": count, "questions": len(times), "p50_ms": round(percentile(times, 0.5), 3)}
        for count, times in sorted(spent.items())
    ]


def _by_key(answers: Sequence[Answer]) -> dict[str, Answer]:
    """Answers by what their question is known by."""
    return {f"{answer.case.scope} {answer.case.id}": answer for answer in answers}


def _rounded(found: Difference) -> dict[str, Any]:
    """A difference as data."""
    return {name: round(value, DIGITS) for name, value in asdict(found).items()}


def _spread(answers: Sequence[Answer]) -> dict[str, float]:
    """Median and tail of a run, in milliseconds without the embed stage."""
    spent = [answer.milliseconds for answer in answers]
    return {"p50_ms": round(percentile(spent, 0.5), 3), "p95_ms": round(percentile(spent, 0.95), 3)}
