"""Files of 400 lines, functions of 50, five parameters: what does not fit has a reason here or is split."""

from __future__ import annotations

import ast

from tests.shape.source import PACKAGE, ROOT, place, python_files, tree

FILE_LINES = 400
FUNCTION_LINES = 50
PARAMETERS = 5

_TABLE = "a row for each promise; a table is read by its keys and gains nothing from being torn"
FILE_EXCEPTIONS: dict[str, str] = {f"tests/behaviour/requirements_{group}.py": _TABLE for group in "ab"}
"""Longer files, with the reason."""

FUNCTION_EXCEPTIONS: dict[str, str] = {}
"""Longer functions, as ``path::name``, with the reason."""

PARAMETER_EXCEPTIONS: dict[str, str] = {
    "src/bethink/memory/whole.py::grant": "who, which agent, which scope, two rights and a tenant, all named",
    "src/bethink/opening.py::open_memory": "the one place where every part can be replaced",
}
"""Functions with more parameters, as ``path::name``, with the reason."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
FILES = python_files(PACKAGE, ROOT / "tests", ROOT / "scripts")


def functions() -> list[tuple[str, Function]]:
    """Every function as ``path::name``."""
    return [(f"{place(p)}::{n.name}", n) for p in FILES for n in ast.walk(tree(p)) if isinstance(n, Function)]


def parameters(function: Function) -> int:
    """How many parameters a caller sees."""
    args = function.args
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    variadic = [item for item in (args.vararg, args.kwarg) if item is not None]
    return len([item for item in named if item.arg not in {"self", "cls"}]) + len(variadic)


def injected(name: str, function: Function) -> bool:
    """Whether pytest fills the parameters: a test or a fixture takes as many as it needs."""
    fixture = any("fixture" in ast.unparse(decorator) for decorator in function.decorator_list)
    return name.startswith("tests/") and (function.name.startswith("test") or fixture)


def test_files_stay_below_the_ceiling():
    long = {place(path) for path in FILES if len(path.read_text("utf-8").splitlines()) > FILE_LINES}

    assert long == FILE_EXCEPTIONS.keys()


def test_functions_stay_below_the_ceiling():
    long = {name for name, node in functions() if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES}

    assert long == FUNCTION_EXCEPTIONS.keys()


def test_functions_take_few_parameters():
    wide = {name for name, node in functions() if parameters(node) > PARAMETERS and not injected(name, node)}

    assert wide == PARAMETER_EXCEPTIONS.keys()


def test_every_exception_gives_its_reason():
    reasons = [*FILE_EXCEPTIONS.values(), *FUNCTION_EXCEPTIONS.values(), *PARAMETER_EXCEPTIONS.values()]

    assert [reason for reason in reasons if len(reason.split()) < 4] == []
