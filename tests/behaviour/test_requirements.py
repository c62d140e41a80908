"""Every promise has a row, every built one a test, and no test claims what is not built."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.behaviour.requirements import REQUIREMENTS, Status, requirement

TESTS = Path(__file__).parents[1]
GROUPS = {"A": 185, "B": 161, "C": 67, "D": 57, "E": 117}


class Mark(NamedTuple):
    """One promise claimed by one function: ``path::function``, and whether pytest collects it as a test."""

    name: str
    place: str
    collected: bool


def marks_in(source: str, path: str) -> list[Mark]:
    """The promises that the functions of a file claim, read without importing it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        collected = node.name.startswith("test") and Path(path).name.startswith("test_")
        for call in node.decorator_list:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "requirement":
                found += [Mark(ast.literal_eval(name), f"{path}::{node.name}", collected) for name in call.args]
    return found


def all_marks() -> list[Mark]:
    """The claims of the whole test tree."""
    return [
        mark
        for path in sorted(TESTS.rglob("*.py"))
        for mark in marks_in(path.read_text("utf-8"), path.relative_to(TESTS).as_posix())
    ]


def test_the_scan_reads_the_marks_of_a_file():
    source = '@requirement("A9", "E71")\n@other(1)\ndef test_it(): ...\n@requirement("A1")\ndef helper(): ...\n'

    assert marks_in(source, "x/test_y.py") == [
        Mark("A9", "x/test_y.py::test_it", collected=True),
        Mark("E71", "x/test_y.py::test_it", collected=True),
        Mark("A1", "x/test_y.py::helper", collected=False),
    ]


def test_every_id_of_the_five_groups_has_a_row():
    expected = {f"{group}{number}" for group, count in GROUPS.items() for number in range(1, count + 1)}

    assert {name for name in REQUIREMENTS if name[0] in GROUPS} == expected
    assert {name[0] for name in REQUIREMENTS} == {*GROUPS, "P"}


def test_every_promise_is_said_once_and_in_a_sentence():
    said = Counter(row.promise for row in REQUIREMENTS.values())

    assert {text: count for text, count in said.items() if count > 1} == {}
    assert [name for name, row in REQUIREMENTS.items() if len(row.promise) < 15 or row.promise[-1] != "."] == []


def test_what_is_not_built_says_what_brings_it_or_replaces_it():
    silent = [name for name, row in REQUIREMENTS.items() if row.status is not Status.BUILT and not row.note.strip()]

    assert silent == []


def test_every_built_promise_has_a_test():
    proven = {mark.name for mark in all_marks() if mark.collected}

    assert sorted(n for n, row in REQUIREMENTS.items() if row.status is Status.BUILT and n not in proven) == []


def test_no_test_claims_what_is_not_built():
    stale = [m for m in all_marks() if m.name not in REQUIREMENTS or REQUIREMENTS[m.name].status is not Status.BUILT]

    assert stale == []


def test_only_collected_tests_claim_promises():
    assert [mark for mark in all_marks() if not mark.collected] == []


def test_a_mark_keeps_its_names_and_an_unknown_one_stops_the_import():
    proof = requirement("A1", "A3")(lambda: None)

    assert proof.requirements == ("A1", "A3")
    with pytest.raises(KeyError, match="A999"):
        requirement("A999")


def test_a_test_has_one_mark_for_a_second_would_hide_the_first():
    with pytest.raises(ValueError, match="marked twice"):
        requirement("A1")(requirement("A3")(lambda: None))
