"""Questions that name a time: what was said then comes first, what was not is found as before."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.behaviour.house import MARCH, arms, texts
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
SAID = {
    "first": ["We glazed the blue bowl", "Bo bought clay"],
    "second": ["The kiln broke", "A technician will come"],
    "third": ["The kiln works again", "We sold the blue bowl"],
}


@pytest.fixture
def talks(maya, house):
    """Three sessions, at noon of 1, 5 and 9 March."""
    for number, (name, lines) in enumerate(SAID.items()):
        house.clock.set(MARCH + 4 * number * DAY + timedelta(hours=12))
        with maya.session(name) as session:
            for minute, text in enumerate(lines):
                said_at = house.clock.now() + timedelta(minutes=minute)
                session.turn(text, role="participant", speaker="Ann", said_at=said_at)
    return maya


@requirement("E44", "E3")
@pytest.mark.parametrize(
    ("named", "session"),
    [
        ("on 5 March", "second"),
        ("on March 5th, 2026", "second"),
        ("four days ago", "second"),
        ("today", "third"),
        ("at 12 pm on 2026-03-01", "first"),
        ("before 3 March", "first"),
        ("in our second session", "second"),
        ("last time", "third"),
        ("three sessions ago", "first"),
    ],
)
def test_what_was_said_at_the_named_time_comes_first_though_no_word_agrees(talks, named, session):
    result = talks.recall(f"What did we talk about {named}?")

    assert set(texts(result)[:2]) == set(SAID[session])
    assert [item.session for item in result.items][:2] == [session] * 2
    assert {item.explanation.passed for item in result.items[:2]} == {"exact time"}
    assert all("time" in item.explanation.arms for item in result.items[:2])
    told = talks.trace(result.trace_id).trace
    in_order = [talks.get(id_).turn.text for id_ in arms(talks, result)["time"]]
    assert in_order == SAID[session]
    assert len(told.query["spans"]) == 1


def test_a_named_time_hides_nothing_that_answers_better(talks):
    result = talks.recall("Will a technician come? Was it told on 9 March?")

    assert texts(result)[0] == SAID["second"][1]
    assert arms(talks, result)["time"] != []


def test_the_session_a_question_is_asked_in_is_not_the_last_one(talks, house):
    inside = house.bind(session="third")

    assert set(texts(inside.recall("What did we talk about last time?"))[:2]) == set(SAID["second"])


def test_a_time_is_told_from_when_it_is_asked_however_old_the_last_write_is(talks, house):
    asked = "What did we talk about four days ago?"
    then = talks.recall(asked)
    house.clock.advance(days=4)
    later = talks.recall(asked)
    house.clock.advance(days=40)
    long_after = talks.recall(asked)

    assert set(texts(then)[:2]) == set(SAID["second"])
    assert set(texts(later)[:2]) == set(SAID["third"])
    assert arms(talks, long_after)["time"] == []
    assert "exact time" not in {item.explanation.passed for item in long_after.items}
    past = talks.recall(asked, as_of=MARCH + 4 * DAY + timedelta(hours=1))
    assert set(texts(past)[:2]) == set(SAID["first"])


def test_a_time_without_a_word_said_in_it_and_a_date_in_a_name_change_nothing(talks):
    for question in ("What did we talk about on 2 March?", "Who mended the kiln of the 5 March Committee?"):
        result = talks.recall(question)
        assert arms(talks, result)["time"] == []
        assert "exact time" not in {item.explanation.passed for item in result.items}
