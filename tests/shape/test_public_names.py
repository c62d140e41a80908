"""The public surface is what `__all__` says, and names say what a thing is."""

from __future__ import annotations

import ast
import dataclasses
import re
import subprocess
import sys
from types import ModuleType

import pytest

import bethink
from tests.shape.source import PACKAGE, SRC, module_name, place, python_files, tree

EMPTY_WORDS = re.compile(r"(Manager|Helper|Util)s?(?![a-z])|(^|[._])(manager|helper|util)s?($|[._])")
"""Words that say nothing about what a thing is."""


def test_the_public_names_are_those_of_all():
    promised = set(bethink.__all__)
    offered = {
        name
        for name, value in vars(bethink).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }

    assert offered <= promised
    assert {name for name in promised if not hasattr(bethink, name)} == set()
    assert len(promised) == len(bethink.__all__)


def test_completion_and_help_know_every_public_name_before_it_is_used():
    code = "import bethink; assert set(bethink.__all__) <= set(dir(bethink)); assert 'Memory' not in vars(bethink)"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(SRC)}, capture_output=True, check=False)

    assert (done.returncode, done.stderr.decode()) == (0, "")


@pytest.mark.parametrize("facade", ["Memory", "BoundMemory", "SessionHandle", "AsyncMemory", "ServedMemory"])
def test_what_a_public_method_takes_and_gives_can_be_named_from_the_package(facade: str):
    methods = {name: each for name, each in vars(getattr(bethink, facade)).items() if not name.startswith("_")}
    hints = [hint for each in methods.values() for hint in getattr(each, "__annotations__", {}).values()]
    named = {word for hint in hints for word in re.findall(r"\b[A-Z]\w+(?:Request|Result|Listed)\b", hint)}

    assert methods
    assert named - set(bethink.__all__) == set()


def test_every_field_of_a_request_is_explained_where_help_shows_it():
    requests = [getattr(bethink, name) for name in bethink.__all__ if name.endswith(("Request", "Input"))]
    unsaid = [
        f"{request.__name__}.{item.name}"
        for request in requests
        for item in dataclasses.fields(request)
        if not re.search(rf"\b{item.name}\b", request.__doc__ or "")
    ]

    assert len(requests) > 30
    assert unsaid == []


def test_opening_is_a_call_however_the_package_was_imported():
    code = "import bethink.opening, bethink; assert callable(bethink.open), bethink.open"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(SRC)}, capture_output=True, check=False)

    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_no_name_is_an_empty_word():
    named = [module_name(path) for path in python_files(PACKAGE)] + [
        f"{place(path)}::{node.name}"
        for path in python_files(PACKAGE)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
    ]

    assert [name for name in named if EMPTY_WORDS.search(name)] == []


def test_empty_words_are_seen():
    assert all(map(EMPTY_WORDS.search, ("a::SessionManager", "bethink.utils", "bethink.text_helper", "x::Helpers")))
    assert not any(map(EMPTY_WORDS.search, ("a::Utility", "bethink.managed", "x::TextAnalyser")))
