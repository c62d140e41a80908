"""A record that somebody ends is history from then on, with all that said it, and only they may who may replace it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput
from bethink.upkeep.expire import expire
from tests.behaviour.house import MARCH, beliefs, record, texts
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
HOME = {"subject": "Maya", "attribute": "home city"}
ASKED = "Where does Maya live?"
USER, SYSTEM, AGENT = SourceKind.USER_STATEMENT, SourceKind.SYSTEM, SourceKind.AGENT_INFERENCE


@requirement("E61")
def test_a_record_that_the_user_ends_is_history_with_all_that_said_it(house, maya, aria):
    typed = maya.remember("Maya plays the lute in Lisbon").id
    quoted = aria.remember("Maya lives in Lisbon", evidence="I live in Lisbon today", **HOME).id
    before = house.clock.advance(days=1)
    house.clock.advance(days=1)
    found = texts(maya.recall("Does Maya live or play in Lisbon?", max_items=20))
    done = [maya.revise(item, action="expire") for item in (typed, quoted)]
    left = texts(maya.recall("Does Maya live or play in Lisbon?", max_items=20))

    assert {"Maya plays the lute in Lisbon", "Maya lives in Lisbon", "I live in Lisbon today."} <= set(found)
    assert [(one.outcome, one.status, one.superseded) for one in done] == [("expired", Status.EXPIRED, ())] * 2
    assert [one.id for one in done] == [typed, quoted]
    assert set(left) <= {"I live in Porto now. I moved out of Lisbon."}
    assert beliefs(maya, ASKED, as_of=before)[0] == quoted
    assert "Maya plays the lute in Lisbon" not in [turn.text for turn in maya.episodes().turns]
    assert record(maya, quoted).ends_at == record(maya, quoted).history[-1].recorded_from
    assert house.opened[0].check().findings == ()


def test_an_end_still_to_come_is_kept_until_then(house, maya, aria):
    old = aria.remember("Maya lives in Lisbon", evidence="I live in Lisbon today", **HOME).id
    done = maya.revise(old, action="expire", at=MARCH + 9 * DAY)
    house.clock.advance(days=8)
    held = beliefs(maya, ASKED)
    house.clock.advance(days=2)
    over = texts(maya.recall(ASKED))
    lapsed = expire(maya._desk)

    assert (done.outcome, done.status, held) == ("expired", Status.ACTIVE, [old])
    assert over == ["I live in Porto now. I moved out of Lisbon."]
    assert (lapsed, record(maya, old).status) == (1, Status.EXPIRED)
    assert texts(maya.recall(ASKED)) == over


@requirement("E59")
def test_an_agent_that_ends_what_the_user_said_leaves_a_dispute_in_sight(house, maya, aria):
    said = maya.remember("Maya lives in Lisbon", **HOME).id
    house.clock.advance(days=1)
    done = [aria.revise(said, action="expire", content="Maya left Lisbon for good") for _ in range(2)]
    shown = next(item for item in maya.recall(ASKED).items if item.id == said)
    note = record(maya, done[0].id)

    assert [(one.outcome, one.source, one.conflicts) for one in done] == [("conflict", AGENT, (said,))] * 2
    assert done[0].id == done[1].id
    assert record(maya, said).status is Status.ACTIVE
    assert shown.conflicts == (done[0].id,)
    assert (note.content.text, note.content.polarity, note.status) == (
        "Maya left Lisbon for good",
        "retract",
        Status.SUPERSEDED,
    )
    assert beliefs(maya, ASKED) == [said]


def test_an_agent_ends_its_own_guess_and_with_the_users_words_what_the_user_said(maya, aria):
    said = maya.remember("Maya lives in Lisbon", event_at=MARCH - DAY, **HOME).id
    guess = aria.remember("Maya rents a boat").id
    own = aria.revise(guess, action="expire")
    theirs = aria.revise(said, action="expire", content="Maya moved out of Lisbon", evidence="I moved out of Lisbon.")

    assert (own.outcome, own.source, record(maya, guess).status) == ("expired", AGENT, Status.EXPIRED)
    assert (theirs.outcome, theirs.source, theirs.evidence_located) == ("expired", USER, True)
    assert record(maya, said).status is Status.EXPIRED


def test_words_that_say_the_record_do_not_end_it(maya, aria):
    said = maya.remember("Maya lives in Lisbon", **HOME).id
    quote = {"evidence": "I live in Lisbon today"}

    for content in ("Maya lives in Lisbon", "maya lives in  Lisbon.", None):
        with pytest.raises(InvalidInput):
            aria.revise(said, action="expire", content=content, **quote)
    assert record(maya, said).status is Status.ACTIVE
