"""An import goes on past what is damaged, resumes, stores nothing twice and never puts words in the user's mouth."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.importing.sink import Kept
from tests.unit.importing.test_formats import FILES, FIXTURES

from bethink.errors import BethinkError, InvalidInput, UnknownFormat
from bethink.importing.run import BAD_LISTED, import_transcript
from bethink.operations.importing import ImportRequest


def chat(*texts, **fields):
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "content": text} | fields for n, text in enumerate(texts)]


def put(tmp_path, value, name="chat.json"):
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def run(path, sink=None, **options):
    sink = sink or Kept()
    return sink, import_transcript(ImportRequest(path, **options), sink)


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_at_any_byte_gives_a_result_or_a_typed_error(tmp_path, name):
    data = (FIXTURES / name).read_bytes()
    whole = {turn.text for turn in run(FIXTURES / name)[0].turns}
    path = tmp_path / name
    for end in range(len(data)):
        path.write_bytes(data[:end])
        sink = Kept()
        try:
            result = import_transcript(ImportRequest(path, format=FILES[name] if end % 2 else None), sink)
        except BethinkError:
            stored = 0
        else:
            stored = result.turns
        assert {turn.text for turn in sink.turns} <= whole
        assert stored == len(sink.turns)


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(tmp_path):
    path = put(tmp_path, chat(*(f"turn {n}" for n in range(50))))
    sink = Kept(limit=25)
    with pytest.raises(OSError, match="went down"):
        run(path, sink, batch=10)
    assert len(sink.turns) == 20
    sink.limit = None
    _, result = run(path, sink, batch=10)

    assert sink.texts == [f"turn {n}" for n in range(50)]
    assert (result.turns, result.repeated) == (30, 20)


def test_a_transcript_that_grew_adds_only_what_is_new(tmp_path):
    sink = Kept()
    run(put(tmp_path, chat("Hello", "Hi, what is up?", "ok", "ok")), sink)
    _, result = run(put(tmp_path, chat("Hello", "Hi, what is up?", "ok", "ok", "ok", "bye"), "later.json"), sink)

    assert len(sink.sessions) == 1
    assert sink.texts == ["Hello", "Hi, what is up?", "ok", "ok", "ok", "bye"]
    assert (result.turns, result.repeated) == (2, 4)


def test_two_conversations_with_one_greeting_stay_apart(tmp_path):
    sink = Kept()
    run(put(tmp_path, chat("Hello", "What may I do?")), sink)
    run(put(tmp_path, chat("Hello", "Yes?"), "other.json"), sink)

    assert len(sink.sessions) == 2


@requirement("P12")
def test_one_conversation_twice_in_a_file_is_stored_once(tmp_path):
    line = json.dumps({"messages": chat("Hello", "Yes?", "ok", "ok")})
    sink, result = run(put(tmp_path, f"{line}\n{line}\n", "twice.jsonl"))

    assert sink.texts == ["Hello", "Yes?", "ok", "ok"]
    assert (result.sessions, result.turns, result.repeated) == (1, 4, 4)


def conversations(*spoken: list[dict[str, str]]) -> str:
    """A file of several conversations."""
    return "".join(json.dumps({"messages": messages}) + "\n" for messages in spoken)


def test_short_conversations_are_stored_together(tmp_path):
    told = []
    sink = Kept()
    file = put(tmp_path, conversations(*(chat(f"{n}, hello", "Yes?") for n in range(12))), "many.jsonl")
    result = run(file, sink, batch=10, progress=told.append)[1]

    assert (result.sessions, result.turns, len(sink.sessions)) == (12, 24, 12)
    assert told == [10, 20, 24]


def test_a_refused_turn_costs_neither_its_session_nor_those_stored_with_it(tmp_path):
    sink = Kept(refuse=frozenset({"second"}))
    file = put(tmp_path, conversations(chat("one", "two"), chat("first", "second", "third"), chat("alpha")), "x.jsonl")
    result = run(file, sink)[1]

    assert sink.texts == ["one", "two", "first", "third", "alpha"]
    assert [bad.reason for bad in result.bad] == ["A turn is refused."]


@pytest.mark.parametrize(("text", "reason"), [("half \ud83d", "half a surrogate pair"), ("a\0b", "NUL")])
def test_a_text_no_database_keeps_costs_only_its_turn(tmp_path, text, reason):
    sink, result = run(put(tmp_path, chat("first", text, "third")))

    assert sink.texts == ["first", "third"]
    assert [(bad.place, reason in bad.reason) for bad in result.bad] == [("item 2", True)]


@pytest.mark.parametrize("value", [1, None, "text", [], {}, {"role": "pope", "content": "x"}, {"role": 5}, [[1]]])
def test_an_item_of_no_known_shape_costs_only_itself(tmp_path, value):
    sink, result = run(put(tmp_path, [*chat("first"), value, *chat("third")]))

    assert {"first", "third"} == set(sink.texts)
    assert result.bad_count == (0 if value == [] else 1)


def test_bad_items_are_all_counted_and_the_first_are_listed(tmp_path):
    path = put(tmp_path, '{"role": "user", "content": "ok"}\n' + "{half\n" * 500, "bad.jsonl")
    _, result = run(path)

    assert (result.turns, result.bad_count, len(result.bad)) == (1, 500, BAD_LISTED)
    assert result.bad[0].place == "line 2"


def test_a_beginning_of_nothing_but_bad_lines_is_not_searched_for_ever(tmp_path):
    path = put(tmp_path, "{half\n" * 1_000 + '{"role": "user", "content": "ok"}', "bad.jsonl")

    with pytest.raises(UnknownFormat, match="line 1: not JSON"):
        run(path)
    assert run(path, format="openai")[0].texts == ["ok"]


def test_a_tree_that_bites_its_tail_ends(tmp_path):
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["round"]}}
    nodes = {"a": {"parent": "b", "message": said | {"id": "a"}}, "b": {"parent": "a", "message": said | {"id": "b"}}}
    sink, result = run(put(tmp_path, [{"mapping": nodes, "current_node": "a"}]))

    assert (list(*sink.sessions.values()), result.turns) == (["b", "a"], 2)


def test_a_turn_the_store_refuses_costs_only_itself(tmp_path):
    path = put(tmp_path, chat("first", "second", "third", "fourth"))
    sink, result = run(path, Kept(refuse=frozenset({"third"})))

    assert sink.texts == ["first", "second", "fourth"]
    assert (result.turns, result.bad_count, result.bad[0].place) == (3, 1, "item 3")


def test_nothing_but_known_transcripts_is_taken(tmp_path):
    for value in ({"a": 1}, [1, 2], [{"content": "x"}], {"messages": []}, [[], []]):
        with pytest.raises(UnknownFormat, match="none of the transcripts known"):
            run(put(tmp_path, value))


def test_a_file_of_half_a_value_says_what_is_wrong_with_it(tmp_path):
    with pytest.raises(UnknownFormat, match="item 1: the file ends inside an item"):
        run(put(tmp_path, '[{"role": "user", "cont'))


@pytest.mark.parametrize("options", [{"format": "xml"}, {"timezone": "Mars"}, {"batch": 0}, {"self_name": " "}])
def test_a_request_that_cannot_be_meant_is_refused_before_anything_is_stored(options):
    sink = Kept()
    with pytest.raises(InvalidInput):
        run(FIXTURES / "locomo.json", sink, **options)
    assert sink.opened == []


def test_progress_counts_turns_up_to_the_last(tmp_path):
    seen = []
    run(put(tmp_path, chat(*(str(n) for n in range(25)))), batch=10, progress=seen.append)

    assert seen == [10, 20, 25]


def test_a_session_opens_at_its_first_known_time(tmp_path):
    turns = chat("a", "b", "c")
    turns[1]["timestamp"] = "2026-01-02T03:04:05Z"
    sink, result = run(put(tmp_path, turns))
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    assert [turn.said_at for turn in sink.turns] == [at, at, at]
    assert sink.opened == [at]
    assert result.notices[0].text.startswith("2 turns carry no time")


def test_a_time_that_cannot_be_read_is_kept_as_words_and_counted(tmp_path):
    sink, result = run(put(tmp_path, chat("a", "b", timestamp="the day after")))

    assert {(turn.said_at, turn.time_text) for turn in sink.turns} == {(None, "the day after")}
    assert [(notice.code, notice.text[:7]) for notice in result.notices] == [("time_unreadable", "2 turns")]


def test_ids_a_store_could_not_hold_are_replaced_by_stable_ones(tmp_path):
    conversations = [{"id": "a/b", "messages": [{"role": "user", "content": "x", "id": "i" * 199}]}]
    first, _ = run(put(tmp_path, conversations))
    second, _ = run(put(tmp_path, conversations))

    assert first.sessions == second.sessions
    assert [
        len(turn.message_id) < 200 and "/" not in key for key, s in first.sessions.items() for turn in s.values()
    ] == [True]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["user", "text"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def values_of(name):
    text = (FIXTURES / name).read_text("utf-8")
    if name.endswith(".json"):
        return json.loads(text)
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def places(value):
    """Every container of a value with each of its keys."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return [(value, key) for key, _ in pairs] + [place for _, inner in pairs for place in places(inner)]


@given(st.sampled_from(list(FILES)), st.data())
def test_no_shape_of_json_breaks_a_reader(tmp_path_factory, name, data):
    value = values_of(name)
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(places(value)))
        container[key] = data.draw(JUNK)
    path = tmp_path_factory.getbasetemp() / "junk.json"
    path.write_text(json.dumps(value), "utf-8")
    sink = Kept()
    result = import_transcript(ImportRequest(path, format=FILES[name]), sink)

    assert result.turns == len(sink.turns)
    assert all(turn.text.strip() for turn in sink.turns)
