"""`bethink eval retrieval` on a server: the numbers are those of a file, question by question."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bethink.interfaces import cli
from tests.postgres.cluster import Cluster
from tests.postgres.template import AGENT

HARBOUR = ("rows", "--data", Path(__file__).parents[1] / "fixtures" / "evaluation" / "harbour")
Measured = tuple[dict[str, Any], list[dict[str, Any]]]


@pytest.fixture
def measured(postgres: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Measured]:
    """Runs one evaluation in a file or on the server: its result, and its rows without their times."""
    monkeypatch.setenv("BETHINK_HOME", str(tmp_path / "home"))

    def run(store: str, *args: Any) -> Measured:
        with postgres.lend() as name:
            where = {"postgres": postgres.server.url(name, AGENT), "sqlite": tmp_path / f"{len(args)}.db"}[store]
            out = tmp_path / f"{store}.json"
            code = cli.run([str(arg) for arg in ("eval", "retrieval", *args, "--store", where, "--out", out, "-q")])
        assert code == 0
        rows = [json.loads(line) for line in out.with_suffix(".jsonl").read_text("utf-8").splitlines()]
        return json.loads(out.read_text("utf-8")), [{k: v for k, v in row.items() if k != "ms"} for row in rows]

    return run


@pytest.mark.parametrize(
    ("embedder", "layout", "level"),
    [("none", "apart", "turn"), ("hash", "apart", "session"), ("hash", "together", "turn")],
)
def test_a_server_gives_the_numbers_of_a_file(measured, embedder, layout, level):
    args = (*HARBOUR, "--embedder", embedder, "--layout", layout, "--level", level)
    (file, in_file), (server, on_server) = measured("sqlite", *args), measured("postgres", *args)

    assert on_server == in_file
    assert len(in_file) == 6
    assert file["failures"] == server["failures"]
    assert (file["conditions"]["store"], server["conditions"]["store"]) == ("sqlite", "postgres")


def test_where_the_server_is_stands_in_no_result(measured, tmp_path):
    measured("postgres", *HARBOUR, "--embedder", "none")

    assert AGENT not in (tmp_path / "postgres.json").read_text("utf-8")


@pytest.mark.data
@pytest.mark.skipif("BETHINK_DATA" not in os.environ, reason="BETHINK_DATA names no development data")
def test_a_server_gives_the_numbers_of_a_file_on_a_conversation_of_the_development_data(measured):
    data = Path(os.environ["BETHINK_DATA"]) / "locomo" / "conv-26.json"
    args = ("locomo", "--data", data, "--embedder", "none")

    assert measured("postgres", *args)[1] == measured("sqlite", *args)[1]
