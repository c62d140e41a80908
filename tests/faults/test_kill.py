"""Processes that are killed while they write."""

from __future__ import annotations

from tests.behaviour.requirements import requirement
from tests.faults.scripts import run


@requirement("P83")
def test_fifty_kills_among_four_writers_lose_nothing_and_no_caller_meets_a_lock(tmp_path):
    told = run("kill", str(tmp_path), "--writes", "10000", "--kills", "50")

    assert (told["lost"], told["wrong"], told["findings"]) == (0, [], [])
    assert told["kills"] == 50
    assert told["acknowledged"] >= 10_000
