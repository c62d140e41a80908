"""The cooldown alone, and mentions as they are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.errors import InvalidInput
from bethink.operations.mention import MentionRequest
from bethink.operations.recall import RecallRequest, RecallResult
from bethink.session.cooldown import Cooldown
from bethink.session.mention import MOST, NOTHING, QUERY, TEXT_LIMIT, answered, mentions

ME = ("t", "u", "a", "s")


@requirement("C61", "C25")
def test_a_memory_shown_at_turn_one_rests_at_two_to_five_and_is_shown_again_at_six():
    cooldown, seen = Cooldown(), []
    for turn in range(1, 7):
        now, resting = cooldown.begin(ME, turn)
        seen.append("m" not in resting)
        cooldown.note(ME, now, ["m"] if seen[-1] else [])

    assert seen == [True, False, False, False, False, True]


def test_turns_count_themselves_where_the_host_does_not():
    cooldown = Cooldown()
    assert [cooldown.begin(ME, None)[0] for _ in range(3)] == [1, 2, 3]
    assert cooldown.begin(ME, 10) == (10, {})
    cooldown.note(ME, 10, ["m"])
    assert cooldown.begin(ME, None) == (11, {"m": 1})


def test_a_lower_turn_than_before_begins_anew_and_the_same_turn_again_does_not():
    cooldown = Cooldown()
    turn, _ = cooldown.begin(ME, 8)
    cooldown.note(ME, turn, ["m"])

    assert cooldown.begin(ME, 8) == (8, {"m": 0})
    assert cooldown.begin(ME, 2) == (2, {})


@given(st.lists(st.integers(0, 4), max_size=40))
def test_no_memory_is_ever_shown_twice_within_five_turns(wanted):
    cooldown, last = Cooldown(), {}
    for number, item in enumerate(wanted, 1):
        turn, resting = cooldown.begin(ME, None)
        assert turn == number
        assert (item in resting) == (item in last and number - last[item] < 5)
        if item not in resting:
            cooldown.note(ME, turn, [item])
            last[item] = number


def test_sessions_do_not_share_and_the_one_used_longest_ago_is_forgotten_first():
    cooldown = Cooldown(sessions=2)
    for name in ("one", "two"):
        turn, _ = cooldown.begin((name,), 1)
        cooldown.note((name,), turn, [name])
    assert cooldown.begin(("one",), 2) == (2, {"one": 1})
    cooldown.begin(("three",), 1)
    cooldown.note(("two",), 1, ["late"])

    assert cooldown.begin(("two",), 2) == (2, {})
    assert Cooldown().begin(("one",), 2) == (2, {})


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("Look at @memory:deploys.", ["deploys"]),
        ('First @memory:"where do we deploy?", then', ["where do we deploy?"]),
        ("@memory:a, (@memory:b) and @memory:c-d/e!", ["a", "b", "c-d/e"]),
        ("mail me@memory:x or @@memory:y or @memory: z", []),
        ('@memory:"" and @memory:"  " and @memory:...', []),
        ('@memory:"never closed\n', []),
        (f"@memory:{'x' * (QUERY + 1)}", []),
        ("nothing here", []),
    ],
)
def test_a_mention_is_a_word_or_a_quoted_question(text, queries):
    assert [one.query for one in mentions(text)] == queries


def result(rendered: str) -> RecallResult:
    """An answer with a block."""
    return RecallResult((), rendered, "", 0, "t", "off", "task@7", "best_first", 0, 0)


@requirement("C26")
@given(st.lists(st.one_of(st.text(max_size=12), st.sampled_from(["@memory:a", '@memory:"b c"'])), max_size=6))
def test_only_the_mentions_of_a_text_are_replaced(parts):
    text = " ".join(parts)
    found = mentions(text)[:MOST]
    told = answered(MentionRequest(text), lambda asked: result(f"<{asked.text}>"))
    expected, end = "", 0
    for one in found:
        expected += text[end : one.start] + f"<{one.query}>"
        end = one.end

    assert told.text == expected + text[end:]
    assert [one.query for one in told.answers] == [one.query for one in found]


def test_what_memory_answers_is_not_read_for_mentions_and_no_more_than_five_are_answered():
    asked: list[RecallRequest] = []

    def ask(request: RecallRequest) -> RecallResult:
        asked.append(request)
        return result("" if request.text == "n0" else f"see @memory:{request.text}x")

    told = answered(MentionRequest(" ".join(f"@memory:n{at}" for at in range(7)), session="talk"), ask)

    assert told.text == f"{NOTHING} " + " ".join(f"see @memory:n{at}x" for at in range(1, 5)) + " @memory:n5 @memory:n6"
    assert [notice.code for notice in told.notices] == ["mentions_left"]
    assert {(one.profile, one.moment, one.session) for one in asked} == {("mention", "mention", "talk")}
    assert len(asked) == MOST


def test_a_text_that_is_none_or_too_long_is_refused():
    for wrong in (None, 3, "x" * (TEXT_LIMIT + 1)):
        with pytest.raises(InvalidInput):
            answered(MentionRequest(wrong), lambda _: result(""))
    assert answered(MentionRequest("  "), lambda _: result("")).text == "  "
