"""The small set of rows that the evaluation's tests measure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parents[1] / "fixtures" / "evaluation"
HARBOUR = ("eval", "retrieval", "rows", "--data", FIXTURES / "harbour", "--embedder", "none")


def lines(path: Path) -> list[Any]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
