"""`bethink eval offer`: a rewriter or reranker is measured with and without, and off until somebody switches it on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement
from tests.shape.source import PACKAGE

import bethink
from bethink.evaluation.compare import Difference
from bethink.evaluation.offering import switched, worth_offering
from bethink.settings import Settings

WORDS = (
    "amber",
    "basalt",
    "cobalt",
    "damask",
    "ebony",
    "fennel",
    "garnet",
    "hazel",
    "indigo",
    "jasper",
    "khaki",
    "lilac",
)
STEPS = """
import time
import bethink

class Rewriter:
    def rewrite(self, text, context):
        return text.replace("hue", "pigment")

class Reranker:
    def __init__(self, wanted): self.wanted = wanted
    def scores(self, question, texts):
        return [0.9 if self.wanted in text else 0.1 for text in texts]

class Fickle:
    # says something else in every run, which begins with five questions asked once more, to warm up
    def __init__(self): self.asked = 0
    def scores(self, question, texts):
        self.asked += 1
        wanted = ("truly", "maybe")[(self.asked - 1) // 17 % 2]
        return [0.9 if wanted in text else 0.1 for text in texts]

class Broken:
    def rewrite(self, text, context): raise RuntimeError
    def scores(self, question, texts): raise RuntimeError

rewriter = bethink.Steps(rewriter=Rewriter())
better = lambda: bethink.Steps(reranker=Reranker("truly"), rewriter=Broken())
fickle = lambda: bethink.Steps(reranker=Fickle())
worse = lambda: bethink.Steps(reranker=Reranker("maybe"))
broken = bethink.Steps(rewriter=Broken(), reranker=Broken())
number = 7
"""


@pytest.fixture
def offer(bethink_cli, tmp_path, monkeypatch):
    """Measure one step on twelve questions, of which each has two turns with its word, the second being the answer.

    For a rewriter the question says one of the words in a way that no turn does.
    """
    docs = [
        {"scope": "paint", "id": f"{word}-{name}", "session": f"s{at}", "speaker": "Rosa", "seq": 2 * at + place}
        | {"date": "9:00 am on 2 March, 2026", "body": f"The {word} pigment is {name} in the {where}"}
        for at, word in enumerate(WORDS)
        for place, (name, where) in enumerate((("maybe", "red jar"), ("truly", "tin box")))
    ]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in docs), "utf-8")
    (tmp_path / "painted_steps.py").write_text(STEPS, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def run(part: str, steps: str, *more: str):
        said = "hue" if part == "rewriter" else "pigment"
        queries = [
            {
                "scope": "paint",
                "id": word,
                "query": f"Where is the {word} {said}?",
                "gold": [f"{word}-truly"],
                "cat": "one",
            }
            for word in WORDS
        ]
        (tmp_path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in queries), "utf-8")
        given = ("--data", tmp_path, "--embedder", "none", "--part", part, "--steps", f"painted_steps:{steps}")
        return bethink_cli("eval", "offer", "rows", *given, *more)

    return run


@requirement("E115", "E101")
def test_a_reranker_s_gain_is_told_with_its_interval_and_its_cost_in_milliseconds(offer, tmp_path):
    found = offer("reranker", "better", "--json", "--out", tmp_path / "out" / "offer.json").json
    gain, cost = found["gain"]["hit@1"], found["cost_ms"]

    assert (found["kind"], found["part"], found["questions"]) == ("offer", "reranker", 12)
    assert gain["ours"] == 1.0
    assert gain["low"] <= gain["difference"] == pytest.approx(1.0 - gain["theirs"], abs=1e-4)
    assert gain["high"] >= gain["difference"]
    assert (gain["higher"] + gain["lower"] > 0, gain["queries"]) == (True, 12)
    assert cost["low"] <= cost["difference"] <= cost["high"]
    assert {*cost["without"], *cost["with"]} == {"p50_ms", "p95_ms"}
    (stage,) = found["by_candidates"]
    assert (stage["candidates"], stage["questions"]) == (2, 12), "the two turns with the question's word"
    assert 0 < stage["p50_ms"] <= cost["with"]["p95_ms"]
    assert found["worth_offering"] is found["gain"]["NDCG@10"]["clear"]
    assert found["policy"]["with"] != found["policy"]["without"]
    assert found["unanswered"] == 0
    assert json.loads((tmp_path / "out" / "offer.json").read_text("utf-8")) == found
    assert "tin box" not in json.dumps(found)


@requirement("D49")
def test_a_model_that_says_something_else_each_time_is_told_by_how_its_runs_differ(offer):
    steady, fickle = offer("reranker", "better", "--json").json, offer("reranker", "fickle", "--json").json
    shown = offer("reranker", "fickle", "--repeats", "2").out

    assert (steady["repeats"]["runs"], steady["repeats"]["differing"]) == (3, 0)
    assert steady["repeats"]["hit@1"] == {"mean": 1.0, "least": 1.0, "most": 1.0, "deviation": 0.0}
    assert (fickle["repeats"]["runs"], fickle["repeats"]["differing"]) == (3, 12)
    assert fickle["repeats"]["hit@1"] == {"mean": 0.6667, "least": 0.0, "most": 1.0, "deviation": 0.4714}
    assert fickle["gain"]["hit@1"]["ours"] == pytest.approx(2 / 3, abs=1e-4)
    assert "2 runs with it: NDCG@10 0.6309 to 1.0000 (deviation 0.1845), another order for 12 questions" in shown
    assert offer("reranker", "better", "--repeats", "0", "--json").json["error"]["code"] == "invalid_input"


@requirement("E115")
def test_a_reranker_that_harms_is_not_worth_offering_and_one_that_fails_changes_nothing(offer):
    worse, broken = offer("reranker", "worse", "--json").json, offer("reranker", "broken", "--json").json

    assert (worse["gain"]["hit@1"]["ours"], worse["worth_offering"]) == (0.0, False)
    assert (broken["changed"], broken["unanswered"], broken["worth_offering"]) == (0, 12, False)
    assert {gap["difference"] for gap in broken["gain"].values()} == {0.0}


@requirement("E114")
def test_a_rewriter_s_gain_and_cost_are_told_and_it_is_measured_alone(offer):
    found = offer("rewriter", "rewriter", "--json").json
    failing = offer("rewriter", "broken", "--json").json

    assert (found["part"], found["questions"], found["unanswered"]) == ("rewriter", 12, 0)
    assert found["gain"]["R@10"] | {"queries": 12, "clear": True} == found["gain"]["R@10"]
    assert (found["gain"]["R@10"]["theirs"], found["gain"]["R@10"]["low"], found["worth_offering"]) == (0.0, 1.0, True)
    assert all({"difference", "low", "high", "clear"} <= set(gap) for gap in found["gain"].values())
    assert {"difference", "low", "high", "without", "with"} <= set(found["cost_ms"])
    assert (failing["changed"], failing["unanswered"], failing["worth_offering"]) == (0, 12, False)


def test_people_see_gain_cost_and_verdict(offer):
    shown = offer("reranker", "better").out

    assert "reranker: 12 questions, another order for 12" in shown
    assert re.search(r"hit@1 +0\.0000 +1\.0000 +\+1\.0000 +\+1\.0000 +\+1\.0000 +clear", shown)
    assert re.search(r"cost: [+-]\d+\.\d{3} ms a question", shown)
    assert shown.endswith("\nworth offering\n")
    assert "not worth offering: no clear gain" in offer("reranker", "worse").out


@requirement("E114", "E115")
@pytest.mark.parametrize(
    ("decides", "harmed", "worth"),
    [((0.01, 0.05), (-0.02, 0.03), True), ((-0.01, 0.05), (0.0, 0.1), False), ((0.01, 0.05), (-0.05, -0.01), False)],
)
def test_only_a_clear_gain_without_a_clear_loss_is_worth_offering(decides, harmed, worth):
    gaps = {name: Difference(0, 0, 0, *ends, 0, 0, 9) for name, ends in (("NDCG@10", decides), ("hit@1", harmed))}

    assert worth_offering(gaps) is worth
    assert not worth_offering({})


@requirement("E114", "E115")
def test_nothing_is_offered_that_was_not_measured_both_are_off_and_none_comes_along():
    default = Settings()
    made = [
        str(path.relative_to(PACKAGE))
        for path in sorted(Path(PACKAGE).rglob("*.py"))
        if re.search(r"def (?:rewrite\(self, text|scores\(self, question)", path.read_text("utf-8"))
        and path.parts[-2] != "ports"
    ]

    assert (default.recall.read_models, default.recall.rerank) == (False, "off")
    assert (bethink.Steps().rewriter, bethink.Steps().reranker) == (None, None)
    assert made == []
    assert switched(default, None) == default
    assert switched(default, "reranker").recall.rerank == "after"
    assert switched(default, "rewriter").recall.rerank == "off"


def test_steps_that_are_not_there_are_refused(offer):
    for part, steps, says in (
        ("reranker", "rewriter", "no reranker"),
        ("reranker", "number", "no bethink.Steps"),
        ("reranker", "nowhere", "cannot be loaded"),
    ):
        ran = offer(part, steps, "--json")
        assert (ran.code, says in ran.json["error"]["message"]) == (2, True)
