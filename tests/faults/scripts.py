"""Running the scripts of this folder in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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
