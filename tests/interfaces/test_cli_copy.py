"""`bethink copy` moves a store for people and for programs."""

from __future__ import annotations

import os

import pytest
from tests.interfaces.test_cli import LOCOMO, command, watched


@pytest.fixture
def source(home) -> str:
    """The store that the commands use, as a copy names it."""
    return os.environ.get("BETHINK_STORE__URL") or str(home / "bethink.db")


def test_a_store_is_copied_counted_and_asked(bethink_cli, source, tmp_path, monkeypatch):
    bethink_cli("import", LOCOMO)
    there = tmp_path / "there"
    copied = bethink_cli("copy", source, there / "bethink.db", "--json").json
    here = bethink_cli("recall", "What did Rosa plant?", "--json").json
    monkeypatch.delenv("BETHINK_STORE__URL", raising=False)
    answer = bethink_cli("recall", "What did Rosa plant?", "--home", there, "--json").json

    assert (copied["status"], copied["command"], copied["resumed"]) == ("success", "copy", False)
    assert (copied["tables"]["turn"], copied["tables"]["vector"], copied["tables"]["record"]) == (4, 4, 0)
    assert answer["items"] == here["items"]
    assert answer["sha256"] == here["sha256"]


def test_people_see_what_was_copied(bethink_cli, source, tmp_path):
    bethink_cli("import", LOCOMO)
    shown = bethink_cli("copy", source, tmp_path / "there.db")

    assert shown.code == 0
    assert shown.out.startswith("copied and counted: ")
    assert "\nturn" in shown.out


def test_a_bar_shows_how_far_a_copy_is(bethink_cli, source, tmp_path):
    bethink_cli("import", LOCOMO)
    shown, _ = watched(command("copy", source, tmp_path / "there.db"))

    assert "copy" in shown


def test_a_copy_that_cannot_be_says_why(bethink_cli, tmp_path):
    absent = bethink_cli("copy", tmp_path / "absent.db", tmp_path / "there.db", "--json")

    assert absent.code == 2
    assert absent.json["error"]["code"] == "invalid_input"
