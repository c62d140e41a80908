"""The sweep: the default beside every fixed setting of both fusions, on several sets at once."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement

from bethink.errors import InvalidInput
from bethink.evaluation.compare import balanced, compare
from bethink.evaluation.datasets import Wanted, load
from bethink.evaluation.report import page
from bethink.evaluation.runner import Plan, measure
from bethink.evaluation.sweep import Setting, SweepPlan, sweep
from bethink.settings import RecallSettings, Settings

ROOT = Path(__file__).parents[3]
HARBOUR = ROOT / "tests" / "fixtures" / "evaluation" / "harbour"


def quietly(_label, _total):
    return nullcontext(lambda _done: None)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    plan = SweepPlan(Settings(embedder="hash"), tmp_path_factory.mktemp("vectors"), (0.0, 1.0))
    one = load(Wanted("rows", HARBOUR, "all"))
    return one, plan, sweep([one, replace(one, name="again")], plan, quietly)


def test_every_setting_is_what_a_run_with_it_measures(swept, tmp_path):
    dataset, plan, found = swept
    rows = {row["setting"]: row for row in found["settings"]}
    fixed = replace(plan.settings, recall=replace(plan.settings.recall, fusion="scores", dense_weight=1.0))
    run = measure(dataset, Plan(fixed, tmp_path), quietly)
    answered = [answer.values["R@10"] for answer in run.answers if answer.case.answerable]

    assert list(rows) == ["default", "scores 0", "scores 0.35", "scores 1", "ranks 0", "ranks 1"]
    assert found["sets"]["rows"]["questions"] == len(answered) == 5, "the trap of the set is no question of a sweep"
    assert rows["scores 1"]["means"]["rows"]["R@10"] == pytest.approx(sum(answered) / 5, abs=1e-4)
    assert rows["scores 1"]["means"]["again"] == rows["scores 1"]["means"]["rows"]
    assert rows["scores 1"]["means"]["rows"] != rows["scores 0"]["means"]["rows"], "the share decides something here"


def test_the_difference_is_that_of_the_means_over_all_questions_and_by_set(swept):
    _, _, found = swept
    default, *fixed = found["settings"]

    assert "less" not in default
    for row in fixed:
        gap = default["means"]["rows"]["R@10"] - row["means"]["rows"]["R@10"]
        for told in (row["less"], row["balanced"], row["apart"]["again"]):
            assert told["R@10"]["difference"] == pytest.approx(gap, abs=2e-4)
            assert told["R@10"]["low"] <= told["R@10"]["difference"] <= told["R@10"]["high"]
        assert (row["less"]["R@10"]["queries"], row["apart"]["rows"]["R@10"]["queries"]) == (10, 5)


def test_ranks_are_fused_by_their_votes_and_scores_by_their_weight():
    settings = Settings()

    assert Setting("ranks", 0.2).of(settings).recall == replace(settings.recall, fusion="ranks", dense_votes=0.2)
    assert Setting("scores", 0.2).of(settings).recall == replace(settings.recall, fusion="scores", dense_weight=0.2)
    assert Setting().of(settings) == settings


def test_sets_weigh_alike_however_many_questions_each_has():
    large = {str(n): {"R@10": 0.5} for n in range(90)}, {str(n): {"R@10": 0.5} for n in range(90)}
    small = {str(n): {"R@10": 1.0} for n in range(10)}, {str(n): {"R@10": 0.0} for n in range(10)}
    found = balanced([large, small])["R@10"]

    assert (found.ours, found.theirs, found.difference, found.queries) == (0.75, 0.25, 0.5, 100)
    assert (found.low, found.high) == (0.5, 0.5), "the questions of a set are drawn from that set"
    assert balanced([large]) == compare(*large)
    assert balanced([large, ({}, {})]) == {}


def test_the_page_says_of_which_settings_the_default_is_clear(swept):
    _, _, found = swept
    text = page([json.loads(json.dumps(found))], [])
    shown = next(line for line in text.splitlines() if line.startswith("| scores 1 |"))
    gap = next(row for row in found["settings"] if row["setting"] == "scores 1")["less"]["R@10"]

    assert f"{100 * gap['difference']:+.1f} ({100 * gap['low']:+.1f}, {100 * gap['high']:+.1f})" in shown
    clear = sum(row["less"]["R@10"]["clear"] and row["less"]["R@10"]["difference"] > 0 for row in found["settings"][1:])
    assert f"- together, R@10: clear of {clear} of 5" in text


def test_a_sweep_takes_each_set_once_and_shares_of_the_whole(swept):
    dataset, plan, _ = swept
    with pytest.raises(InvalidInput, match="each once"):
        sweep([dataset, dataset], plan, quietly)
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        sweep([dataset], replace(plan, shares=(1.5,)), quietly)


@requirement("B47")
def test_the_weight_of_words_is_the_best_of_those_that_were_measured():
    """No other fixed share of scores is better over the questions of all sets by half a point, on either metric."""
    found = json.loads((ROOT / "docs" / "benchmarks" / "fusion.json").read_text("utf-8"))
    rows = {row["share"]: row["less"] for row in found["settings"] if row["fusion"] == "scores"}
    usual = rows.pop(RecallSettings().dense_weight)

    assert len(rows) == 11
    for metric in ("R@10", "NDCG@10"):
        assert max(row[metric]["theirs"] for row in rows.values()) - usual[metric]["theirs"] <= 0.005
