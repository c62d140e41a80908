"""The source tree as values: files, their syntax trees, and the room each module lives in."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
PACKAGE = SRC / "bethink"

BUILT = {"build", "dist", "node_modules", "__pycache__"}
"""Folders that tools fill."""


def python_files(*folders: Path) -> list[Path]:
    """Every Python file below the folders, sorted."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """The file's syntax tree."""
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def place(path: Path) -> str:
    """The file's path as the repository writes it."""
    return path.relative_to(ROOT).as_posix()


def module_name(path: Path) -> str:
    """The dotted name of a module below `src`."""
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str) -> str:
    """The room of a module: the part after ``bethink``, empty for the package itself."""
    return [*module.split("."), ""][1]


def repository_files() -> Iterator[Path]:
    """Every file a clone would hold: virtual environments, caches and build folders are passed over."""
    for folder, folders, files in os.walk(ROOT):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if name not in BUILT
            and (not name.startswith(".") or name == ".ci")
            and not name.endswith(".egg-info")
            and not (here / name / "pyvenv.cfg").exists()
        )
        yield from (here / name for name in sorted(files) if name != ".git")


def text_of(path: Path) -> str | None:
    """The file's text, None when it is no text."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None
