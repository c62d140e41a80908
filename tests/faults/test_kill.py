"""Processes that are killed while they write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.behaviour.requirements import requirement

ROOT = Path(__file__).parents[2]


def run(module: str, *arguments: str) -> dict[str, object]:
    """What a script of this folder prints."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.faults.{module}", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=True,
        timeout=290,
    )
    return json.loads(done.stdout)


@requirement("P83")
def test_fifty_kills_among_four_writers_lose_nothing_and_no_caller_meets_a_lock(tmp_path):
    told = run("kill", str(tmp_path), "--writes", "10000", "--kills", "50")

    assert (told["lost"], told["wrong"], told["findings"]) == (0, [], [])
    assert told["kills"] == 50
    assert told["acknowledged"] >= 10_000
