"""The command line does what the library does, for people and for programs, and ends with a code that tells."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement

import bethink
from bethink.interfaces import cli

FIXTURES = Path(__file__).parents[1] / "fixtures" / "transcripts"
LOCOMO = FIXTURES / "locomo.json"
LONG = 12
"""Turns of a session long enough that its vectors are left to a second pass."""
SRC = Path(cli.__file__).parents[3]


@pytest.fixture
def long_chat(tmp_path):
    path = tmp_path / "long.json"
    said = [{"role": "user", "content": f"The tide of day {n} was {n} metres."} for n in range(LONG)]
    path.write_text(json.dumps(said), "utf-8")
    return path


def beliefs(answer):
    return [item["id"] for item in answer["items"] if item["kind"] == "semantic"]


def test_a_question_about_an_import_is_answered_explained_and_verified(bethink_cli):
    counted = bethink_cli("import", LOCOMO, "--json").json
    answer = bethink_cli("recall", "What did Rosa plant?", "--json").json
    item = next(item for item in answer["items"] if item["message_id"] == "D1:1")
    stored = bethink_cli("trace", answer["trace_id"], "--json").json

    assert (counted["status"], counted["command"], counted["turns"]) == ("success", "import", 4)
    assert (answer["status"], answer["command"]) == ("success", "recall")
    assert (item["session"], item["speaker"]) == ("conv-x:S1", "Rosa")
    assert item["explanation"]["arms"]
    assert item["explanation"]["passed"]
    assert stored["verification"] == "verified"
    assert stored["recomputed_sha256"] == stored["trace"]["rendered_sha256"] == answer["sha256"]
    assert stored["trace"]["rendered"] == answer["rendered"]


def test_people_see_the_block_the_reasons_and_the_trace(bethink_cli):
    bethink_cli("import", LOCOMO)
    shown = bethink_cli("recall", "What did Rosa plant?")
    answer = bethink_cli("recall", "What did Rosa plant?", "--json").json

    assert shown.code == 0
    assert shown.out.startswith(answer["rendered"].rstrip("\n"))
    assert "conv-x:S1 D1:1" in shown.out
    assert answer["items"][0]["short_id"] in shown.out.split("rank")[1]
    assert "\ntrace " in shown.out


def test_nothing_found_is_an_answer_with_its_reason(bethink_cli):
    shown = bethink_cli("recall", "Which serial number is printed on the boiler?")

    assert shown.code == 0
    assert shown.out.startswith("Nothing: ")
    assert len(shown.out.splitlines()[0]) > len("Nothing: ")


def test_importing_again_stores_nothing_and_says_so(bethink_cli):
    first = bethink_cli("import", LOCOMO, "--json").json
    again = bethink_cli("import", LOCOMO, "--json").json

    assert (first["turns"], first["repeated"]) == (4, 0)
    assert (again["turns"], again["repeated"]) == (0, 4)


def test_a_dry_run_leaves_no_turn(bethink_cli):
    dry = bethink_cli("import", LOCOMO, "--dry-run", "--json").json
    turns = bethink_cli("episodes", "--json").json["turns"]

    assert (dry["turns"], dry["dry_run"], turns) == (4, True, [])


def test_bad_lines_are_listed_beside_the_data_and_fail_nothing(bethink_cli):
    shown = bethink_cli("import", FIXTURES / "openai.jsonl")
    quiet = bethink_cli("import", FIXTURES / "openai.jsonl", "--quiet")

    assert shown.code == 0
    assert "openai.jsonl: line 3: not JSON" in shown.err
    assert "line 3" not in shown.out
    assert quiet.err == ""


def test_a_file_of_which_nothing_can_be_read_fails(bethink_cli, tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text('{"role": "us\n{"half', "utf-8")

    assert bethink_cli("import", path, "--format", "openai").code == 1
    assert bethink_cli("import", path).code == 2


def test_one_bad_file_does_not_keep_the_others_out(bethink_cli, tmp_path):
    ran = bethink_cli("import", LOCOMO, tmp_path / "absent.json", FIXTURES / "claude.json", "--json")

    assert ran.code == 1
    assert [bool(item["error"]) for item in ran.json["files"]] == [False, True, False]
    assert ran.json["turns"] == 6


def test_vectors_can_wait(bethink_cli, long_chat):
    waiting = bethink_cli("import", long_chat, "--no-embed", "--json").json
    later = bethink_cli("import", long_chat, "--json").json

    assert (waiting["embedded"], waiting["embedding_pending"]) == (0, LONG)
    assert (later["embedded"], later["embedding_pending"]) == (LONG, 0)


def test_what_a_person_types_is_remembered_as_their_word(bethink_cli):
    kept = bethink_cli(
        "remember",
        "Ines lives in Faro",
        "--subject",
        "Ines",
        "--attribute",
        "home",
        "--type",
        "user_attribute",
        "--json",
    ).json
    got = bethink_cli("get", kept["id"], "--json").json["record"]

    assert (kept["outcome"], kept["record_status"], kept["source"]) == ("created", "active", "user_statement")
    assert (got["content"]["text"], got["content"]["scope"]) == ("Ines lives in Faro", "user:local")


def test_a_correction_replaces_and_history_stays_reachable(bethink_cli):
    fields = ["--subject", "Ines", "--attribute", "home"]
    old = bethink_cli("remember", "Ines lives in Faro", *fields, "--valid-from", "2025-01-01", "--json").json
    new = bethink_cli("remember", "Ines lives in Braga", *fields, "--valid-from", "2026-01-01", "--json").json
    now = bethink_cli("recall", "Where does Ines live?", "--json").json
    then = bethink_cli("recall", "Where does Ines live?", "--as-of", "2025-06-01", "--json").json
    why = bethink_cli("why", now["trace_id"], old["id"], "--json").json

    assert new["superseded"] == [old["id"]]
    assert beliefs(now) == [new["id"]]
    assert beliefs(then) == [old["id"]]
    assert why["stage"] != "returned"
    assert why["text"]


def test_episodes_are_listed_in_order_and_cut_aloud(bethink_cli):
    bethink_cli("import", LOCOMO)
    whole = bethink_cli("episodes", "--session", "conv-x:S2")
    cut = bethink_cli("episodes", "--limit", "1")
    day = bethink_cli("episodes", "--since", "2023-05-08", "--until", "2023-05-08", "--json").json

    assert "session conv-x:S2" in whole.out
    assert whole.out.index("survive the frost") < whole.out.index("It did.")
    assert "--after-seq" in cut.err
    assert [turn["message_id"] for turn in day["turns"]] == ["D1:1", "D1:2"]


@requirement("P49")
def test_an_erase_needs_a_yes_where_nobody_can_be_asked(bethink_cli):
    kept = bethink_cli("remember", "The gate code is 4711", "--json").json
    refused = bethink_cli("forget", kept["id"], "--mode", "erase", "--json")
    listed = bethink_cli("forget", kept["id"], "--mode", "erase", "--dry-run", "--json")
    done = bethink_cli("forget", kept["id"], "--mode", "erase", "--yes", "--json")
    gone = bethink_cli("get", kept["id"], "--json")

    assert (refused.code, refused.json["error"]["code"]) == (2, "invalid_input")
    assert "--yes" in refused.json["error"]["remedy"]
    assert (listed.code, listed.json["dry_run"]) == (0, True)
    assert kept["id"] in listed.json["ids"]
    assert (done.code, done.json["complete"]) == (0, True)
    assert (gone.code, gone.json["error"]["code"]) == (3, "not_found")


def test_hiding_is_undone(bethink_cli):
    kept = bethink_cli("remember", "The gate code is 4711", "--json").json
    bethink_cli("forget", kept["id"])
    hidden = bethink_cli("recall", "gate code", "--json").json
    bethink_cli("forget", kept["id"], "--mode", "restore")
    back = bethink_cli("recall", "gate code", "--json").json

    assert hidden["items"] == []
    assert beliefs(back) == [kept["id"]]


def test_an_agent_reads_and_writes_only_what_it_is_granted(bethink_cli):
    bethink_cli("remember", "The gate code is 4711")
    planner = ["--agent", "planner"]
    taken = bethink_cli("grant", "add", "user:local", *planner), bethink_cli("grant", "revoke", "user:local", *planner)
    before = beliefs(bethink_cli("recall", "gate code", *planner, "--json").json)
    denied = bethink_cli("remember", "x is y", *planner, "--json")
    added = bethink_cli("grant", "add", "user:local", *planner)
    after = beliefs(bethink_cli("recall", "gate code", *planner, "--json").json)
    listed = bethink_cli("grant", "list", *planner, "--json").json["grants"]

    assert [ran.code for ran in (*taken, added)] == [0, 0, 0]
    assert (before, len(after)) == ([], 1)
    assert (denied.code, denied.json["error"]["code"]) == (4, "access_denied")
    assert [(grant["scope"], grant["read"], grant["write"]) for grant in listed] == [("user:local", True, False)]
    assert bethink_cli("grant", "revoke", "project:kitchen", *planner).code == 3


def test_what_a_task_owns_is_written_with_the_task_named_and_granted(bethink_cli):
    words = ["remember", "The oven runs hot", "--target", "task", "--json"]
    nameless = bethink_cli(*words)
    denied = bethink_cli(*words, "--task", "t1")
    bethink_cli("grant", "add", "task:t1", "--write")
    kept = bethink_cli(*words, "--task", "t1")

    assert (nameless.code, nameless.json["error"]["code"]) == (2, "invalid_input")
    assert "--task" in nameless.json["error"]["remedy"]
    assert (denied.code, kept.code) == (4, 0)
    assert beliefs(bethink_cli("recall", "oven", "--task", "t1", "--json").json) == [kept.json["id"]]


def test_a_typed_statement_whose_quote_is_missing_is_said_to_be_its_own_evidence(bethink_cli):
    kept = bethink_cli("remember", "The gate code is 4711", "--evidence", "The code of the gate is 4711")

    assert (kept.code, kept.out.count("located")) == (0, 1)
    assert "the statement is its own evidence" in kept.err


def test_a_span_of_time_and_an_empty_list_are_shown_in_the_forms_of_the_other_commands(bethink_cli):
    kept = bethink_cli("remember", "Rosa lives in Lyon", "--valid-from", "2026-03-01", "--json").json

    assert "2026-03-01T00:00:00.000000Z to now" in bethink_cli("get", kept["id"]).out
    assert bethink_cli("episodes", "--session", "none").out == "Nothing: There are no such turns. (no_turns)\n"


def test_whoever_opens_the_file_owns_it_for_the_user_they_name(bethink_cli):
    kept = bethink_cli("remember", "The gate code is 4711", "--user", "ada", "--json")
    found = bethink_cli("recall", "gate code", "--user", "ada", "--json").json

    assert kept.code == 0
    assert beliefs(found) == [kept.json["id"]]


def test_users_and_tenants_see_nothing_of_each_other(bethink_cli):
    bethink_cli("remember", "The gate code is 4711")
    for other in (["--user", "bob"], ["--tenant", "acme"]):
        assert bethink_cli("recall", "gate code", *other, "--json").json["items"] == []


@pytest.mark.parametrize(
    ("args", "code", "name"),
    [
        (["recall", "  "], 2, "invalid_input"),
        (["recall", "x", "--as-of", "yesterday"], 2, "invalid_input"),
        (["recall", "x", "--since", "2026-03-01T10:00:00"], 2, "invalid_input"),
        (["recall", "x", "--type", "rumour"], 2, "invalid_input"),
        (["recall", "x", "--nope"], 2, "invalid_input"),
        (["remember", "x", "--type", "rumour"], 2, "invalid_input"),
        (["remember", "x\0y"], 2, "invalid_input"),
        (["remember", "x", "--user", "a/b"], 2, "invalid_input"),
        (["import", "absent.json"], 2, "invalid_input"),
        (["grant", "add", "nowhere"], 2, "invalid_input"),
        (["grant", "add", "agent:a/b"], 2, "invalid_input"),
        (["bench", "--sizes", "many"], 2, "invalid_input"),
        (["bench", "--sizes", "10", "--queries", "0"], 2, "invalid_input"),
        (["bench", "--sizes", "10", "--writes", "-1"], 2, "invalid_input"),
        (["bench", "--sizes", "10", "--seed", "-1"], 2, "invalid_input"),
        (["bench", "--sizes", "10", "--scope-size", "-1"], 2, "invalid_input"),
        (["bench", "--sizes", "10", "--callers", "0"], 2, "invalid_input"),
        (["bench", "--sizes", "10", "--small-scopes", "-1"], 2, "invalid_input"),
        (["bench", "--sizes", "10", "--keep", "kept", "--url", "postgresql://nowhere"], 2, "invalid_input"),
        (["eval", "sweep", "nowhere"], 2, "invalid_input"),
        (["eval", "sweep", "others=nowhere"], 2, "invalid_input"),
        (["eval", "sweep", "rows=nowhere"], 3, "not_found"),
        (["get", "0190aaaa-0000-7000-8000-000000000000"], 3, "not_found"),
        (["trace", "0190aaaa-0000-7000-8000-000000000000"], 3, "not_found"),
        (["forget", "0190aaaa-0000-7000-8000-000000000000"], 3, "not_found"),
    ],
)
def test_every_error_has_its_code_and_a_way_out(bethink_cli, args, code, name):
    told = bethink_cli(*args, "--json")
    shown = bethink_cli(*args)

    assert (told.code, shown.code) == (code, code)
    assert (told.json["status"], told.json["error"]["code"]) == ("error", name)
    assert told.json["error"]["message"]
    assert told.json["error"]["remedy"]
    assert told.json["command"] == " ".join(word for word in args[:2] if word in {args[0], "add", "sweep"})
    assert shown.out == ""
    assert shown.err.startswith("Error: ")


def test_a_hostile_memory_cannot_touch_the_terminal(bethink_cli):
    bethink_cli("remember", "The lamp \x1b[2J\x1b]0;owned\x07is \x1b[31mred\x1b[0m \u202edesrever", "--subject", "lamp")
    for args in (["recall", "lamp"], ["recall", "lamp", "--json"], ["episodes"], ["episodes", "--json"]):
        ran = bethink_cli(*args)

        assert not any(mark in ran.out + ran.err for mark in "\x1b\x07\u202e")


def test_the_home_option_names_the_data_folder(bethink_cli, home, tmp_path):
    bethink_cli("remember", "The gate code is 4711", "--home", tmp_path / "other")

    assert (tmp_path / "other" / "bethink.db").exists()
    assert not (home / "bethink.db").exists()


def test_the_version_is_the_packages(bethink_cli):
    assert bethink_cli("version").out == bethink_cli("--version").out == f"bethink {bethink.__version__}\n"
    assert bethink_cli("--version").code == 0
    assert bethink_cli("version", "--json").json["version"] == bethink.__version__


def command(*args):
    code = f"import sys; sys.path.insert(0, {str(SRC)!r}); from bethink.interfaces.cli import main; main()"
    return [sys.executable, "-c", code, *map(str, args)]


def watched(line):
    """What a command shows on a terminal that is its standard error, and its standard output."""
    master, slave = pty.openpty()
    env = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    shown = b""
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=slave, env=env) as process:
        os.close(slave)
        with contextlib.suppress(OSError):  # how a terminal ends once nobody holds its other side
            while part := os.read(master, 65_536):
                shown += part
        out = process.stdout.read()
    os.close(master)
    return shown.decode(), out


def test_a_bar_is_shown_where_somebody_looks_and_only_there(home, long_chat):
    shown, out = watched(command("import", long_chat, "--json"))
    unseen = subprocess.run(command("import", long_chat), capture_output=True, check=False)

    assert json.loads(out)["turns"] == LONG
    assert "import long.json" in shown
    assert "embed" in shown
    assert b"import long.json" not in unseen.stderr
    assert b"\x1b" not in unseen.stdout + unseen.stderr


def test_a_person_is_asked_before_an_erase(home, bethink_cli):
    kept = bethink_cli("remember", "The gate code is 4711", "--json").json["id"]
    for answer, code, left in ((b"n\n", 2, 0), (b"y\n", 0, 3)):
        master, slave = pty.openpty()
        line = command("forget", kept, "--mode", "erase")
        with subprocess.Popen(line, stdin=slave, stderr=slave, stdout=subprocess.DEVNULL) as process:
            os.write(master, answer)
            assert process.wait(60) == code
        os.close(slave)
        os.close(master)
        assert bethink_cli("get", kept).code == left


def test_a_reader_that_stops_early_is_no_failure_of_ours(home):
    line = command("recall", "--help")
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        told = process.stderr.read()
        process.wait(60)

    assert b"Traceback" not in told
    assert b"defect" not in told


@pytest.mark.data
@pytest.mark.skipif("BETHINK_DATA" not in os.environ, reason="BETHINK_DATA names no development data")
def test_a_real_conversation_answers_a_question_about_it(bethink_cli, monkeypatch):
    monkeypatch.setenv("BETHINK_EMBEDDER", "builtin")
    conversation = Path(os.environ["BETHINK_DATA"]) / "locomo" / "conv-26.json"
    counted = bethink_cli("import", conversation, "--user", "demo", "--json").json
    question = "When did Caroline go to the LGBTQ support group?"
    answer = bethink_cli("recall", question, "--user", "demo", "--json").json
    stored = bethink_cli("trace", answer["trace_id"], "--user", "demo", "--json").json

    assert (counted["turns"], counted["embedding_pending"]) == (419, 0)
    assert "D1:3" in [item["message_id"] for item in answer["items"][:5]]
    assert all(item["explanation"]["passed"] for item in answer["items"])
    assert stored["verification"] == "verified"
