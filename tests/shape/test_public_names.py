"""The public surface is what `__all__` says, and names say what a thing is."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from types import ModuleType

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
