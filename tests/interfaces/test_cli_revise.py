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
