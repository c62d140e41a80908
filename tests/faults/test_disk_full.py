"""A disk that is full is an error that says so; what was acknowledged stays, and the same process goes on."""

from __future__ import annotations

import pytest

from tests.behaviour.requirements import requirement
from tests.faults.scripts import run


@requirement("P83", "E10")
@pytest.mark.parametrize("limit", [800_000, 1_500_000, 6_000_000])
def test_a_full_disk_loses_nothing_and_the_process_recovers(tmp_path, limit):
    told = run("disk_full", str(tmp_path), str(limit))

    assert told.pop("acknowledged") > 3
    assert told == {"code": "store_full", "lost": 0, "unasked": 0, "findings": [], "traced": ["deferred", "stored", 0]}


@requirement("P83")
@pytest.mark.parametrize("limit", [4_096, 65_536, 300_000])
def test_a_store_that_finds_no_room_to_be_made_says_so_and_is_made_later(tmp_path, limit):
    assert run("no_room", str(tmp_path), str(limit)) == {"full": "store_full", "left": False, "later": "made"}
