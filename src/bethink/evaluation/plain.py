"""Results as text: one row a line, so that a change of one reads as one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bethink.errors import OutputFailed


def as_lines(found: Mapping[str, Any]) -> str:
    """A JSON object whose tables stand one row a line."""
    parts = [f"{json.dumps(name)}: {_part(value)}" for name, value in found.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_text(path: Path, text: str) -> None:
    """Write a file, and the folder it lies in where there is none.

    Raises:
        OutputFailed: there is no room, or no right to.
    """
    make_folder(path)
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise OutputFailed(f"{path} cannot be written: {error.strerror}.") from error


def make_folder(path: Path) -> None:
    """Make the folder a file is to lie in.

    Raises:
        OutputFailed: it cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFailed(f"{path} cannot be written: {error.strerror}.") from error


def _part(value: Any) -> str:
    """A value on one line, the rows of a table on one each."""
    if not isinstance(value, dict):
        return json.dumps(value)
    rows = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items()]
    return "{\n" + ",\n".join(rows) + "\n}"
