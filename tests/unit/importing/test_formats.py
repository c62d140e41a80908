"""Each format, as its exports are written, becomes the conversation a reader would see."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement
from tests.unit.importing.sink import Kept

from bethink.importing.run import import_transcript
from bethink.operations.importing import FORMATS, ImportRequest

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
FILES = {
    "openai.json": "openai",
    "openai.jsonl": "openai",
    "anthropic.json": "anthropic",
    "chatgpt.json": "chatgpt",
    "claude.json": "claude",
    "claude_code.jsonl": "claude-code",
    "locomo.json": "locomo",
    "bethink.jsonl": "bethink",
}


def imported(name, **options):
    sink = Kept()
    result = import_transcript(ImportRequest(FIXTURES / name, **options), sink)
    return sink, result


def said(turn):
    return (turn.role, turn.text)


def test_every_format_has_a_fixture():
    assert set(FILES.values()) == set(FORMATS)


@pytest.mark.parametrize(("name", "expected"), FILES.items())
def test_the_format_is_told_from_the_file(name, expected):
    assert imported(name)[1].format == expected


@pytest.mark.parametrize(("name", "label"), FILES.items())
def test_naming_the_format_changes_nothing(name, label):
    detected, result = imported(name)
    told, told_result = imported(name, format=label)

    assert told.sessions == detected.sessions
    assert told_result == result


LISTS = {"openai", "anthropic"}
"""The two list formats read each other's lists."""


@pytest.mark.parametrize(
    ("name", "label"),
    [(name, label) for name, own in FILES.items() for label in FORMATS if label != own and {own, label} != LISTS],
)
def test_the_wrong_format_reads_nothing_as_something_else(name, label):
    sink, result = imported(name, format=label)

    assert sink.turns == []
    assert result.bad_count > 0


def test_openai_lists_leave_out_instructions_calls_and_memory_itself():
    sink, result = imported("openai.json")

    assert [said(turn) for turn in sink.turns] == [
        ("user", 'Which bed gets the "Golden Acre" beans this year?'),
        ("tool", "Bed 4: beans. Bed 5: leeks."),
        ("assistant", "Bed 4, next to the leeks."),
        ("user", "Good. Move the leeks to bed 7."),
        ("assistant", "Noted: leeks in bed 7."),
    ]
    assert (result.sessions, result.turns, result.skipped, result.bad_count) == (1, 5, 3, 0)
    assert [notice.code for notice in result.notices] == ["time_missing"]


def test_openai_lines_hold_conversations_and_messages_and_a_half_line_costs_only_itself():
    sink, result = imported("openai.jsonl")

    first, second, third = sink.sessions.values()
    assert list(sink.sessions)[:2] == ["chat-a", "chat-b"]
    assert [said(turn) for turn in first.values()] == [
        ("user", "My ferry leaves Thursday at 07:40."),
        ("assistant", "Thursday 07:40, noted."),
    ]
    assert [(turn.role, turn.speaker) for turn in second.values()] == [
        ("participant", "Ines"),
        ("participant", "Tomas"),
    ]
    assert {(turn.said_at, turn.zone_assumed) for turn in second.values()} == {
        (datetime(2026, 2, 3, 10, tzinfo=UTC), True)
    }
    assert [said(turn) for turn in third.values()] == [
        ("user", "Is bed 4 dug?"),
        ("tool", "dug on Monday"),
        ("assistant", "Yes, on Monday."),
    ]
    assert [(bad.place, bad.reason.split(":")[0]) for bad in result.bad] == [("line 3", "not JSON")]
    assert result.bad_count == 1


def test_anthropic_blocks_become_words_and_tool_results():
    sink, result = imported("anthropic.json")

    assert [said(turn) for turn in sink.turns] == [
        ("user", "When did we last clean the mirror?"),
        ("assistant", "Let me look."),
        ("tool", "2025-11-02 mirror cleaned"),
        ("user", "Tell me the next date too."),
        ("assistant", "Last on 2 November 2025; next in May."),
    ]
    assert result.skipped == 1


def test_chatgpt_exports_follow_the_live_branch():
    sink, result = imported("chatgpt.json")

    first, second = sink.sessions.values()
    assert list(sink.sessions) == ["11111111-aaaa-4bbb-8ccc-00000000000" + end for end in "12"]
    assert [said(turn) for turn in first.values()] == [
        ("user", "Two days in Ghent with my sister Oona. Ideas?"),
        ("assistant", "See the altarpiece, then the canals."),
        ("user", "This is the hotel we booked."),
    ]
    assert list(first) == ["n2", "n4", "n6"]
    stamps = [turn.said_at for turn in first.values()]
    assert stamps[0] == stamps[1] == datetime(2024, 5, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    assert [said(turn) for turn in second.values()][-1] == ("assistant", "About four weeks in a cool place.")
    assert (result.turns, result.skipped, result.zone_assumed) == (5, 2, 0)


def test_claude_exports_prefer_blocks_and_name_shared_files():
    sink, result = imported("claude.json")

    assert [said(turn) for turn in sink.turns] == [
        ("user", "My starter smells of acetone.\n[shares file: starter.txt]"),
        ("assistant", "Feed it twice a day for a week."),
    ]
    assert [turn.said_at.hour for turn in sink.turns] == [8, 7]
    assert sink.turns[1].time_text == "2026-01-10T08:00:20.000000+01:00"
    assert (result.sessions, result.skipped, result.zone_assumed) == (1, 1, 0)


def test_claude_code_logs_keep_only_what_was_said():
    sink, result = imported("claude_code.jsonl")

    assert [said(turn) for turn in sink.turns] == [
        ("user", "The tide parser drops the last row. Fix it."),
        ("assistant", "I will look at the loop."),
        ("tool", "for row in rows[:-1]:"),
        ("assistant", "The slice ended one row early; fixed."),
    ]
    assert [turn.message_id for turn in sink.turns] == ["l-1", "l-3", "toolu_9:result", "l-7"]
    assert (result.sessions, result.skipped, result.bad_count) == (1, 6, 0)


def test_locomo_keeps_sessions_captions_and_dia_ids_and_never_the_search_phrase():
    sink, result = imported("locomo.json")

    assert list(sink.sessions) == ["conv-x:S1", "conv-x:S2"]
    assert [(turn.message_id, turn.role, turn.speaker, turn.text) for turn in sink.turns] == [
        ("D1:1", "participant", "Rosa", "I planted a quince yesterday."),
        ("D1:2", "participant", "Emil", "Lovely! [shares image: a photo of a small tree]"),
        ("D2:1", "participant", "Emil", "Did the quince survive the frost?"),
        ("D2:3", "participant", "Rosa", "It did."),
    ]
    assert sink.turns[0].said_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert sink.turns[0].time_text == "1:56 pm on 8 May, 2023"
    assert sink.turns[2].said_at == datetime(2024, 3, 1, 0, 5, tzinfo=UTC)
    assert (result.sessions, result.turns, result.skipped, result.zone_assumed) == (2, 4, 1, 4)
    assert [notice.code for notice in result.notices] == ["no_user"]


def test_only_the_named_speaker_is_the_user():
    sink, result = imported("locomo.json", self_name="rosa")

    assert {(turn.speaker, turn.role) for turn in sink.turns} == {("Rosa", "user"), ("Emil", "participant")}
    assert result.notices == ()


def test_a_name_nobody_bears_makes_nobody_the_user_and_says_so():
    sink, result = imported("locomo.json", self_name="Ros")

    assert {turn.role for turn in sink.turns} == {"participant"}
    assert "'Ros'" in result.notices[0].text
    assert "Rosa, Emil" in result.notices[0].text


def test_the_zone_given_moves_times_without_one_and_no_others():
    berlin, _ = imported("locomo.json", timezone="Europe/Berlin")
    plain, _ = imported("claude.json")
    moved, _ = imported("claude.json", timezone="Europe/Berlin")

    assert berlin.turns[0].said_at == datetime(2023, 5, 8, 11, 56, tzinfo=UTC)
    assert berlin.turns[2].said_at == datetime(2024, 2, 29, 23, 5, tzinfo=UTC)
    assert moved.sessions == plain.sessions


def test_the_user_of_a_chat_is_called_by_the_name_given():
    sink, _ = imported("claude.json", self_name="Ines")

    assert [(turn.role, turn.speaker) for turn in sink.turns] == [("user", "Ines"), ("assistant", None)]


def test_a_prefix_keeps_two_imports_of_one_file_apart():
    sink, _ = imported("locomo.json", session_prefix="home")

    assert list(sink.sessions) == ["home:conv-x:S1", "home:conv-x:S2"]


@requirement("P6")
@pytest.mark.parametrize("name", FILES)
def test_importing_twice_stores_nothing_new(name):
    sink, first = imported(name)
    before = {key: dict(session) for key, session in sink.sessions.items()}
    again = import_transcript(ImportRequest(FIXTURES / name), sink)

    assert sink.sessions == before
    assert again.turns == 0
    assert again.repeated == first.turns
    assert replace(again, turns=first.turns, repeated=0, embedding_pending=first.embedding_pending) == first


def test_an_export_of_bethink_gives_its_turns_under_their_own_ids_and_no_beliefs():
    sink, result = imported("bethink.jsonl")

    assert [(turn.role, turn.speaker, turn.text) for turn in sink.turns] == [
        ("user", None, "The kiln is fired on Mondays."),
        ("assistant", None, "Noted: Mondays."),
        ("participant", "Noor", "And on Fridays, this month."),
    ]
    assert [turn.message_id for turn in sink.turns] == ["m1", "m2", "m3"]
    assert sink.turns[0].said_at == datetime(2026, 3, 1, 8, 0, 1, tzinfo=UTC)
    assert (list(sink.sessions), result.skipped, result.bad_count) == (["talk"], 5, 0)
