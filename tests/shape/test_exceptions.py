"""A broad `except` stands only at an outermost edge, where it has a reason."""

from __future__ import annotations

import ast

import pytest

from tests.shape.source import PACKAGE, place, python_files, tree

EDGES: dict[str, str] = {
    "src/bethink/evaluation/bench_apart.py": "the edge of a process: whoever waits for it raises what ended its work",
    "src/bethink/interfaces/cli/__init__.py": "a program that asked for JSON gets an answer even from a defect",
    "src/bethink/upkeep/worker.py": "the defect of one job must not stop the others; it stays, visible, as a dead job",
}
"""Files that may catch everything, with the reason: the edges where an error must become an answer."""

BROAD = {"Exception", "BaseException"}


def broad(node: ast.AST) -> bool:
    """Whether a node swallows every exception."""
    match node:
        case ast.ExceptHandler(type=None):
            return True
        case ast.ExceptHandler(type=kind):
            return any(isinstance(part, ast.Name) and part.id in BROAD for part in ast.walk(kind))
        case ast.Call(func=function, args=args) if ast.unparse(function).split(".")[-1] == "suppress":
            return any(isinstance(arg, ast.Name) and arg.id in BROAD for arg in args)
        case _:
            return False


def test_only_the_edges_catch_everything():
    catching = {place(path) for path in python_files(PACKAGE) if any(map(broad, ast.walk(tree(path))))}

    assert catching == EDGES.keys()
    assert [reason for reason in EDGES.values() if len(reason.split()) < 4] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("try: ...\nexcept: ...", True),
        ("try: ...\nexcept Exception as e: ...", True),
        ("try: ...\nexcept (OSError, BaseException): ...", True),
        ("with contextlib.suppress(Exception): ...", True),
        ("try: ...\nexcept OSError: ...", False),
        ("with suppress(FileNotFoundError): ...", False),
    ],
)
def test_every_way_to_catch_everything_is_seen(source, expected):
    assert any(map(broad, ast.walk(ast.parse(source)))) is expected
