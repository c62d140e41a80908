"""`bethink copy` moves a store for people and for programs."""

from __future__ import annotations

from tests.interfaces.test_cli import LOCOMO, command, watched


def test_a_store_is_copied_counted_and_asked(bethink_cli, home, tmp_path):
    bethink_cli("import", LOCOMO)
    there = tmp_path / "there"
    copied = bethink_cli("copy", home / "bethink.db", there / "bethink.db", "--json").json
    here = bethink_cli("recall", "What did Rosa plant?", "--json").json
    answer = bethink_cli("recall", "What did Rosa plant?", "--home", there, "--json").json

    assert (copied["status"], copied["command"], copied["resumed"]) == ("success", "copy", False)
    assert (copied["tables"]["turn"], copied["tables"]["vector"], copied["tables"]["record"]) == (4, 4, 0)
    assert answer["items"] == here["items"]
    assert answer["sha256"] == here["sha256"]


def test_people_see_what_was_copied(bethink_cli, home, tmp_path):
    bethink_cli("import", LOCOMO)
    shown = bethink_cli("copy", home / "bethink.db", tmp_path / "there.db")

    assert shown.code == 0
    assert shown.out.startswith("copied and counted: SQLite ")
    assert "\nturn" in shown.out


def test_a_bar_shows_how_far_a_copy_is(bethink_cli, home, tmp_path):
    bethink_cli("import", LOCOMO)
    shown, _ = watched(command("copy", home / "bethink.db", tmp_path / "there.db"))

    assert "copy" in shown


def test_a_copy_that_cannot_be_says_why(bethink_cli, tmp_path):
    absent = bethink_cli("copy", tmp_path / "absent.db", tmp_path / "there.db", "--json")

    assert absent.code == 2
    assert absent.json["error"]["code"] == "invalid_input"
