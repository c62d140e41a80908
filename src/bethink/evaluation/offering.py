"""Offering: what an optional step of a read gains and costs, measured with and without it before anybody offers it.

The same questions are asked twice of the same store, without the step and with it, and compared question by question.
A step is worth offering where the gain in NDCG@10 is more than chance and nothing else it moves is a clear loss; what
it costs in milliseconds stands beside the gain, for its reader to weigh.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal, get_args

from bethink.errors import InvalidInput
from bethink.evaluation.cases import Dataset
from bethink.evaluation.compare import Difference, compare, paired
from bethink.evaluation.metrics import percentile
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


def offering(dataset: Dataset, plan: Plan, part: Offered, steps: Steps, progress: Progress) -> dict[str, Any]:
    """Gain with its interval and cost of one step, as plain data that holds no text of the set.

    Args:
        dataset: the questions.
        plan: how to run; a reranker stands where its setting says, `after` the floors unless that names a place.
        part: the step.
        steps: what holds it; its other steps are left out of both runs.
        progress: opens the bars of each run.

    Raises:
        InvalidInput: `steps` has no such step, or there is none of that name.
        NotFound, EmbedderError, StoreError: as `measure` says.
    """
    if part not in get_args(Offered):
        raise InvalidInput(f"Step {str(part)[:40]!r} is none of {', '.join(get_args(Offered))}.")
    if getattr(steps, part) is None:
        raise InvalidInput(f"What was handed in has no {part}.", remedy=f"Pass bethink.Steps({part}=...).")
    alone = Steps(rewriter=steps.rewriter) if part == "rewriter" else Steps(reranker=steps.reranker)
    with tempfile.TemporaryDirectory(prefix="bethink-offer-") as folder:
        at = replace(plan, store=plan.store or Path(folder) / "eval.db")
        without = measure(dataset, replace(at, settings=switched(plan.settings, None), steps=None), progress)
        used = measure(dataset, replace(at, settings=switched(plan.settings, part), steps=alone), progress)
    return {
        "kind": "offer",
        "part": part,
        "dataset": dataset.name,
        "split": dataset.split,
        "digest": dataset.digest,
        "space": used.space,
        "policy": {"without": without.policy, "with": used.policy},
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


def _measured(without: Run, used: Run, part: Offered) -> dict[str, Any]:
    """Gain, cost and how often the step did anything."""
    before, after = _by_key(without.answers), _by_key(used.answers)
    answerable = {key for key, answer in after.items() if answer.case.answerable}
    gain = compare(_values(after, answerable), _values(before, answerable))
    keys = sorted(after)
    cost = paired([(after[key].milliseconds, before[key].milliseconds) for key in keys])
    return {
        "questions": len(keys),
        "changed": sum(after[key].order != before[key].order for key in keys),
        "unanswered": sum(_UNUSED[part] in after[key].notices for key in keys),
        "gain": {name: {**_rounded(found), "clear": found.clear} for name, found in gain.items()},
        "cost_ms": {**_rounded(cost), "without": _spread(without.answers), "with": _spread(used.answers)},
        **({"by_candidates": _by_candidates(used.answers)} if part == "reranker" else {}),
        "worth_offering": worth_offering(gain),
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


def _values(answers: Mapping[str, Answer], keys: set[str]) -> dict[str, Mapping[str, float | None]]:
    """The metrics of some of the questions."""
    return {key: answer.values for key, answer in answers.items() if key in keys}


def _rounded(found: Difference) -> dict[str, Any]:
    """A difference as data."""
    return {name: round(value, DIGITS) for name, value in asdict(found).items()}


def _spread(answers: Sequence[Answer]) -> dict[str, float]:
    """Median and tail of a run, in milliseconds without the embed stage."""
    spent = [answer.milliseconds for answer in answers]
    return {"p50_ms": round(percentile(spent, 0.5), 3), "p95_ms": round(percentile(spent, 0.95), 3)}
