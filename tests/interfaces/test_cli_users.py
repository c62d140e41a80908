"""A user on the command line: exported as lines, erased when it is confirmed."""

from __future__ import annotations

import json

import bethink


def test_a_user_is_exported_to_a_file_and_to_standard_output_alike(bethink_cli, tmp_path):
    bethink_cli("remember", "The spare key is under the pot.")
    path = tmp_path / "local.jsonl"

    shown = bethink_cli("export", "--user", "local")
    written = bethink_cli("export", "--user", "local", "--out", path, "--json")

    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert (shown.code, written.code, written.json["lines"]) == (0, 0, len(lines))
    assert [line["line"] for line in lines] == ["manifest", "session", "entity", "turn", "record", "end"]
    assert lines[4]["record"]["content"]["text"] == "The spare key is under the pot."
    assert [json.loads(line)["line"] for line in path.read_text("ascii").splitlines()] == [x["line"] for x in lines]
    assert bethink_cli("export", "--user", "local", "--out", tmp_path / "no" / "file").code == 2


def test_all_of_a_user_goes_only_when_that_is_confirmed(bethink_cli):
    bethink_cli("remember", "The spare key is under the pot.")

    refused = bethink_cli("erase-user", "local")
    counted = bethink_cli("erase-user", "local", "--dry-run", "--json")
    kept = bethink_cli("recall", "spare key")
    done = bethink_cli("erase-user", "local", "--yes", "--json")
    gone = bethink_cli("recall", "spare key")

    assert (refused.code, counted.json["removed"]["entries"]) == (2, 2)
    assert "spare key" in kept.out
    assert (done.code, done.json["complete"], done.json["operation"]) == (0, True, "erase_user")
    assert "Nothing" in gone.out
    assert bethink_cli("check").code == 0


def test_a_session_goes_with_what_explains_it_when_that_is_confirmed(bethink_cli):
    with bethink.open() as memory, memory.bind(voice="user").session("talk") as talk:
        talk.turn("The spare key is under the pot.")
        asked = talk.recall("Where is the spare key?").trace_id

    refused = bethink_cli("erase-session", "talk", "--user", "local")
    counted = bethink_cli("erase-session", "talk", "--user", "local", "--dry-run", "--json")
    kept = bethink_cli("view", asked)
    done = bethink_cli("erase-session", "talk", "--user", "local", "--yes", "--json")

    assert (refused.code, counted.json["removed"], counted.json["dry_run"]) == (2, {"entries": 1}, True)
    assert "spare key" in kept.out
    assert (done.code, done.json["complete"], done.json["operation"]) == (0, True, "erase_session")
    assert bethink_cli("view", asked).code == 3
    assert bethink_cli("erase-session", "talk", "--user", "local", "--yes").code == 3
    assert "spare" not in bethink_cli("episodes", "--session", "talk").out
    assert bethink_cli("check").code == 0
