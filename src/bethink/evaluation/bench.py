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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bethink.evaluation.corpus import ClusteredVectors, Corpus
from bethink.memory import BoundMemory
from bethink.opening import open_memory
from bethink.operations.recall import RecallResult
from bethink.operations.sessions import TurnInput
from bethink.settings import Settings, load_settings

SIZES = (1_000, 10_000, 50_000)
BELIEF_SHARE = 0.1
STAGES = (
    "form fence embed structured lexical fuzzy dense entity fuse rank gate collapse safety fit render trace".split()
)
_BATCH = 512
_WARM = 20


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """How much to measure."""

    sizes: tuple[int, ...] = SIZES
    queries: int = 300
    writes: int = 200
    seed: int = 11


def bench(plan: BenchPlan, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure every size; ``{"runs": [...], "encoder": {...}}`` with times in milliseconds, sizes in MB (10^6).

    Args:
        plan: sizes and counts.
        progress: told what is being done.
    """
    runs = []
    context = multiprocessing.get_context("spawn")
    for size in plan.sizes:
        progress(f"{size:,} records")
        with context.Pool(1) as pool:
            runs.append(pool.apply(run_size, (plan, size)))
    progress("the default encoder")
    with context.Pool(1) as pool:
        return {"runs": runs, "encoder": pool.apply(encoder_rates)}


def run_size(plan: BenchPlan, size: int) -> dict[str, Any]:
    """One size, from an empty store: fill, reopen, recall, get, remember."""
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as folder:
        path = Path(folder) / "bench.db"
        corpus = Corpus(plan.seed)
        texts = list(corpus.texts(size))
        settings = load_settings({"home": folder, "store.lock_timeout_ms": 60_000}, {})
        fill_seconds, ids = _fill(path, settings, texts)
        started = time.perf_counter()
        with open_memory(path, settings=settings, embedder=ClusteredVectors()) as memory:
            caller = memory.bind()
            questions = corpus.questions(texts, plan.queries + _WARM + 1)
            caller.recall(questions[0])
            open_ms = (time.perf_counter() - started) * 1e3
            recalled = [_recall(caller, question) for question in questions[1:]][_WARM:]
            gets = [_timed(caller.get, ids[i % len(ids)]) for i in range(0, plan.queries * 7, 7)]
            wrote = [_remember(caller, corpus, index) for index in range(plan.writes)]
            matched = [_matched(caller, result.trace_id) for _, result in recalled[:50]]
        file_bytes = sum(item.stat().st_size for item in Path(folder).glob("bench.db*"))
    return {
        "records": size,
        "recall": {
            **_spread([spent for spent, _ in recalled]),
            "stages": {name: _spread([r.stages_ms.get(name, 0.0) for _, r in recalled]) for name in STAGES},
            "matched_rows": {"p50": float(np.median(matched)), "max": int(max(matched))},
            "answered": sum(bool(result.items) for _, result in recalled),
        },
        "remember": {**_spread(wrote), "per_second": round(1e3 / float(np.mean(wrote)), 1)},
        "get": _spread(gets),
        "fill": {"seconds": round(fill_seconds, 2), "per_second": round(size / fill_seconds, 1)},
        "open_ms": round(open_ms, 1),
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6, 1),
        "file_mb": round(file_bytes / 1e6, 1),
    }


def encoder_rates() -> dict[str, Any]:
    """The default encoder: one query, a bulk of turns, and `remember` with it, on a 14-token text."""
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as folder:
        settings = load_settings({"home": folder}, {})
        with open_memory(Path(folder) / "bench.db", settings=settings) as memory:
            embedder = memory.embedder
            if embedder is None:
                return {"available": False}
            text = "When did the harbour release of the tide tables happen for the small boats"
            embedder.embed_query(text)
            query = [_timed(embedder.embed_query, f"{text} {n}") for n in range(50)]
            bulk_texts = [f"{speaker}: {words}" for speaker, words in Corpus(3).texts(256)]
            bulk = _timed(embedder.embed_documents, bulk_texts)
            caller = memory.bind(voice="user")
            wrote = [_timed(caller.remember, f"{text} on pier {n}") for n in range(50)]
    return {
        "available": True,
        "query": _spread(query),
        "bulk_per_second": round(len(bulk_texts) / bulk * 1e3, 1),
        "remember": {**_spread(wrote), "per_second": round(1e3 / float(np.mean(wrote)), 1)},
    }


def _fill(path: Path, settings: Settings, texts: Sequence[tuple[str, str]]) -> tuple[float, list[str]]:
    """Fill a new store: most of it turns in sessions of 40, the rest beliefs. Seconds, and ids to look up."""
    started = time.perf_counter()
    beliefs = int(len(texts) * BELIEF_SHARE)
    with open_memory(path, settings=settings, embedder=ClusteredVectors()) as memory:
        caller = memory.bind(voice="agent")
        ids: list[str] = []
        for number, batch in enumerate(_batches(texts[beliefs:], _BATCH)):
            session = caller.session(f"bench-{number}")
            turns = [TurnInput(text=text, role="participant", speaker=speaker) for speaker, text in batch]
            ids += session.turns(turns).ids
        ids += [caller.remember(text, subject=speaker).id for speaker, text in texts[:beliefs]]
        memory.embed_pending()
    return time.perf_counter() - started, ids


def _recall(caller: BoundMemory, question: str) -> tuple[float, RecallResult]:
    """One read with its trace stored; milliseconds of the whole call without the embed stage, and the answer."""
    started = time.perf_counter()
    result = caller.recall(question)
    return (time.perf_counter() - started) * 1e3 - result.stages_ms.get("embed", 0.0), result


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


def _timed(call: Callable[..., object], argument: object) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    call(argument)
    return (time.perf_counter() - started) * 1e3


def _batches(items: Sequence[tuple[str, str]], size: int) -> Iterable[Sequence[tuple[str, str]]]:
    """Runs of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))


def _spread(values: Sequence[float]) -> dict[str, float]:
    """p50 and p95, to a hundredth."""
    return {
        "p50_ms": round(float(np.percentile(values, 50)), 3),
        "p95_ms": round(float(np.percentile(values, 95)), 3),
    }
