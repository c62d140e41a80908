"""`bethink bench`: what each stage costs at each size, on generated corpora, through the public surface.

Vectors come from `ClusteredVectors`, so that the store is measured and not the encoder; the encoder is measured by
itself in `encoder_rates`. Recall figures leave the ``embed`` stage out, remember figures the ``embedding`` stage. Each
size is filled in one process and measured in another, so that its peak memory is that of a program that uses the store.
Interrupted or told to end, it leaves no process and no passing file.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import bethink
from bethink.errors import InvalidInput
from bethink.evaluation.bench_apart import apart, ended_in_order
from bethink.evaluation.bench_callers import WARM, ask_together
from bethink.evaluation.bench_encoder import encoder_rates
from bethink.evaluation.bench_ground import Ground
from bethink.evaluation.bench_prepare import BenchPlan, Prepared, prepare, small_size
from bethink.evaluation.bench_quality import NOTE, exactness, planted_found
from bethink.evaluation.bench_slopes import slopes
from bethink.evaluation.bench_timing import rate, recall_timed, spread, timed
from bethink.evaluation.corpus import ClusteredVectors, Corpus, Planted
from bethink.evaluation.results import machine
from bethink.evaluation.runner import named
from bethink.memory import BoundMemory, Memory
from bethink.operations.recall import RecallResult
from bethink.recall.rank import POLICY
from bethink.recall.reader import STAGES
from bethink.settings import Settings, leaves

__all__ = ["STAGES", "BenchPlan", "bench", "run_size"]

_JUDGED = 100
"""Recalls whose planted answer is looked for."""

Timed = tuple[float, RecallResult]


def bench(plan: BenchPlan, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure every size; ``{"conditions": {...}, "runs": [...], "slopes": [...], "encoder": {...}}``.

    Times are milliseconds, sizes MB of 10^6 bytes.

    Args:
        plan: sizes and counts.
        progress: told what is being done.

    Raises:
        InvalidInput: the store of the plan holds a run of that size, or is a server and to be kept in a folder.
    """
    if plan.keep is not None and plan.url is not None:
        raise InvalidInput("A store with a URL stays by itself; --keep is a folder for files.")
    runs = []
    with ended_in_order():
        for size in plan.sizes:
            progress(f"{size:,} records")
            runs.append(apart(run_size, plan, size))
        progress("the default encoder")
        return {
            "conditions": conditions(plan),
            "runs": runs,
            "slopes": slopes(runs),
            "encoder": apart(encoder_rates),
        }


def conditions(plan: BenchPlan) -> dict[str, Any]:
    """What decides the numbers beside the sizes: versions, what stands in for a model, settings that differ, warmth."""
    chosen, default = leaves(Ground("", "", "", 1).settings()), leaves(Settings())
    return {
        "version": bethink.__version__,
        "policy": POLICY,
        "model": named(ClusteredVectors.spec),
        "settings": {name: chosen[name] for name in chosen if name != "home" and chosen[name] != default[name]},
        "plan": {name: getattr(plan, name) for name in ("queries", "writes", "seed", "scope_size", "callers")},
        "store": plan.url.partition(":")[0] if plan.url and "://" in plan.url else "sqlite",
        "warm": f"after {WARM} recalls; open_ms and first_in_scope are cold",
        "machine": machine(),
    }


def run_size(plan: BenchPlan, size: int) -> dict[str, Any]:
    """One size: fill it or take it up, reopen, recall, get, remember, then all callers at once."""
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as folder:
        if plan.keep is not None:
            plan.keep.mkdir(parents=True, exist_ok=True)
        prepared: Prepared = apart(prepare, plan, size, Path(folder))
        measured = _alone(prepared, plan)
        if plan.callers > 1:
            asked = [list(questions) for questions in prepared.asked]
            measured["callers"] = ask_together(prepared.ground, asked, plan.callers)
        path, filled = Path(prepared.ground.url), prepared.filled
        file_bytes = 0 if plan.url else sum(item.stat().st_size for item in path.parent.glob(f"{path.name}*"))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
        measured["quality"]["nearest"] = exactness(prepared.ground, prepared.truth)
    return {
        "records": size,
        "scopes": prepared.ground.scopes,
        **measured,
        **({"small": measured["small"] | {"records": small_size(size)}} if prepared.small else {}),
        "fill": {
            "seconds": round(filled.all_seconds, 2),
            "per_second": round(size / filled.all_seconds, 1),
            "turns_per_second": round(filled.turns / filled.seconds, 1),
        },
        "rss_mb": round(peak, 1),
        "file_mb": None if plan.url else round(file_bytes / 1e6, 1),
    }


def _alone(prepared: Prepared, plan: BenchPlan) -> dict[str, Any]:
    """What one caller waits for: the opening, recalls of the scopes in turn, gets and writes.

    The first recall of a scope reads its columns, so it stands apart and warms the scope.
    """
    ground, asked = prepared.ground, prepared.asked
    started = time.perf_counter()
    with ground.open() as memory:
        callers = [ground.bind(memory, scope) for scope in range(ground.scopes)]
        callers[0].recall(asked[0][0])
        open_ms = (time.perf_counter() - started) * 1e3
        firsts = [recall_timed(caller, asked[scope][0])[0] for scope, caller in enumerate(callers)][1:]
        turns = [(turn % ground.scopes, 1 + turn // ground.scopes) for turn in range(plan.queries + WARM)]
        recalled = [recall_timed(callers[scope], asked[scope][number]) for scope, number in turns][WARM:]
        ids = [turn.id for turn in callers[0].episodes(session="bench-0-0", limit=500).turns]
        gets = [timed(callers[0].get, ids[i % len(ids)]) for i in range(0, plan.queries * 7, 7)]
        wrote = _written(callers[0], plan)
        judged = [
            (prepared.planted[number], result)
            for (scope, number), (_, result) in zip(turns[WARM:], recalled, strict=True)
            if scope == 0
        ][:_JUDGED]
        matched = [
            _matched(callers[scope], result.trace_id)
            for (scope, _), (_, result) in zip(turns[WARM:][:50], recalled, strict=False)
        ]
        kinds = {kind: _of_kind(callers[0], questions) for kind, questions in prepared.kinds.items()}
        quality = {"planted": planted_found(callers[0], judged)}
        small = _small(memory, prepared.small, prepared.small_asked) if prepared.small else None
    return {
        "recall": {
            **spread([spent for spent, _ in recalled]),
            "stages": _stages(recalled),
            "matched_rows": {"p50": float(np.median(matched)), "max": int(max(matched))},
            **_answered(recalled),
            "first_in_scope": spread(firsts) if firsts else None,
        },
        "questions": kinds,
        "tokens": _percentiles([result.tokens for _, result in recalled]),
        "quality": quality,
        **({"small": small} if small else {}),
        "remember": {**spread(wrote), "per_second": round(1e3 / float(np.mean(wrote)), 1)},
        "get": spread(gets),
        "open_ms": round(open_ms, 1),
        "callers": rate(
            1,
            sum(spent for spent, _ in recalled) / 1e3,
            [(spent, result.trace == "stored") for spent, result in recalled],
        ),
    }


def _of_kind(caller: BoundMemory, questions: Sequence[Planted]) -> dict[str, Any]:
    """What questions of another kind cost, and whether they find what they were made of."""
    recalled = [recall_timed(caller, one.question) for one in questions]
    planted = [(one, result) for one, (_, result) in zip(questions, recalled, strict=True) if one.text]
    return {
        **spread([spent for spent, _ in recalled]),
        "stages": _stages(recalled),
        "matched_rows": {"p50": float(np.median([_matched(caller, result.trace_id) for _, result in recalled]))},
        "tokens": _percentiles([result.tokens for _, result in recalled]),
        **({"planted": planted_found(caller, planted)} if planted else {}),
    }


def _small(memory: Memory, ground: Ground, asked: Sequence[Sequence[str]]) -> dict[str, Any]:
    """What the small scopes beside the large ones wait for, asked in turn; the first recall of each stands apart."""
    callers = [ground.bind(memory, scope) for scope in range(ground.scopes)]
    firsts = [recall_timed(caller, asked[scope][0])[0] for scope, caller in enumerate(callers)]
    turns = [(scope, number) for number in range(1, len(asked[0])) for scope in range(ground.scopes)]
    recalled = [recall_timed(callers[scope], asked[scope][number]) for scope, number in turns]
    return {
        "scopes": ground.scopes,
        **spread([spent for spent, _ in recalled]),
        "stages": _stages(recalled),
        "first_in_scope": spread(firsts),
    }


def _answered(recalled: Sequence[Timed]) -> dict[str, float]:
    """How many recalls brought anything, and how many candidates one looked at, on average."""
    return {
        "answered": sum(bool(result.items) for _, result in recalled),
        "considered": round(float(np.mean([result.considered for _, result in recalled])), 1),
    }


def _stages(recalled: Sequence[Timed]) -> dict[str, dict[str, float]]:
    """What each stage takes."""
    return {name: spread([result.stages_ms.get(name, 0.0) for _, result in recalled]) for name in STAGES}


def _percentiles(counts: Sequence[int]) -> dict[str, float]:
    """The median and the 95th percentile of counts."""
    return {"p50": float(np.percentile(counts, 50)), "p95": float(np.percentile(counts, 95))}


def _written(caller: BoundMemory, plan: BenchPlan) -> list[float]:
    """Milliseconds of each write; a kept store, which holds those of earlier runs, is told others."""
    corpus = Corpus(plan.seed)
    first = 0
    if plan.keep is not None:
        counter = plan.keep / "writes.json"
        first = int(counter.read_text("utf-8")) if counter.exists() else 0
        counter.write_text(str(first + plan.writes), "utf-8")
    return [_remember(caller, corpus, first + index) for index in range(plan.writes)]


def _remember(caller: BoundMemory, corpus: Corpus, index: int) -> float:
    """One durable write of new words; milliseconds without the embedding stage."""
    words = corpus.words[index * 7 % 5_000 : index * 7 % 5_000 + 14]
    started = time.perf_counter()
    result = caller.remember(f"{NOTE}{index} says {' '.join(words)}", subject="Amara", attribute=f"note {index}")
    return (time.perf_counter() - started) * 1e3 - result.stages_ms.get("embedding", 0.0)


def _matched(caller: BoundMemory, trace_id: str) -> int:
    """Rows the lexical arm matched in one recall."""
    arms = caller.trace(trace_id).trace.arms
    return next((int(arm["matched"]) for arm in arms if arm["arm"] == "lexical"), 0)
