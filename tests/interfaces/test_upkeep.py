"""`check` and `repair` at the command line: both files, and a code that tells."""

from __future__ import annotations

from pathlib import Path

from tests.databases import rows_of

import bethink

LOCOMO = Path(__file__).parents[1] / "fixtures" / "transcripts" / "locomo.json"


def test_a_trace_of_what_was_forgotten_says_that_it_withholds(home, bethink_cli):
    kept = bethink_cli("remember", "The gate opens to heliotrope", "--json").json["id"]
    asked = bethink_cli("recall", "What does the gate open to?", "--json").json["trace_id"]
    bethink_cli("forget", kept)
    shown, told = bethink_cli("trace", asked), bethink_cli("trace", asked, "--json").json

    assert (shown.code, told["verification"]) == (0, "verified")
    assert kept in told["withheld"]
    assert "heliotrope" not in shown.out + str(told)
    assert "withheld" in shown.out
    assert "may no longer read" in shown.err


def test_a_healthy_store_is_clean_and_repair_changes_nothing(bethink_cli):
    bethink_cli("import", LOCOMO)
    checked = bethink_cli("check", "--json")
    repaired = bethink_cli("repair", "--json")

    assert (checked.code, checked.json["findings"]) == (0, [])
    assert checked.json["counts"]["turns"] == 4
    assert (repaired.code, repaired.json["left"]) == (0, [])
    assert bethink_cli("check").out.startswith("clean")


def test_a_damaged_trace_is_found_and_repair_says_that_it_stays(home, bethink_cli):
    bethink_cli("remember", "The gate code is 4711")
    bethink_cli("recall", "What is the gate code?")
    sound = bethink_cli("check", "--json").json["counts"]["traces"]
    with bethink.open() as memory:
        rows_of(memory._parts.store, "update trace set body = replace(body, '4711', '4712')", traces=True)
    checked, repaired = bethink_cli("check"), bethink_cli("repair")

    assert (sound, checked.code, repaired.code) == (1, 1, 1)
    for told in (checked.out, repaired.out):
        assert "traces" in told
        assert "hash" in told
    assert bethink_cli("recall", "What is the gate code?").code == 0
