"""Imports point one way, from the edges to the values, and only the composition root knows a database."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.shape.source import PACKAGE, SRC, module_name, python_files, room, tree

LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("domain", "text"),
    ("ports", "operations", "settings"),
    ("formation", "recall", "tracing"),
    ("session", "upkeep", "feedback"),
    ("memory",),
    ("directory",),
    ("opening",),
    ("aio", "interfaces", "evaluation"),
)
"""A room imports rooms of the layers above it in this list, and rooms of its own layer as long as no circle closes.

A new room gets its place here with its first file."""

MAY_IMPORT: dict[str, set[str]] = {
    "store": {"domain", "text", "ports", "operations", "errors"},
    "embedding": {"domain", "text", "ports", "errors"},
    "models": {"domain", "text", "ports", "operations", "errors"},
    "importing": {"domain", "text", "ports", "operations", "errors"},
    "system": {"domain", "ports", "operations", "errors"},
}
"""Rooms beside the layers, and all they may import."""

IMPORTED_BY: dict[str, set[str]] = {
    "store": {"opening"},
    "embedding": {"opening"},
    "models": {"opening"},
    "system": {"opening"},
    "importing": {"memory", "interfaces"},
    "": {"interfaces", "evaluation"},
}
"""Rooms that only these may import; the nameless one is the package itself, the public surface."""

STRANGERS = ({"formation", "recall"},)
"""Rooms that never import each other: what both need lives in domain, text and ports."""

PUBLIC_ROOMS = {"errors", "domain", "operations", "ports", "settings", "memory", "directory", "opening", "aio"}
"""What the public surface may be made of."""


def rank(name: str) -> int:
    """The layer of a room, counted from the values."""
    return next(index for index, layer in enumerate(LAYERS) if name in layer)


def imported(path: Path) -> set[str]:
    """The bethink modules a file imports anywhere, under TYPE_CHECKING and inside functions too."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(part for part in (base, node.module) if part)
            found |= {
                f"{source}.{alias.name}" if is_module(f"{source}.{alias.name}") else source for alias in node.names
            }
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return {name for name in found if name.split(".")[0] == "bethink"}


def is_module(name: str) -> bool:
    """Whether a dotted name is a module or package of the tree."""
    path = SRC.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def rooms() -> dict[str, set[str]]:
    """For each room the rooms it imports, its own left out."""
    graph: dict[str, set[str]] = {}
    for path in python_files(PACKAGE):
        mine = room(module_name(path))
        graph.setdefault(mine, set()).update(room(name) for name in imported(path))
    return {name: others - {name} for name, others in graph.items()}


def allowed(name: str, other: str) -> bool:
    """Whether one room may import another."""
    if name == "testing":
        return True
    if other in IMPORTED_BY:
        return name in IMPORTED_BY[other] or (name == "opening" and other != "")
    if other == "testing" or {name, other} in STRANGERS:
        return (name, other) == ("evaluation", "testing")  # a benchmark repeats itself with the tests' clock and ids
    if name == "":
        return other in PUBLIC_ROOMS
    if name in MAY_IMPORT:
        return other in MAY_IMPORT[name]
    return rank(other) <= rank(name)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A circle of rooms that import each other, empty when there is none."""

    def follow(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        return next((found for other in sorted(graph.get(name, ())) if (found := follow(other, [*trail, name]))), [])

    return next((found for name in sorted(graph) if (found := follow(name, []))), [])


def test_every_room_has_its_place_and_every_place_its_room():
    known = {name for layer in LAYERS for name in layer} | MAY_IMPORT.keys() | {"", "testing"}
    named = known | {name for importers in IMPORTED_BY.values() for name in importers} | PUBLIC_ROOMS

    assert sorted(named ^ rooms().keys()) == []


def test_imports_point_one_way():
    wrong = [
        f"{module_name(path)} imports {target}"
        for path in python_files(PACKAGE)
        for target in sorted(imported(path))
        if room(target) != room(module_name(path)) and not allowed(room(module_name(path)), room(target))
    ]

    assert wrong == []


def test_no_rooms_import_each_other_in_a_circle():
    graph = rooms()
    graph.pop("testing", None)

    assert circle(graph) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("recall", "formation"),
        ("formation", "recall"),
        ("domain", "ports"),
        ("recall", "store"),
        ("memory", "opening"),
        ("memory", "embedding"),
        ("interfaces", "store"),
        ("store", "settings"),
        ("recall", ""),
        ("memory", "testing"),
        ("importing", "recall"),
        ("recall", "system"),
    ],
)
def test_the_table_forbids_the_wrong_way(name, other):
    assert not allowed(name, other)


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
