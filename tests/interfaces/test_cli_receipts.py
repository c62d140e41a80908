"""Receipts on the command line: listed, written to a file, and applied to a backup."""

from __future__ import annotations

import json


def test_receipts_are_listed_and_applied_once(bethink_cli, tmp_path):
    kept = bethink_cli("remember", "The spare key is under the pot.", "--json").json["id"]
    bethink_cli("forget", kept, "--mode", "erase", "--yes")
    path = tmp_path / "receipts.jsonl"

    listed = bethink_cli("receipts", "list")
    written = bethink_cli("receipts", "list", "--out", str(path))
    applied = bethink_cli("receipts", "apply", str(path))

    assert (listed.code, written.code, applied.code) == (0, 0, 0)
    (line,) = path.read_text("utf-8").splitlines()
    assert json.loads(line)["ids"][0] == kept
    assert json.loads(line)["digest"] in listed.out
    assert "spare key" not in line
    assert applied.out.startswith("0 receipts")


def test_a_file_that_holds_no_receipts_is_refused(bethink_cli, tmp_path):
    path = tmp_path / "receipts.jsonl"
    path.write_text('{"number": 1}\n', "utf-8")

    assert bethink_cli("receipts", "apply", str(path)).code == 2
    assert bethink_cli("receipts", "apply", str(tmp_path / "none")).code == 2
    assert bethink_cli("receipts", "list").code == 0
