"""Results as text: one row a line, so that a change of one reads as one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def as_lines(found: Mapping[str, Any]) -> str:
    """A JSON object whose tables stand one row a line."""
    parts = [f"{json.dumps(name)}: {_part(value)}" for name, value in found.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _part(value: Any) -> str:
    """A value on one line, the rows of a table on one each."""
    if not isinstance(value, dict):
        return json.dumps(value)
    rows = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items()]
    return "{\n" + ",\n".join(rows) + "\n}"
