"""What holds only later is not told as so now, and an empty answer says whether time is what hides the match."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.behaviour.house import MARCH, House, ids, know, texts
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
HOME = {"subject": "Maya", "attribute": "home city"}
ASKED = "Where does Maya live?"


@pytest.fixture
def maya(house: House):
    """Maya by words alone: nothing is found for being near."""
    house.embedder = None
    return house.bind()


@requirement("A111", "E109")
def test_what_was_announced_stands_neither_before_nor_beside_what_holds(maya, house):
    now = maya.remember("Maya lives in Porto", **HOME).id
    later = maya.remember("Maya lives in Lisbon", valid_from=MARCH + 30 * DAY, **HOME).id

    assert ids(maya.recall(ASKED)) == [now]
    lost = maya.recall("Lisbon")
    assert (lost.items, lost.empty_reason) == ((), "outdated")
    assert ids(maya.recall(ASKED, as_of=MARCH + 31 * DAY)) == [later]
    assert [item.id for item in maya.recall(ASKED, include_superseded=True).items if item.type != "turn"] == [
        now,
        later,
    ]
    house.clock.advance(days=31)
    assert [item.id for item in maya.recall(ASKED, include_superseded=True).items if item.type != "turn"] == [
        later,
        now,
    ]
    assert ids(maya.recall(ASKED)) == [later]
    assert house.opened[0].check().findings == ()


def test_history_holds_what_was_announced_and_what_says_the_same_today(maya):
    later = maya.remember("Maya lives in Lisbon", valid_from=MARCH + 30 * DAY, **HOME).id
    now = maya.remember("Maya lives in Lisbon", **HOME).id
    told = [item.id for item in maya.recall(ASKED, include_superseded=True).items if item.type != "turn"]

    assert now != later
    assert set(told) == {now, later}


def test_what_is_typed_of_the_past_is_found_as_said_now(maya):
    made = maya.remember("Maya plays the lute", valid_from=MARCH - 900 * DAY).id

    assert ids(maya.recall("lute")) == [made]
    assert texts(maya.recall("lute", as_of=MARCH - 800 * DAY)) == ["Maya plays the lute"]


@requirement("D27")
@pytest.mark.parametrize(
    ("fields", "asked", "reason"),
    [
        ({}, {"as_of": MARCH - 9 * DAY}, "filtered"),
        ({}, {"known_at": MARCH - 9 * DAY}, "filtered"),
        ({}, {"types": ("preference",)}, "filtered"),
        ({"valid_until": MARCH - 2 * DAY}, {}, "outdated"),
        ({"valid_until": MARCH - 2 * DAY}, {"as_of": MARCH}, "filtered"),
        ({"expires_at": MARCH + 2 * DAY}, {}, "outdated"),
        ({"valid_from": MARCH + 30 * DAY}, {}, "outdated"),
    ],
    ids=lambda told: " ".join(told) if isinstance(told, dict) else told,
)
def test_an_empty_answer_says_that_time_or_the_request_hides_the_match(maya, house, fields, asked, reason):
    know(maya, "Maya lives in Lisbon", **{"valid_from": MARCH - 5 * DAY, **fields})
    house.clock.advance(days=3)

    assert maya.recall("Lisbon", **asked).empty_reason == reason
    assert maya.recall("Vienna", **asked).empty_reason == "no_candidates"


def test_an_empty_answer_tells_nothing_of_what_was_forgotten_or_belongs_to_others(maya, house):
    maya.forget(know(maya, "Maya lives in Lisbon"))
    house.bind("noor").remember("Noor lives in Vienna", valid_until=MARCH + DAY)
    house.clock.advance(days=3)

    assert maya.recall("Lisbon").empty_reason == "no_candidates"
    assert maya.recall("Vienna").empty_reason == "no_candidates"
    assert maya.recall("Lisbon", as_of=MARCH).empty_reason == "no_candidates"


@requirement("A111")
def test_what_was_announced_holds_at_once_when_it_is_said_to(maya, house):
    maya.remember("Maya lives in Porto", **HOME)
    plan = {"valid_from": MARCH + 90 * DAY, **HOME}
    later = maya.remember("Maya lives in Lisbon", **plan).id
    house.clock.advance(days=1)
    again = maya.remember("Maya lives in Lisbon", **plan)
    house.clock.advance(days=29)
    early = maya.remember("Maya lives in Lisbon", **HOME)

    assert (again.outcome, again.id) == ("already_reinforced", later)
    assert (early.outcome, ids(maya.recall(ASKED))) == ("superseded", [early.id])
    assert ids(maya.recall(ASKED, as_of=MARCH + 91 * DAY)) == [later]
    assert house.opened[0].check().findings == ()
