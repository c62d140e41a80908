"""The bench: quality, tokens, latency and memory of each size, the slope between sizes, and stores that stay."""

from __future__ import annotations

import json
import resource
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.behaviour.requirements import requirement

import bethink
from bethink.errors import InvalidInput
from bethink.evaluation.bench import BenchPlan, bench, conditions, run_size
from bethink.evaluation.bench_ground import BELIEFS, SAID, Filled, Ground, fill
from bethink.evaluation.bench_prepare import prepare
from bethink.evaluation.bench_quality import brute_force, exactness
from bethink.evaluation.bench_slopes import slopes
from bethink.evaluation.bench_timing import spread
from bethink.evaluation.corpus import ClusteredVectors, Corpus
from bethink.interfaces.cli.bench_tables import show_bench
from bethink.recall.pool import POOL
from bethink.recall.rank import POLICY
from bethink.settings import RecallSettings
from bethink.text.template import belief_text, turn_text

TINY = BenchPlan(sizes=(120, 480), queries=6, writes=2)


def peak_mb() -> float:
    """The most memory this process had, as a run tells it."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6, 1)


@requirement("B148", "E101")
def test_each_size_tells_quality_tokens_latency_and_memory_and_the_slope_between_them(capsys):
    plan = replace(TINY, small_scopes=2)
    began = peak_mb()
    less, more = (run_size(plan, size) for size in plan.sizes)
    (slope,) = slopes([less, more])
    show_bench({"runs": [less, more], "slopes": [slope]})
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]

    for run in (less, more):
        assert run["quality"]["nearest"] == {"questions": 6, "R@10": 1.0}, "so few are all compared exactly"
        assert run["quality"]["planted"]["questions"] == 6
        assert run["quality"]["planted"]["R@10"] >= 0.8
        assert 0 < run["tokens"]["p50"] <= run["tokens"]["p95"]
        assert 0 < run["recall"]["p50_ms"] <= run["recall"]["p95_ms"]
        assert (run["recall"]["count"], 0 < run["recall"]["considered"] <= POOL) == (6, True)
        assert 20 < began <= run["rss_mb"] <= peak_mb(), "the peak only grows"
        assert run["questions"]["long"]["matched_rows"]["p50"] > run["recall"]["matched_rows"]["p50"]
        assert run["questions"]["common"]["matched_rows"]["p50"] > 0
        assert (run["small"]["scopes"], run["small"]["records"]) == (2, run["records"] // 10)
    assert less["tokens"] != more["tokens"], "a block of four times as many records holds more"
    assert more["tokens"]["p95"] <= RecallSettings().budget_tokens
    assert (slope["from"], slope["to"]) == (120, 480)
    grown = np.log(more["recall"]["p50_ms"] / less["recall"]["p50_ms"]) / np.log(4)
    assert slope["recall_p50"] == pytest.approx(grown, abs=1e-3)
    assert slope["file"] > 0
    assert slope["nearest_R@10"] == 0
    for name in ("lexical", "dense", "entity", "rerank"):  # each by itself, beside each size
        took = [run["recall"]["stages"][name] for run in (less, more)]
        assert ["-", name, *(word for one in took for word in (f"{one['p50_ms']}", "/", f"{one['p95_ms']}"))] in shown
    assert ["recall_p50", f"{slope['recall_p50']:+g}"] in shown
    assert ["nearest", "by", "brute", "force,", "R@10", "100.0%", "100.0%"] in shown
    assert ["peak", "memory,", "MB", str(less["rss_mb"]), str(more["rss_mb"])] in shown


@requirement("E97")
def test_a_run_says_under_which_conditions_it_was_measured():
    told = conditions(replace(TINY, callers=3))

    assert (told["version"], told["policy"], told["model"]) == (bethink.__version__, POLICY, "bench/clustered 1")
    assert (told["plan"]["queries"], told["plan"]["seed"], told["plan"]["callers"]) == (6, 11, 3)
    assert told["settings"] == {"store.lock_timeout_ms": 60_000, "recall.timeout_ms": 60_000}
    assert (told["store"], told["warm"].split()[1]) == ("sqlite", "20")
    assert conditions(replace(TINY, url="postgresql://me@there/x"))["store"] == "postgresql"
    assert "there" not in json.dumps(conditions(replace(TINY, url="postgresql://me@there/x")))


@requirement("E97")
def test_times_are_told_with_their_mean_their_tail_and_how_many_they_were():
    assert spread([1.0, 2.0, 9.0]) == {"p50_ms": 2.0, "p95_ms": 8.3, "mean_ms": 4.0, "count": 3}


@requirement("B148")
def test_a_slope_is_the_power_that_a_number_grows_by_and_the_shift_a_tenfold():
    def run(records: int, ms: float, tokens: float, found: float | None) -> dict[str, object]:
        spread = {"p50_ms": ms, "p95_ms": ms * ms}
        return {
            "records": records,
            "recall": spread,
            "questions": {"long": spread, "common": spread},
            "remember": {"p50_ms": 3.0},
            "open_ms": 10.0 * records,
            "rss_mb": 100.0,
            "file_mb": None,
            "tokens": {"p50": tokens},
            "quality": {"planted": {"R@10": found}, "nearest": {"R@10": found}},
        }

    runs = [run(100_000, 40.0, 200.0, 0.5), run(1_000, 4.0, 400.0, 0.9), run(10_000, 4.0, 300.0, None)]
    first, second = slopes(runs)

    assert [(one["from"], one["to"]) for one in (first, second)] == [(1_000, 10_000), (10_000, 100_000)]
    assert (first["recall_p50"], second["recall_p50"], second["recall_p95"]) == (0.0, 1.0, 2.0)
    assert (first["open"], first["rss"], first["file"], first["tokens"]) == (1.0, 0.0, None, -100.0)
    assert (first["planted_R@10"], second["planted_R@10"]) == (None, None)
    assert slopes([run(1_000, 1.0, 1.0, 0.9), run(100_000, 10.0, 1.0, 0.5)])[0]["planted_R@10"] == -0.2


def test_the_ten_nearest_by_brute_force_are_those_of_all_vectors():
    ground = Ground("", "", "", 1)
    corpus = Corpus(5)
    texts = list(corpus.texts(5_000))
    questions = corpus.nameless(texts, 3)
    found = brute_force(ground, texts, questions)
    whole = [
        belief_text(speaker, text) if at < 500 else turn_text(speaker, text, SAID)
        for at, (speaker, text) in enumerate(texts)
    ]
    embedder = ClusteredVectors()
    cosines = (
        embedder.embed_documents(whole).astype(np.float64)
        @ np.stack([embedder.embed_query(question) for question in questions]).astype(np.float64).T
    )

    for at, one in enumerate(found):
        best = np.argsort(-cosines[:, at])[:10]
        assert one.texts == tuple(texts[place][1] for place in best)
        assert one.cosines == pytest.approx(cosines[best, at], abs=1e-6)


def test_what_the_dense_arm_misses_of_the_nearest_is_counted(tmp_path):
    prepared = prepare(replace(TINY, queries=4), 60, tmp_path)
    whole = exactness(prepared.ground, prepared.truth)
    lost = [replace(one, texts=(*one.texts[:7], "nobody", "said", "this")) for one in prepared.truth]

    assert (whole["R@10"], exactness(prepared.ground, lost)["R@10"]) == (1.0, 0.7)


def test_a_kept_store_is_filled_once_and_measured_again(tmp_path):
    plan = replace(TINY, keep=tmp_path / "kept")
    first = run_size(plan, 120)
    marks = {path.name: path.read_bytes() for path in plan.keep.glob("*.json") if path.name != "writes.json"}
    again = run_size(plan, 120)

    assert sorted(marks) == ["bench-120-11.filled.json", "bench-120-11.questions.json"]
    assert {name: (plan.keep / name).read_bytes() for name in marks} == marks
    assert again["fill"] == first["fill"]
    assert again["quality"]["nearest"] == first["quality"]["nearest"]
    assert (plan.keep / "writes.json").read_text() == "4", "the second run writes other notes than the first"


def test_a_fill_that_was_cut_short_goes_on_where_it_stopped(tmp_path):
    texts = list(Corpus(3).texts(1_500))
    ground = Ground(str(tmp_path / "one.db"), str(tmp_path), "bench", 2)
    mark = tmp_path / "mark.json"
    fill(ground, texts[:900], mark)
    half = json.loads(mark.read_text())
    Filled(**{**half, "batches": 1, "beliefs": 0, "whole": False}).write(mark)
    fill(ground, texts[:900], mark)
    with ground.open() as memory:
        counts, pending = memory.check().counts, memory.pending

    assert (counts["turns"], counts["records"], pending) == (810, 90, 0)
    assert Filled.read(mark).whole


def test_a_size_has_at_most_so_many_beliefs(tmp_path):
    ground = Ground("", "", "", 1)

    assert len(ground.beliefs([("A", "b")] * 1_000, 0)) == 100
    assert len(ground.beliefs([("A", "b")] * 1_000_000, 0)) == BELIEFS


def test_a_server_is_not_kept_in_a_folder():
    with pytest.raises(InvalidInput, match="--keep"):
        bench(replace(TINY, url="postgresql://nowhere", keep=Path("here")), lambda _: None)
