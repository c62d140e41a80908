"""A data folder of the test's own, words-and-hash recall, and the command line inside this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from bethink.interfaces import cli


@dataclass(frozen=True)
class Ran:
    """What one command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    monkeypatch.setenv("BETHINK_HOME", str(folder))
    monkeypatch.setenv("BETHINK_EMBEDDER", "hash")
    return folder


@pytest.fixture
def bethink_cli(home, capsys):
    """Run one command line."""

    def run(*args: str) -> Ran:
        code = cli.run([str(arg) for arg in args])
        shown = capsys.readouterr()
        return Ran(code, shown.out, shown.err)

    return run


@pytest.fixture
def anyio_backend():
    return "asyncio"
