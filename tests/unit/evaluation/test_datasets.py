"""Data sets are read as their files are written, and what is not there is said."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bethink.errors import InvalidInput, NotFound
from bethink.evaluation.datasets import Wanted, load

FIXTURES = Path(__file__).parents[2] / "fixtures" / "evaluation"


@pytest.fixture
def rows(tmp_path):
    """A folder of rows, one of which a test may spoil."""

    def write(docs, queries):
        for name, lines in (("docs.jsonl", docs), ("queries.jsonl", queries)):
            (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return tmp_path

    return write


DOC = {"scope": "c", "id": "1", "session": "S", "speaker": "Rosa", "date": "2026-03-01", "seq": 0, "body": "Hello."}
QUERY = {"scope": "c", "id": "q", "query": "Who?", "gold": ["1"], "cat": "x"}


def test_normalised_rows_become_conversations_and_cases():
    found = load(Wanted("rows", FIXTURES / "harbour"))
    harbour, orchard = found.conversations

    assert [turn.id for turn in harbour.utterances] == ["H1:1", "H1:2", "H1:3", "H2:1", "H2:2", "H2:3"]
    assert harbour.end == datetime(2026, 4, 5, 18, 30, tzinfo=UTC)
    assert [turn.role for turn in orchard.utterances] == ["user", "assistant", "user"]
    assert {turn.role for turn in harbour.utterances} == {"participant"}
    assert [case.id for case in found.cases] == ["q1", "q2", "q3", "q4", "q5", "q6"]
    assert found.left_out == 1
    assert (found.cases[1].evidence, found.cases[1].sessions) == ({"H1:2", "H2:1"}, {"S1", "S2"})


def test_turns_stand_in_the_order_they_were_said_however_they_are_listed(rows):
    found = load(Wanted("rows", rows([{**DOC, "id": "2", "seq": 1}, DOC], [QUERY])))

    assert [turn.id for turn in found.conversations[0].utterances] == ["1", "2"]


def test_a_folder_above_serves_by_the_set_s_own_name(tmp_path, rows):
    rows([{**DOC, "scope": "conv-26"}], [{**QUERY, "scope": "conv-26", "cat": "adversarial"}])
    folder = tmp_path / "locomo"
    folder.mkdir()
    for path in tmp_path.glob("*.jsonl"):
        path.rename(folder / path.name)

    assert [case.answerable for case in load(Wanted("locomo", tmp_path, "dev")).cases] == [False]


def test_locomo_s_own_file_says_the_same_of_itself():
    found = load(Wanted("locomo", FIXTURES / "locomo.json"))
    (told,) = found.conversations

    assert told.sessions == {"D1:1": "conv-x:S1", "D1:2": "conv-x:S1", "D2:1": "conv-x:S2"}
    assert told.end == datetime(2026, 4, 5, 18, 30, tzinfo=UTC)
    assert [(case.category, set(case.evidence), case.answerable) for case in found.cases] == [
        ("single_hop", {"D1:1"}, True),
        ("multi_hop", {"D1:2", "D2:1"}, True),
        ("adversarial", {"D2:1"}, False),
    ]
    assert found.left_out == 1


def test_the_answers_of_a_set_are_never_imported():
    (told,) = load(Wanted("locomo", FIXTURES / "locomo.json")).conversations

    assert told.document.keys() == {"sample_id", "conversation"}


def test_longmemeval_s_own_file_gives_each_question_a_scope_of_its_own():
    found = load(Wanted("longmemeval", FIXTURES / "longmemeval.json"))
    first, second = found.conversations
    practice, drive = found.cases

    assert [turn.id for turn in first.utterances] == ["s1:0", "s2:0", "s2:1"]
    assert (practice.scope, set(practice.evidence), set(practice.sessions)) == ("e1", {"s1:0"}, {"s1"})
    assert practice.asked_at == datetime(2026, 4, 1, 10, tzinfo=UTC)
    assert (second.scope, drive.answerable, drive.wanted("turn"), drive.wanted("session")) == (
        "e2_abs",
        False,
        set(),
        {"s3"},
    )


@pytest.mark.parametrize(
    ("split", "kept"), [("dev", ["conv-26"]), ("test", ["conv-50"]), ("all", ["conv-26", "conv-50"])]
)
def test_a_split_never_holds_a_conversation_of_the_other(rows, split, kept):
    scopes = ("conv-26", "conv-50")
    folder = rows([{**DOC, "scope": scope} for scope in scopes], [{**QUERY, "scope": scope} for scope in scopes])
    found = load(Wanted("locomo", folder, split))

    assert [one.scope for one in found.conversations] == kept
    assert [case.scope for case in found.cases] == kept


def test_the_digest_changes_with_what_is_asked_and_what_is_said(rows):
    first = load(Wanted("rows", rows([DOC], [QUERY]))).digest
    again = load(Wanted("rows", rows([DOC], [QUERY]))).digest
    asked = load(Wanted("rows", rows([DOC], [{**QUERY, "query": "Whom?"}]))).digest
    said = load(Wanted("rows", rows([{**DOC, "body": "Goodbye."}], [QUERY]))).digest

    assert first == again
    assert len({first, asked, said}) == 3


@pytest.mark.parametrize(
    ("docs", "queries", "words"),
    [
        ([{**DOC, "body": " "}], [QUERY], "docs.jsonl line 1: has no body"),
        ([{**DOC, "date": "soon"}], [QUERY], "no date"),
        ([{**DOC, "seq": "first"}], [QUERY], "no whole number"),
        ([DOC, DOC], [QUERY], "one id"),
        ([DOC], [{**QUERY, "scope": "other"}], "holds no turn"),
        ([DOC], [{**QUERY, "gold": "1"}], "no list of ids"),
        ([DOC], [[1]], "no JSON object"),
    ],
)
def test_a_row_that_cannot_be_used_says_why_and_where(rows, docs, queries, words):
    with pytest.raises(InvalidInput, match=words):
        load(Wanted("rows", rows(docs, queries)))


def test_absent_data_is_not_found_and_says_what_to_give(tmp_path):
    for name, path in (("locomo", tmp_path / "none"), ("rows", tmp_path), ("locomo", tmp_path)):
        with pytest.raises(NotFound):
            load(Wanted(name, path))
    with pytest.raises(NotFound, match="no conversation other"):
        load(Wanted("rows", FIXTURES / "harbour", scopes=("other",)))
    with pytest.raises(NotFound, match="no question of the split 'dev'"):
        load(Wanted("locomo", FIXTURES / "locomo.json", "dev"))


def test_an_unknown_set_or_split_is_refused():
    with pytest.raises(InvalidInput, match="no data set"):
        load(Wanted("nothing", FIXTURES))
    with pytest.raises(InvalidInput, match="no split"):
        load(Wanted("rows", FIXTURES / "harbour", "dev"))
