"""Runs beside earlier ones, and where results are written: what cannot be compared or written is told at once."""

from __future__ import annotations

import json

import pytest
from tests.interfaces.harbour import HARBOUR


@pytest.fixture
def untouched(monkeypatch):
    """Fails a test whose command measures although it could have known that it would be in vain."""
    monkeypatch.setattr("bethink.evaluation.runner.measure", _never)


def _never(*_args):
    pytest.fail("it measured first")


def test_a_run_is_compared_question_by_question_with_an_earlier_one(bethink_cli, tmp_path):
    bethink_cli(*HARBOUR, "--out", tmp_path / "first.json")
    told = bethink_cli(*HARBOUR, "--against", tmp_path / "first.json", "--json").json["comparisons"]["first"]

    assert told["against"] == "first"
    assert (told["all"]["R@10"]["difference"], told["all"]["R@10"]["clear"]) == (0.0, False)
    assert told["answerable"]["R@10"]["queries"] == 5


def test_an_earlier_run_that_is_not_there_is_said_to_be_missing(bethink_cli, tmp_path):
    done = bethink_cli(*HARBOUR, "--against", tmp_path / "none.json", "--json")

    assert (done.code, done.json["error"]["code"]) == (3, "not_found")


def test_an_earlier_run_of_another_level_or_set_is_no_measure_of_this_one(bethink_cli, tmp_path, monkeypatch):
    bethink_cli(*HARBOUR, "--level", "session", "--out", tmp_path / "sessions.json")
    told = json.loads((tmp_path / "sessions.json").read_text("utf-8"))
    (tmp_path / "tmd.json").write_text(json.dumps(told | {"dataset": "tmd", "level": "turn"}), "utf-8")
    (tmp_path / "tmd.jsonl").write_text((tmp_path / "sessions.jsonl").read_text("utf-8"), "utf-8")
    (tmp_path / "foreign.json").write_text(json.dumps(told | {"level": "turn"}), "utf-8")
    row = {"scope": "elsewhere", "id": "q1", "metrics": {"R@10": 1.0}}
    (tmp_path / "foreign.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    monkeypatch.setattr("bethink.evaluation.runner.measure", _never)
    refused = [bethink_cli(*HARBOUR, "--against", tmp_path / f"{name}.json") for name in ("sessions", "tmd", "foreign")]

    assert [done.code for done in refused] == [2, 2, 2]
    assert all("no run of rows at turn level" in done.err for done in refused[:2])
    assert "shares no question" in refused[2].err


@pytest.mark.parametrize(
    "row", ["[1]", '{"id": "q1"}', '{"id": "q1", "scope": "harbour", "metrics": {"R@10": "x"}}', "{", '"words"']
)
def test_rows_that_cannot_be_compared_are_refused_before_anything_is_measured(bethink_cli, tmp_path, untouched, row):
    whole = {"kind": "retrieval", "label": "x", "dataset": "rows", "split": "all", "level": "turn"}
    (tmp_path / "run.json").write_text(json.dumps(whole | {"metrics": {}, "failures": {}, "conditions": {}}), "utf-8")
    (tmp_path / "run.jsonl").write_text(row + "\n", "utf-8")
    done = bethink_cli(*HARBOUR, "--against", tmp_path / "run.json", "--json")

    assert (done.code, done.json["error"]["code"]) == (2, "invalid_input")
    assert "run.jsonl cannot be read" in done.json["error"]["message"]


def test_two_earlier_runs_of_one_name_are_both_compared_and_other_data_is_told(bethink_cli, rows_at, tmp_path):
    for folder in ("one", "two"):
        bethink_cli(*rows_at(f"{folder}-rows"), "--out", tmp_path / folder / "run.json", "--label", folder)
    against = [part for folder in ("one", "two") for part in ("--against", tmp_path / folder / "run.json")]
    told = bethink_cli(*rows_at("now", said=lambda row: row["body"].upper()), *against, "--json").json["comparisons"]
    shown = bethink_cli(*rows_at("shown"), *against[:2])

    assert [(name.rpartition("/")[0][-3:], one["against"]) for name, one in told.items()] == [
        ("one", "one"),
        ("two", "two"),
    ]
    assert not any(one["same_data"] for one in told.values())
    assert "against one (answerable" in shown.out


@pytest.mark.parametrize("name", ["run.jsonl", "run.v2", "run", "folder.json"])
def test_a_result_whose_rows_would_lie_in_its_place_or_another_s_is_refused(bethink_cli, tmp_path, untouched, name):
    (tmp_path / "folder.json").mkdir()
    done = bethink_cli(*HARBOUR, "--out", tmp_path / name, "--json")

    assert (done.code, done.json["error"]["code"]) == (2, "invalid_input")
    assert "--out RUN.json" in done.json["error"]["remedy"]


def test_a_place_that_cannot_be_written_is_told_before_anything_is_measured(bethink_cli, tmp_path, untouched):
    (tmp_path / "file").write_text("", "utf-8")
    done = bethink_cli(*HARBOUR, "--out", tmp_path / "file" / "run.json", "--json")

    assert (done.code, done.json["error"]["code"]) == (1, "output_failed")
