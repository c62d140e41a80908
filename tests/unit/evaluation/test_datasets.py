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


@pytest.mark.parametrize(
    ("doc", "query"),
    [
        ({"body": "Goodbye."}, {}),
        ({"speaker": "Emil"}, {}),
        ({"speaker": "user"}, {}),
        ({"date": "2026-03-02"}, {}),
        ({"date": "2026-03-01T00:00:00Z"}, {}),
        ({"session": "T"}, {}),
        ({"id": "2"}, {"gold": ["2"]}),
        ({}, {"query": "Whom?"}),
        ({}, {"gold": ["1", "2"]}),
        ({}, {"cat": "adversarial"}),
    ],
)
def test_the_digest_changes_with_all_that_is_asked_and_imported(rows, doc, query):
    first, again = (load(Wanted("rows", rows([DOC], [QUERY]))).digest for _ in range(2))
    other = load(Wanted("rows", rows([DOC | doc], [QUERY | query]))).digest

    assert first == again
    assert other != first


def test_the_digest_changes_with_the_time_a_question_is_asked(tmp_path):
    entries = json.loads((FIXTURES / "longmemeval.json").read_text("utf-8"))
    (tmp_path / "own.json").write_text(
        json.dumps([entries[0] | {"question_date": "2026/04/02 (Thu) 10:00"}, *entries[1:]]), "utf-8"
    )

    assert (
        load(Wanted("longmemeval", tmp_path / "own.json")).digest
        != load(Wanted("longmemeval", FIXTURES / "longmemeval.json")).digest
    )


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
        ([DOC], [QUERY, {**QUERY, "query": "Whom?"}], "question 'c q' twice"),
    ],
)
def test_a_row_that_cannot_be_used_says_why_and_where(rows, docs, queries, words):
    with pytest.raises(InvalidInput, match=words):
        load(Wanted("rows", rows(docs, queries)))


@pytest.mark.parametrize("name", ["docs.jsonl", "queries.jsonl"])
@pytest.mark.parametrize("line", [b'{"scope": ', b"[" * 100_000, b'{"seq": ' + b"9" * 5_000 + b"}"])
def test_a_line_that_is_no_json_is_named(rows, name, line):
    folder = rows([DOC], [QUERY])
    (folder / name).write_bytes((folder / name).read_bytes() + line)

    with pytest.raises(InvalidInput, match=f"{name} line 2: cannot be read as JSON"):
        load(Wanted("rows", folder))


def test_rows_of_another_encoding_or_that_are_no_file_are_refused(rows):
    folder = rows([DOC], [QUERY])
    (folder / "queries").mkdir()
    with pytest.raises(InvalidInput, match="queries cannot be read as JSON lines"):
        load(Wanted("rows", folder, queries="queries"))
    (folder / "docs.jsonl").write_text(json.dumps(DOC), "utf-16")
    with pytest.raises(InvalidInput, match=r"docs\.jsonl cannot be read as JSON lines"):
        load(Wanted("rows", folder))


def test_files_of_other_systems_read_the_same(rows, tmp_path):
    """With a mark of the encoding before the text, and with lines that end otherwise."""
    plain = load(Wanted("rows", rows([DOC], [QUERY])))
    for path in tmp_path.glob("*.jsonl"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    own = tmp_path / "own.json"
    own.write_bytes(b"\xef\xbb\xbf" + (FIXTURES / "longmemeval.json").read_bytes())

    assert load(Wanted("rows", tmp_path)) == plain
    assert load(Wanted("longmemeval", own)) == load(Wanted("longmemeval", FIXTURES / "longmemeval.json"))


@pytest.mark.parametrize("name", ["locomo", "longmemeval"])
def test_a_set_that_a_folder_holds_twice_is_refused_and_not_asked_of_the_other_form(tmp_path, name):
    """As a download that holds one set with all of its sessions and with those alone that answer."""
    for copy in ("all.json", "oracle.json"):
        (tmp_path / copy).write_bytes((FIXTURES / f"{name}.json").read_bytes())

    with pytest.raises(InvalidInput, match="twice") as refused:
        load(Wanted(name, tmp_path))
    assert "one file" in refused.value.advice


@pytest.fixture
def locomo(tmp_path):
    """LoCoMo's small file, changed by a test."""

    def changed(change):
        value = json.loads((FIXTURES / "locomo.json").read_text("utf-8"))
        sample = value[0] if isinstance(value, list) else value
        change(sample, sample["conversation"]["session_1"], sample["qa"][0])
        (tmp_path / "own.json").write_text(json.dumps(sample), "utf-8")
        return Wanted("locomo", tmp_path / "own.json")

    return changed


@pytest.mark.parametrize(
    "spoil",
    [
        lambda sample, _turns, _asked: sample["conversation"].pop("session_1_date_time"),
        lambda sample, _turns, _asked: sample["conversation"].update(session_1="words"),
        lambda _sample, turns, _asked: turns.append("words"),
        lambda _sample, turns, _asked: turns[0].pop("dia_id"),
        lambda _sample, turns, _asked: turns[0].update(text=5),
        lambda _sample, turns, _asked: turns.append({**turns[0], "text": "Something else."}),
        lambda _sample, _turns, asked: asked.pop("question"),
        lambda _sample, _turns, asked: asked.update(evidence=[1]),
        lambda sample, _turns, _asked: sample["qa"].append("words"),
    ],
)
def test_a_locomo_file_that_cannot_be_used_is_refused_with_the_conversation_s_name(locomo, spoil):
    with pytest.raises(InvalidInput, match="conv-x"):
        load(locomo(spoil))


def test_evidence_and_category_count_however_a_locomo_file_writes_them(locomo):
    plain = load(Wanted("locomo", FIXTURES / "locomo.json"))
    assert load(locomo(lambda _s, _t, asked: asked.update(evidence=asked["evidence"][0]))).cases == plain.cases
    assert load(locomo(lambda _s, _t, asked: asked.update(evidence=None))).left_out == plain.left_out + 1
    trap = load(locomo(lambda _s, _t, asked: asked.update(category="5"))).cases[0]
    assert (trap.category, trap.answerable) == ("adversarial", False)


def test_a_turn_of_blanks_is_no_evidence(locomo):
    found = load(locomo(lambda _s, turns, _a: turns[0].update(text="  ")))

    assert "D1:1" not in found.conversations[0].sessions
    assert found.left_out == 2


@pytest.mark.parametrize(
    "entry",
    [
        {"haystack_sessions": [[{"role": "user", "content": None}], []]},
        {"haystack_sessions": [["words"], []]},
        {"haystack_sessions": [[], []]},
        {"haystack_dates": ["2026/03/20 (Fri) 09:00"]},
    ],
)
def test_a_longmemeval_entry_that_cannot_be_used_is_refused(tmp_path, entry):
    first = json.loads((FIXTURES / "longmemeval.json").read_text("utf-8"))[0]
    (tmp_path / "own.json").write_text(json.dumps([{**first, **entry}]), "utf-8")

    with pytest.raises(InvalidInput):
        load(Wanted("longmemeval", tmp_path / "own.json"))


def test_a_file_nested_beyond_reading_is_refused(tmp_path):
    (tmp_path / "own.json").write_text("[" * 200_000, "utf-8")

    with pytest.raises(InvalidInput, match=r"own\.json cannot be read as JSON"):
        load(Wanted("locomo", tmp_path / "own.json"))


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
