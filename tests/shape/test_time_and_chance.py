"""The present, new ids and randomness are arguments: only the machine's edge makes them."""

from __future__ import annotations

import ast
import re

import pytest

from tests.shape.source import PACKAGE, place, python_files, tree

EDGES: dict[str, str] = {
    "src/bethink/system.py": "the machine's clock and randomness, handed to the core by the composition root",
}
"""Files that may read them, with the reason."""

SOURCE = re.compile(
    r"datetime\.(datetime|date)\.(now|utcnow|today)|time\.(time|time_ns|localtime|gmtime)|uuid\.uuid[1-8]"
    r"|os\.(urandom|getrandom)|secrets\.\w+|random\.[a-z]\w*|numpy\.random\.(?!default_rng|Generator)[a-z]\w*"
)
"""Calls that answer differently the second time; clocks that only measure how long something took are none."""

UNSEEDED = {"random.Random", "numpy.random.default_rng"}
"""Generators that are chance itself unless they are given a seed."""


def origins(module: ast.AST) -> dict[str, str]:
    """For each imported name where it comes from: ``np`` is ``numpy``, ``datetime`` is ``datetime.datetime``."""
    found: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def reads(module: ast.AST) -> list[int]:
    """Lines that ask the machine for the present, an id or chance."""
    known = origins(module)
    lines = []
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        root, dot, rest = ast.unparse(node.func).partition(".")
        name = known.get(root, "") + dot + rest
        if SOURCE.fullmatch(name) or (name in UNSEEDED and not node.args and not node.keywords):
            lines.append(node.lineno)
    return lines


def test_only_the_edge_makes_time_and_chance():
    readers = {place(path) for path in python_files(PACKAGE) if reads(tree(path))}

    assert readers == EDGES.keys()
    assert [reason for reason in EDGES.values() if len(reason.split()) < 4] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from datetime import datetime\ndatetime.now(UTC)", [2]),
        ("import datetime as dt\ndt.datetime.utcnow()", [2]),
        ("from uuid import uuid4\nuuid4()", [2]),
        ("import secrets\nsecrets.token_hex(8)", [2]),
        ("import random\nrandom.shuffle(a)", [2]),
        ("import numpy as np\nnp.random.default_rng()", [2]),
        ("import numpy as np\nnp.random.default_rng(7)", []),
        ("import random\nrandom.Random(7)", []),
        ("random = generator(7)\nrandom.choice(a)", []),
        ("clock.now()", []),
        ("import time\ntime.perf_counter()", []),
    ],
)
def test_every_way_to_ask_the_machine_is_seen(source, expected):
    assert reads(ast.parse(source)) == expected
