"""`bethink bench`: what each stage costs at each size, on generated corpora, through the public surface.

Vectors come from `ClusteredVectors`, so that the store is measured and not the encoder; the encoder is measured by
itself in `encoder_rates`. Recall figures leave the ``embed`` stage out, remember figures the ``embedding`` stage. Each
size runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bethink.evaluation.bench_callers import WARM, ask_together
from bethink.evaluation.bench_encoder import encoder_rates
from bethink.evaluation.bench_ground import Ground, fill, refuse_filled
from bethink.evaluation.bench_timing import rate, recall_timed, spread, timed
from bethink.evaluation.corpus import Corpus
from bethink.memory import BoundMemory

SIZES = (1_000, 10_000, 50_000)
STAGES = (
    "form fence embed structured lexical fuzzy dense entity fuse rank gate collapse safety fit render trace".split()
)


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """How much to measure, and where.

    `url` names a store that holds no run of these sizes; a passing SQLite file for each size when None. `scope_size` is
    how many records lie in a scope, all in one when 0; a question is asked of one scope. `callers` processes ask at
    once, beside the one that measures.
    """

    sizes: tuple[int, ...] = SIZES
    queries: int = 300
    writes: int = 200
    seed: int = 11
    url: str | None = None
    scope_size: int = 0
    callers: int = 1


def bench(plan: BenchPlan, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure every size; ``{"runs": [...], "encoder": {...}}`` with times in milliseconds, sizes in MB (10^6).

    Args:
        plan: sizes and counts.
        progress: told what is being done.

    Raises:
        InvalidInput: the store of the plan holds a run of that size.
    """
    runs = []
    for size in plan.sizes:
        progress(f"{size:,} records")
        runs.append(_apart(run_size, plan, size))
    progress("the default encoder")
    return {"runs": runs, "encoder": _apart(encoder_rates)}


def run_size(plan: BenchPlan, size: int) -> dict[str, Any]:
    """One size, from an empty store: fill, reopen, recall, get, remember, then all callers at once."""
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as folder:
        scopes = -(-size // plan.scope_size) if plan.scope_size else 1
        ground = Ground(plan.url or str(Path(folder) / "bench.db"), folder, f"bench-{size}", scopes)
        refuse_filled(ground)
        corpus = Corpus(plan.seed)
        texts = list(corpus.texts(size))
        started = time.perf_counter()
        filled = fill(ground, texts)
        seconds = time.perf_counter() - started
        asked = [corpus.questions(ground.share(texts, scope), plan.queries + WARM + 1) for scope in range(scopes)]
        measured = _alone(ground, plan, asked, filled.ids)
        file_bytes = sum(item.stat().st_size for item in Path(folder).glob("bench.db*"))
        if plan.callers > 1:
            measured["callers"] = ask_together(ground, asked, plan.callers)
    return {
        "records": size,
        "scopes": scopes,
        **measured,
        "fill": {
            "seconds": round(seconds, 2),
            "per_second": round(size / seconds, 1),
            "turns_per_second": round(filled.turns / filled.seconds, 1),
        },
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6, 1),
        "file_mb": None if plan.url else round(file_bytes / 1e6, 1),
    }


def _alone(ground: Ground, plan: BenchPlan, asked: list[list[str]], ids: Sequence[str]) -> dict[str, Any]:
    """What one caller waits for: the opening, recalls of the scopes in turn, gets and writes.

    The first recall of a scope reads its columns, so it stands apart and warms the scope.
    """
    started = time.perf_counter()
    with ground.open() as memory:
        callers = [ground.bind(memory, scope) for scope in range(ground.scopes)]
        callers[0].recall(asked[0][0])
        open_ms = (time.perf_counter() - started) * 1e3
        firsts = [recall_timed(caller, asked[scope][0])[0] for scope, caller in enumerate(callers)][1:]
        turns = [(turn % ground.scopes, 1 + turn // ground.scopes) for turn in range(plan.queries + WARM)]
        recalled = [recall_timed(callers[scope], asked[scope][number]) for scope, number in turns][WARM:]
        gets = [timed(callers[0].get, ids[i % len(ids)]) for i in range(0, plan.queries * 7, 7)]
        wrote = [_remember(callers[0], Corpus(plan.seed), index) for index in range(plan.writes)]
        matched = [
            _matched(callers[scope], result.trace_id)
            for (scope, _), (_, result) in zip(turns[WARM:][:50], recalled, strict=False)
        ]
    return {
        "recall": {
            **spread([spent for spent, _ in recalled]),
            "stages": {name: spread([r.stages_ms.get(name, 0.0) for _, r in recalled]) for name in STAGES},
            "matched_rows": {"p50": float(np.median(matched)), "max": int(max(matched))},
            "answered": sum(bool(result.items) for _, result in recalled),
            "first_in_scope": spread(firsts) if firsts else None,
        },
        "remember": {**spread(wrote), "per_second": round(1e3 / float(np.mean(wrote)), 1)},
        "get": spread(gets),
        "open_ms": round(open_ms, 1),
        "callers": rate(
            1,
            sum(spent for spent, _ in recalled) / 1e3,
            [(spent, result.trace == "stored") for spent, result in recalled],
        ),
    }


def _apart(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Do it in a process of its own, which may start others."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _remember(caller: BoundMemory, corpus: Corpus, index: int) -> float:
    """One durable write of new words; milliseconds without the embedding stage."""
    words = corpus.words[index * 7 % 5_000 : index * 7 % 5_000 + 14]
    started = time.perf_counter()
    result = caller.remember(f"note {index} says {' '.join(words)}", subject="Amara", attribute=f"note {index}")
    return (time.perf_counter() - started) * 1e3 - result.stages_ms.get("embedding", 0.0)


def _matched(caller: BoundMemory, trace_id: str) -> int:
    """Rows the lexical arm matched in one recall."""
    arms = caller.trace(trace_id).trace.arms
    return next((int(arm["matched"]) for arm in arms if arm["arm"] == "lexical"), 0)
