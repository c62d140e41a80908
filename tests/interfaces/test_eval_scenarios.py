"""`bethink eval scenarios`: needs nothing, and its exit code says whether anything is not as it was."""

from __future__ import annotations

import json

from tests.behaviour.requirements import requirement

from bethink.evaluation.report import HEAD


@requirement("D49")
def test_no_model_asks_or_judges_so_that_a_second_run_is_the_same_to_the_byte(bethink_cli, tmp_path):
    """There is no variance to report: nothing of an evaluation asks a generative model."""
    runs = [tmp_path / name for name in ("first.json", "second.json")]
    for path in runs:
        bethink_cli("eval", "scenarios", "--out", path)

    assert runs[0].read_bytes() == runs[1].read_bytes()
    assert "No generative model is asked" in HEAD


def test_the_benchmark_needs_no_data_and_is_the_same_as_its_baseline(bethink_cli):
    found = bethink_cli("eval", "scenarios", "--json").json

    assert found["same"] is True
    assert found["run"]["metrics"]["probes"] >= 60


def test_a_difference_is_named_and_ends_with_one(bethink_cli, tmp_path):
    path = tmp_path / "baseline.json"
    bethink_cli("eval", "scenarios", "--write-baseline", path)
    kept = json.loads(path.read_text("utf-8"))
    kept["metrics"]["recalled"] += 1
    path.write_text(json.dumps(kept), "utf-8")
    shown = bethink_cli("eval", "scenarios", "--baseline", path)

    assert shown.code == 1
    assert f"regression: recalled {kept['metrics']['recalled']} -> {kept['metrics']['recalled'] - 1}" in shown.out


def test_a_run_can_be_published_whole(bethink_cli, tmp_path):
    done = bethink_cli("eval", "scenarios", "--out", tmp_path / "run.json")
    laid = json.loads((tmp_path / "run.json").read_text("utf-8"))

    assert (done.code, "the same as the baseline" in done.out) == (0, True)
    assert laid["scenarios"]["two-workspaces"]["probes"][0]["block"].startswith("<memory")
