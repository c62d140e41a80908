"""A data folder of the test's own, a store on either database, words-and-hash recall, and the command line in here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client
from tests.interfaces.harbour import FIXTURES, lines

import bethink
from bethink.interfaces import cli
from bethink.interfaces.mcp import build_server


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
def home(database, tmp_path, monkeypatch):
    """The data folder, where a SQLite store lies; on PostgreSQL the settings name a store beside it."""
    folder = tmp_path / "home"
    monkeypatch.setenv("BETHINK_HOME", str(folder))
    monkeypatch.setenv("BETHINK_EMBEDDER", "hash")
    with database.passing() as place:
        if isinstance(place, str):
            monkeypatch.setenv("BETHINK_STORE__URL", place)
        yield folder


@pytest.fixture
def bethink_cli(home, capsys):
    """Run one command line."""

    def run(*args: str) -> Ran:
        code = cli.run([str(arg) for arg in args])
        shown = capsys.readouterr()
        return Ran(code, shown.out, shown.err)

    return run


@pytest.fixture
def rows_at(tmp_path):
    """A folder of rows like the harbour's, of which some turns are kept, and said as a test has them."""

    def write(name, said=lambda row: row["body"], kept=lambda _row: True):
        place = tmp_path / name
        place.mkdir()
        docs = [{**row, "body": said(row)} for row in lines(FIXTURES / "harbour" / "docs.jsonl") if kept(row)]
        (place / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in docs), "utf-8")
        asked = [row for row in lines(FIXTURES / "harbour" / "queries.jsonl") if row["id"] == "q1"]
        (place / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked), "utf-8")
        return "eval", "retrieval", "rows", "--data", place, "--embedder", "none"

    return write


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def memory(home):
    with bethink.open() as opened:
        for user in ("ada", "bob"):
            opened.grant(user, "assistant", f"user:{user}", read=True, write=True)
        yield opened


@pytest.fixture
def ada(memory):
    session = memory.bind("ada", "assistant").session("talk")
    session.turn("I live in Lisbon now, above a bakery.", role="user", speaker="Ada")
    return memory.bind("ada", "assistant", surface="mcp", voice="agent", session="talk")


@pytest.fixture(params=["auto", "legacy"])
async def client(request, ada, anyio_backend):
    async with Client(build_server(ada, version="0"), mode=request.param, raise_exceptions=True) as connected:
        yield connected
