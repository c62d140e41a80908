"""Traces on the command line: the stored account as JSON, and what of it its user sees."""

from __future__ import annotations

import pytest
from tests.behaviour.requirements import requirement

import bethink
from bethink.domain.trace import rendered_hash

QUESTION = "Which kiln is hot?"


@pytest.fixture
def asked(bethink_cli):
    """What was remembered, and the answer of a recall behind a snapshot."""
    kept = bethink_cli("remember", "The old kiln has to stay hot", "--type", "constraint", "--json").json["id"]
    other = bethink_cli("remember", "The blue kiln is hot", "--subject", "kiln", "--json").json["id"]
    bethink_cli("remember", "Mallory's kiln\x1b[31m is hot", "--type", "fact")
    with bethink.open() as memory:
        memory.bind(voice="user").session("talk")
    bethink_cli("snapshot", "talk")
    return kept, other, bethink_cli("recall", QUESTION, "--session", "talk", "--max-items", "2", "--json").json


@requirement("A151")
def test_a_trace_is_printed_with_query_ids_scores_arms_drops_hash_and_policy(bethink_cli, asked):
    *_, answer = asked
    told = bethink_cli("trace", answer["trace_id"], "--json").json
    stored = told["trace"]

    assert (stored["query"]["text"], stored["policy"]) == (QUESTION, answer["policy"])
    assert stored["rendered_sha256"] == answer["sha256"] == rendered_hash(stored["rendered"])
    assert stored["returned"] == [item["id"] for item in answer["items"]]
    assert set(stored["returned"]) <= {row["id"] for row in stored["pool"]}
    assert [row["score"] for row in stored["pool"]] == sorted((row["score"] for row in stored["pool"]), reverse=True)
    assert {item["id"]: item["score"] for item in answer["items"]}.items() <= {
        row["id"]: row["score"] for row in stored["pool"]
    }.items()
    assert {hit[0] for arm in stored["arms"] for hit in arm["hits"]} >= set(stored["returned"])
    cut = {row["id"] for row in stored["pool"]} - set(stored["returned"])
    assert cut
    assert {one[1] for one in stored["cuts"]} == cut
    assert stored["blocked"] == []


@requirement("A152")
def test_another_principal_s_trace_fails_as_a_missing_one_does(bethink_cli, asked):
    *_, answer = asked
    missing = "0190aaaa-0000-7000-8000-000000000000"
    for name in ("trace", "view"):
        strange = bethink_cli(name, answer["trace_id"], "--user", "noor")
        absent = bethink_cli(name, missing)
        assert (strange.code, strange.out, strange.err) == (absent.code, absent.out, absent.err)
        assert strange.code == 3


def test_a_person_sees_each_recall_under_its_moment_and_what_it_placed_once(bethink_cli, asked):
    kept, other, answer = asked
    bethink_cli("used", answer["trace_id"], other)
    shown = bethink_cli("view", answer["trace_id"])
    told = bethink_cli("view", answer["trace_id"], "--json").json
    moments, beliefs = (part.splitlines() for part in shown.out.split("\n\n"))

    assert [line.split()[0] for line in moments] == ["moment", "snapshot", "tool"]
    assert [line.split()[2] for line in moments[1:]] == [moment["trace_id"] for moment in told["moments"]]
    assert told["moments"][1]["trace_id"] == answer["trace_id"]
    assert {belief["id"] for belief in told["beliefs"]} == {kept, *(item["id"] for item in answer["items"])}
    assert [line.split()[0] for line in beliefs[1:]] == [belief["short_id"] for belief in told["beliefs"]]
    (used,) = (line for line in beliefs if line.endswith("  The blue kiln is hot"))
    assert "  used  " in used
    assert " user_stated " in used
    assert told["beliefs"][0]["turn"] in beliefs[1]
    assert f"{told['moments'][1]['considered_not_shown']}" in moments[2].split()[4]


def test_what_is_only_counted_is_explained_and_a_session_is_read_by_pages(bethink_cli, asked):
    kept, *_ = asked
    bethink_cli("forget", kept)
    shown = bethink_cli("view", "--session", "talk")
    page = bethink_cli("view", "--session", "talk", "--limit", "1")
    last = page.err.rsplit("--after ", 1)[1].strip().rstrip(".")
    rest = bethink_cli("view", "--session", "talk", "--after", last, "--json").json

    assert "1 were placed and may not be read here now" in shown.err
    assert "old kiln" not in shown.out
    assert [moment["moment"] for moment in rest["moments"]] == ["tool"]
    assert bethink_cli("view", "--session", "silent").err == "Nothing was asked of memory.\n"
    assert bethink_cli("view").code == 2
