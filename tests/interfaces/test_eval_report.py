"""`bethink eval report`: the page of benchmarks is what the command writes from the result files."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement

from bethink.recall.rank import POLICY

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "benchmarks"
BASELINE = ROOT / "src" / "bethink" / "evaluation" / "baseline.json"
HARBOUR = ROOT / "tests" / "fixtures" / "evaluation" / "harbour"


@pytest.fixture
def runs(bethink_cli, tmp_path):
    """Two runs of the small set, the default made worse by hand in one category."""
    args = ("eval", "retrieval", "rows", "--data", HARBOUR, "--embedder", "none")
    words, default = tmp_path / "words.json", tmp_path / "default.json"
    bethink_cli(*args, "--out", words, "--label", "words | alone")
    bethink_cli(*args, "--out", default, "--label", "default", "--against", words)
    found = json.loads(default.read_text("utf-8"))
    found["metrics"]["by_category"]["multi_hop"]["R@10"] = 0.25
    default.write_text(json.dumps(found), "utf-8")
    return tmp_path


def row(page, start):
    return next(line for line in page.splitlines() if line.startswith(start))


def test_the_page_sets_every_run_beside_the_default_with_its_conditions(bethink_cli, runs):
    shown = bethink_cli("eval", "report", runs)

    assert shown.code == 0
    assert "## rows, turn level, split `all`" in shown.out
    table = shown.out[shown.out.index("Questions that have an answer (5)") :]
    assert row(table, "| default |").startswith("| default | 80.0 | 80.0 | 80.0 |")
    assert table.index("| default |") < table.index("| words / alone |")
    assert "`embedder=none`" in shown.out
    assert "9 of 2" in shown.out


def test_the_page_says_where_the_default_is_worse(bethink_cli, runs):
    page = bethink_cli("eval", "report", runs).out

    assert "| multi_hop | R@10 | words / alone | 25.0 | 100.0 |" in page
    assert page.count("| multi_hop | R@10 |") == 1


def test_the_page_says_where_evidence_was_lost_and_what_is_clear(bethink_cli, runs):
    page = bethink_cli("eval", "report", runs).out

    assert row(page, "| default | 1 of 6 |") == "| default | 1 of 6 | 1 | 0 | arms: no arm handed it on 1 |"
    assert row(page, "| default less words / alone | R@10 |").endswith("| +0.0 | +0.0 | +0.0 | 5 | no |")


def test_runs_of_one_set_with_other_categories_stand_side_by_side(bethink_cli, runs):
    """As runs over some of the conversations, or with another file of questions, have them."""
    found = json.loads((runs / "words.json").read_text("utf-8"))
    del found["metrics"]["by_category"]["multi_hop"]
    (runs / "few.json").write_text(json.dumps(found | {"label": "few"}), "utf-8")
    page = bethink_cli("eval", "report", runs)

    assert page.code == 0
    assert "multi_hop (1)" in page.out
    assert row(page.out, "| few, R@10 |").split(" | ")[2] == "-"


def test_the_page_names_every_store_and_present_that_its_runs_were_measured_with(bethink_cli, runs):
    alone = bethink_cli("eval", "report", runs).out
    found = json.loads((runs / "words.json").read_text("utf-8"))
    other = {"store": "postgres", "layout": "together", "present": "the latest of all"}
    (runs / "together.json").write_text(json.dumps(found | {"conditions": found["conditions"] | other}), "utf-8")
    page = bethink_cli("eval", "report", runs).out

    assert "Conditions: sqlite, warm, the present is the end of each conversation's last session. Times" in alone
    assert (
        "Conditions: sqlite and postgres, warm, the present is the end of each conversation's last session"
        " (layout apart) or the latest of all (layout together). Times"
    ) in page


@pytest.mark.parametrize("kind", ["retrieval", "scenarios", "sweep", "other"])
def test_a_result_that_is_not_whole_is_refused(bethink_cli, tmp_path, kind):
    (tmp_path / "cut.json").write_text(json.dumps({"kind": kind, "label": "x"}), "utf-8")
    done = bethink_cli("eval", "report", tmp_path / "cut.json", "--json")

    assert (done.code, done.json["error"]["code"]) == (2, "invalid_input")


@pytest.mark.parametrize(
    "args", [("report", BASELINE, "--out"), ("scenarios", "--out"), ("scenarios", "--write-baseline")]
)
def test_a_page_or_run_that_cannot_be_written_says_so(bethink_cli, tmp_path, args):
    (tmp_path / "file").write_text("", "utf-8")
    done = bethink_cli("eval", *args, tmp_path / "file" / "page", "--json")

    assert (done.code, done.json["error"]["code"]) == (1, "output_failed")


def test_numbers_of_others_stand_with_their_conditions(bethink_cli, runs, tmp_path):
    told = {"dataset": "rows", "level": "turn", "system": "a plain index", "metrics": {"R@10": 0.5}}
    path = tmp_path / "folder" / "published.json"
    path.parent.mkdir()
    path.write_text(json.dumps([{**told, "source": "a paper", "conditions": "other questions"}]), "utf-8")

    assert (
        "| a plain index | 50.0 | other questions (a paper) |"
        in bethink_cli("eval", "report", runs, "--published", path).out
    )
    path.write_text(json.dumps([told]), "utf-8")
    assert bethink_cli("eval", "report", runs, "--published", path, "--json").json["error"]["code"] == "invalid_input"


def test_a_folder_without_results_is_not_found(bethink_cli, tmp_path):
    (tmp_path / "other.json").write_text("[]", "utf-8")

    assert bethink_cli("eval", "report", tmp_path, "--json").json["error"]["code"] == "not_found"


@requirement("A166", "A179")
def test_no_recall_is_shown_without_its_noise_and_no_tokens_without_their_times(bethink_cli):
    """Of every table of runs on the page, and of what people see of one; numbers of others are what they published."""
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8").splitlines()
    heads = [line for line, below in pairwise(page) if below.startswith("| ---") and not line.startswith("| system")]
    shown = [head for head in heads if "R@10" in head]
    firsts = [line.split(" | ")[0] for line in page if line.startswith("| ")]
    people = bethink_cli("eval", "retrieval", "rows", "--data", HARBOUR, "--embedder", "none").out.splitlines()

    assert len(shown) >= 9
    assert [head for head in shown if "noise" not in head] == []
    for name in ("locomo", "beam"):
        (sweep,) = [head for head in shown if f"{name} R@10" in head]
        assert f"{name} noise" in sweep
    for label in ("default", "words alone"):
        assert firsts.count(f"| {label}, R@10") == firsts.count(f"| {label}, noise") > 0
    assert sum("R@10" in line and "noise" in line and "tokens" in line and "p95_ms" in line for line in people) == 1


@requirement("B32")
def test_every_kept_result_was_taken_under_the_present_policy_and_the_default_under_no_setting_of_its_own():
    """A new policy is measured again: numbers of an older one would stand there as this one's."""
    found = {path.name: json.loads(path.read_text("utf-8")) for path in KEPT.glob("*.json") if path.stem != "published"}
    ran = {name: told["conditions"] for name, told in found.items() if "conditions" in told}
    runs = {name: told for name, told in found.items() if told.get("kind") == "retrieval"}
    plain = {"settings": {}, "layout": "apart", "store": "sqlite"}
    alone = {name for name in runs if {key: ran[name][key] for key in plain} == plain}

    assert {name for name, told in ran.items() if told["policy"].partition("+")[0] != POLICY} == set()
    assert alone == {name for name, told in runs.items() if told["label"] == "default"}
    assert len(alone) >= 4
    assert json.loads(BASELINE.read_text("utf-8"))["policy"] == POLICY


LEAST = {
    ("locomo-default", "answerable", "R@10"): 0.78,
    ("locomo-default", "answerable", "R@5"): 0.70,
    ("locomo-default", "answerable", "hit@1"): 0.45,
    ("locomo-default", "answerable", "NDCG@10"): 0.61,
    ("locomo-default", "multi_hop", "R@10"): 0.47,
    ("locomo-session-default", "all", "hit@5"): 0.95,
    ("tmd-default", "macro", "NDCG@10"): 0.85,
}
"""What the default has to reach on the development sets."""


@requirement("A179", "B137")
def test_a_result_that_is_kept_reaches_what_the_default_has_to_and_explains_every_loss():
    """Measured again, it may not fall below; it stays no worse than either of its arms, and as good with all in one."""
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in KEPT.glob("*.json") if path.stem != "published"}

    def mean(name: str, group: str, metric: str) -> float:
        told = found[name]["metrics"]
        groups = {**told["by_category"], "all": told["all"], "answerable": told["answerable"]}
        return float({**groups, "macro": told["macro"]["all"]}[group][metric])

    ten = {name: mean(name, "answerable", "R@10") for name, told in found.items() if told["kind"] == "retrieval"}
    assert {place: mean(*place) for place, least in LEAST.items() if mean(*place) < least} == {}
    assert found["locomo-default"]["mismatch"]["auc"] >= 0.70
    for name in ("locomo", "beam", "tmd"):
        assert ten[f"{name}-default"] >= max(ten[f"{name}-words"], ten[f"{name}-meaning"])
    assert abs(ten["locomo-together"] - ten["locomo-default"]) <= 0.01
    for metric in ("R@10", "R@5", "hit@1", "NDCG@10", "noise"):  # one read, whichever database holds the records
        here, there = (mean(f"locomo-{name}", "answerable", metric) for name in ("default", "postgres"))
        assert abs(here - there) <= 0.001
    assert {name for name in ten if found[name]["failures"]["all"]["by_code"]["UNATTRIBUTED"]} == set()
    arms = [row["less"]["R@10"] for row in found["fusion"]["settings"] if row["setting"] in {"scores 0", "scores 1"}]
    assert [gap["low"] > 0 for gap in arms] == [True, True], "the interval of the better arm excludes zero as well"


def test_the_page_of_the_documents_is_what_the_command_writes(bethink_cli, tmp_path):
    """After new results the command in docs/measuring.md writes it again."""
    out = tmp_path / "page.md"
    done = bethink_cli("eval", "report", KEPT, BASELINE, "--published", KEPT / "published.json", "--out", out)

    assert done.code == 0
    assert out.read_text("utf-8") == (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
