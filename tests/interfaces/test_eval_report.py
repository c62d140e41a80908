"""`bethink eval report`: the page of benchmarks is what the command writes from the result files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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


def test_the_page_of_the_documents_is_what_the_command_writes(bethink_cli, tmp_path):
    """After new results the command in docs/measuring.md writes it again."""
    out = tmp_path / "page.md"
    done = bethink_cli("eval", "report", KEPT, BASELINE, "--published", KEPT / "published.json", "--out", out)

    assert done.code == 0
    assert out.read_text("utf-8") == (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
