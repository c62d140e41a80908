"""A record is revised from the command line, in one way at a time."""

from __future__ import annotations

import pytest


def test_a_record_is_confirmed_replaced_merged_and_ended_by_its_id(bethink_cli):
    first = bethink_cli("remember", "Rosa plants plums", "--json").json["id"]
    second = bethink_cli("remember", "Rosa plants plum trees", "--json").json
    confirmed = bethink_cli("revise", second["short_id"], "--confirm", "--json").json
    replaced = bethink_cli("revise", first, "--supersede", "Rosa plants pears", "--json").json
    shown = bethink_cli("revise", replaced["id"], "--merge", second["id"])
    ended = bethink_cli("revise", replaced["id"], "--expire", "--at", "2099-01-01", "--json").json
    now = bethink_cli("revise", replaced["id"], "--expire", "--json").json
    left = bethink_cli("recall", "What does Rosa plant?", "--json").json

    assert (confirmed["status"], confirmed["outcome"], confirmed["record_status"]) == (
        "success",
        "already_confirmed",
        "active",
    )
    assert (replaced["outcome"], replaced["superseded"], replaced["source"]) == (
        "superseded",
        [first],
        "user_statement",
    )
    assert shown.out.startswith(f"merged {replaced['short_id']} (active, user_statement)\n")
    assert second["id"] in shown.out
    assert (ended["outcome"], ended["record_status"], now["record_status"]) == ("expired", "active", "expired")
    assert left["items"] == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "none of the four"),
        (["--confirm", "--expire"], 2, "--confirm and --expire"),
        (["--confirm", "--at", "2026-01-01"], 2, "at says nothing"),
        (["--expire", "--at", "yesterday"], 2, "--at"),
        (["--confirm"], 3, "There is no record"),
    ],
)
def test_a_revision_that_cannot_be_meant_says_why(bethink_cli, words, code, said):
    shown = bethink_cli("revise", "m:12345678", *words)

    assert (shown.code, shown.out) == (code, "")
    assert said in shown.err


def test_what_replaced_a_record_is_shown_from_the_first_to_the_last(bethink_cli):
    about = ("--subject", "Rosa", "--attribute", "garden")
    first = bethink_cli("remember", "Rosa plants plums", *about, "--json").json
    last = bethink_cli("remember", "Rosa plants pears", *about, "--json").json
    shown = bethink_cli("chain", first["id"])
    told = bethink_cli("chain", first["id"], "--json").json
    now = bethink_cli("get", first["id"], "--current", "--json").json
    lines = shown.out.splitlines()[1:]

    assert [line.split()[-1] for line in lines] == ["plums", "pears"]
    assert [line.startswith("*") for line in lines] == [False, True]
    assert ([record["id"] for record in told["chain"]], told["current"]) == ([first["id"], last["id"]], last["id"])
    assert now["record"]["id"] == last["id"]
    assert bethink_cli("chain", "m:12345678").code == 3
