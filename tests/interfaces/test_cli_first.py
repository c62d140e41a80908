"""The first minutes at the command line: slips, a store that is not there yet, and what is only rehearsed."""

from __future__ import annotations

import os


def test_a_slip_in_a_command_is_answered_with_the_commands_like_it(bethink_cli):
    slip = bethink_cli("recal", "kiln")

    assert (slip.code, slip.out) == (2, "")
    assert "Did you mean 'recall'" in slip.err
    assert "Did you mean" not in bethink_cli("xyzzy").err


def test_a_dry_run_names_no_receipt_for_there_is_none(bethink_cli):
    kept = bethink_cli("remember", "The kiln is hot", "--json").json["id"]

    assert "receipt" not in bethink_cli("forget", kept, "--mode", "erase", "--dry-run").out
    assert "receipt" in bethink_cli("forget", kept, "--mode", "erase", "--yes").out


def test_whoever_makes_a_store_by_asking_for_one_is_told_where(bethink_cli, home, tmp_path):
    named = "BETHINK_STORE__URL" in os.environ
    first, again = (bethink_cli("recall", "kiln") for _ in range(2))
    quiet = bethink_cli("recall", "kiln", "--home", tmp_path / "mistyped", "--quiet")

    told = "" if named else f"note: There was no store; this one is new: {home / 'bethink.db'}\n"
    assert (first.code, first.err, again.err, quiet.err) == (0, told, "", "")
