"""A record that is wrong: retired, replaced, narrowed or doubted by reason, and so it stays."""

from __future__ import annotations

import json

import pytest

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability
from bethink.errors import InvalidInput, NotFound
from tests.behaviour.house import MARCH, beliefs, counted, events, know, record, texts
from tests.behaviour.requirements import requirement
from tests.databases import everything_held

HOME = {"subject": "Maya", "attribute": "city"}
ASKED = "Where does Maya live?"
SAID = "I live in Lisbon today."
LISBON = "Maya lives in Lisbon"


def again(aria, text=LISBON, **fields):
    """The agent derives the statement once more from what was said before."""
    return aria.remember(text, evidence=SAID, **{**HOME, **fields})


@requirement("A163", "A165")
def test_what_was_never_true_is_retired_and_stays_away_when_derived_again(house, maya, aria):
    item = again(aria).id
    house.clock.advance(days=1)
    done = maya.reject(item, reason="untrue")
    house.clock.advance(days=1)

    assert (done.outcome, done.id, done.status) == ("retired", item, Status.ARCHIVED)
    assert (record_of(maya, item).status, record_of(maya, item).history[-1].reason) == (Status.ARCHIVED, "rejected")
    assert beliefs(maya, ASKED) == beliefs(maya, ASKED, as_of=MARCH) == []
    told = [again(aria), again(aria, "maya lives in LISBON!"), again(aria, subject=None, attribute=None)]
    told.append(aria.remember(LISBON, **HOME))
    told.append(maya.remember(LISBON, source=SourceKind.SYSTEM, **HOME))
    assert [(one.outcome, one.id) for one in told] == [("rejected", item)] * 5
    assert {notice.code for one in told for notice in one.notices} >= {"rejected_before"}
    assert (beliefs(maya, ASKED), counted(maya, "record")) == ([], 1)
    assert again(aria, subject="Noor").outcome == "created"
    written = events(maya)
    assert maya.reject(item, reason="untrue").outcome == "already_rejected"
    assert events(maya) == written
    assert [json.loads(payload)["outcome"] for kind, payload in written if kind == "memory.rejected"] == ["retired"]
    assert house.opened[0].check().findings == ()


@requirement("A176")
def test_a_rejected_belief_stays_away_after_an_upgrade_and_after_its_erasure(house, maya, aria):
    item = again(aria).id
    maya.reject(item, reason="untrue", trace=None)
    house.clock.advance(days=1)
    house.opened.pop().close()
    house.open(language="german")
    aria = house.bind(voice="agent", session="talk")
    assert again(aria).outcome == "rejected"
    assert house.bind().forget(item, mode="erase").removed["records"] == 1
    told = aria.remember(LISBON, **HOME)

    assert (told.outcome, told.id == item) == ("rejected", False)
    assert counted(house.opened[0], "rejection") == 2
    held = b"".join(data for name, data in everything_held(house.opened[0]._parts.store) if "trace" not in name)
    assert b"Maya lives in Lisbon" not in held


def test_who_changes_their_mind_is_heard(house, maya, aria):
    item = again(aria).id
    maya.reject(item, reason="untrue")
    house.clock.advance(days=1)
    back = maya.remember(LISBON, **HOME)

    assert (back.outcome, back.id == item) == ("created", False)
    assert beliefs(maya, ASKED) == [back.id]
    house.clock.advance(days=1)
    with maya.session("talk") as talk:
        talk.turn("Yes, I live in Lisbon, as I said.", role="user")
    assert aria.remember(LISBON, evidence="I live in Lisbon", **HOME).outcome in {"reinforced", "already_reinforced"}
    assert counted(maya, "rejection") == 0


@requirement("A163")
def test_what_has_changed_gives_way_to_what_holds_now(house, maya, aria):
    item = again(aria).id
    house.clock.advance(days=10)
    done = maya.reject(item, reason="changed", content="Maya lives in Porto")
    house.clock.advance(days=1)
    again_told = again(aria)

    assert (done.outcome, done.superseded) == ("superseded", (item,))
    assert (record(maya, item).status, record(maya, item).superseded_by) == (Status.SUPERSEDED, done.id)
    assert beliefs(maya, ASKED) == [done.id]
    assert beliefs(maya, ASKED, as_of=MARCH.replace(day=5)) == [item]
    assert again_told.outcome == "rejected"
    assert beliefs(maya, ASKED) == [done.id]


def test_what_is_over_without_anything_in_its_place_ends(house, maya, aria):
    item = again(aria).id
    house.clock.advance(days=10)
    done = maya.reject(item, reason="changed", at=MARCH.replace(day=8))

    assert (done.outcome, done.status) == ("expired", Status.EXPIRED)
    assert (beliefs(maya, ASKED), beliefs(maya, ASKED, as_of=MARCH.replace(day=5))) == ([], [item])
    assert again(aria).outcome == "rejected"


@requirement("A163")
def test_what_holds_elsewhere_is_withdrawn_here_and_stays_there(house):
    loom = house.bind(project="loom")
    item = know(loom, "Maya deploys with make ship", type="preference")
    kiln = house.bind(project="kiln")
    asked = "How does Maya deploy?"
    assert beliefs(kiln, asked) == [item]
    done = kiln.reject(item, reason="elsewhere")
    house.clock.advance(days=1)

    assert (done.outcome, record(loom, item).content.portability) == ("narrowed", Portability.LOCAL)
    assert (beliefs(kiln, asked), beliefs(house.bind(), asked), beliefs(loom, asked)) == ([], [], [item])
    agent = house.bind(project="kiln", voice="agent")
    assert agent.remember("Maya deploys with make ship", type="preference").outcome == "rejected"
    barn = house.bind(project="barn", voice="agent").remember("Maya deploys with make ship", type="preference")
    assert barn.outcome == "created"
    assert record(house.bind(project="barn"), barn.id).content.portability is Portability.LOCAL
    with pytest.raises(InvalidInput, match="learned here"):
        loom.reject(item, reason="elsewhere")


@requirement("A164")
def test_a_rejection_without_a_reason_flags_and_weakens_and_retires_nothing(house, maya, aria):
    item = maya.remember("Maya likes tea").id
    other = maya.remember("Maya likes dark tea").id
    before = record(maya, item)
    done = maya.reject(item)
    after = record(maya, item)

    assert (done.outcome, after.status) == ("flagged", Status.ACTIVE)
    assert ("review" in after.content.flags, after.usage.review_flagged_at) == (True, after.recorded_at)
    assert after.usage.confidence == pytest.approx(before.usage.confidence - 0.1)
    assert beliefs(maya, "Does Maya like tea?") == [other, item]
    assert maya.reject(item).outcome == "already_rejected"
    assert record(maya, item).usage == after.usage
    house.clock.advance(days=1)
    assert maya.revise(item, action="confirm").outcome == "already_confirmed"
    assert "review" not in record(maya, item).content.flags
    assert counted(maya, "rejection") == 0


def test_what_was_doubted_comes_in_doubted_when_it_is_derived_again(house, maya, aria):
    item = again(aria).id
    maya.reject(item)
    maya.forget(item)
    house.clock.advance(days=1)
    fresh = again(aria)

    assert (fresh.outcome, "review" in record(maya, fresh.id).content.flags) == ("created", True)
    assert record(maya, fresh.id).usage.confidence == pytest.approx(0.85)


@requirement("A163")
def test_an_agent_rejects_what_the_user_said_only_in_the_users_words(house, maya, aria):
    item = maya.remember(LISBON, **HOME).id
    written = record(maya, item)
    alone = aria.reject(item, reason="untrue")
    quoting = aria.reject(item, reason="untrue", evidence=SAID)
    assert [one.outcome for one in (alone, quoting)] == ["conflict", "conflict"]
    assert [notice.code for notice in alone.notices] == ["outranked"]
    assert record(maya, item) == written
    with maya.session("talk") as talk:
        talk.turn("No, that is wrong, I never lived in Lisbon.", role="user")
    done = aria.reject(item, reason="untrue", evidence="I never lived in Lisbon.")

    assert done.outcome == "retired"
    assert texts(maya.recall("Maya lives in Lisbon", max_items=9)) == [
        text for text in texts(maya.recall("Maya lives in Lisbon", max_items=9)) if text != LISBON
    ]


def test_a_foreign_record_and_an_absent_one_answer_alike(house, maya):
    item = know(maya, "Maya likes tea")
    noor = house.bind("noor", "bard")
    told = []
    for wanted in (item, item.replace("7", "6", 1)):
        with pytest.raises(NotFound) as refused:
            noor.reject(wanted, reason="untrue")
        told.append(str(refused.value).replace(wanted, "_"))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "fields",
    [
        {"reason": "wrong"},
        {"reason": "untrue", "content": "Maya likes coffee"},
        {"reason": "unspecified", "where": "loom"},
        {"reason": "untrue", "at": MARCH},
        {"reason": "elsewhere"},
    ],
)
def test_a_rejection_that_says_what_cannot_be_meant_changes_nothing(maya, fields):
    item = know(maya, "Maya likes tea")
    written = len(events(maya))
    with pytest.raises(InvalidInput):
        maya.reject(item, **fields)
    assert len(events(maya)) == written


def record_of(memory, item):
    """A record whatever became of it."""
    found = memory.get(item, history=True)
    return found.record


@requirement("A133")
def test_what_is_asked_for_again_and_again_in_vain_becomes_a_hint(house):
    memory = house.open()
    maya, noor = house.bind(), house.bind("noor", "bard")
    know(maya, "The loom is blue", subject="Loom")
    maya.forget(know(maya, "Zed paints", subject="Zed"))
    for _ in range(3):
        for question, about in (("Zed?", {}), ("Who is Yolanda?", {"subjects": ("Yolanda",)}), ("Loom", {})):
            house.clock.advance(minutes=5)
            maya.recall(question, **about)
    assert noor.recall("Zed?").items == ()
    assert maya.hints().hints == ()
    assert memory.run_jobs(10).counts["hints"] >= 2
    found = maya.hints().hints

    assert sorted((hint.name or "", hint.asked) for hint in found) == [("", 3), ("Zed", 3)]
    assert noor.hints().hints == ()
    house.clock.advance(hours=2)
    memory.run_jobs(10)
    assert maya.hints().hints == found
    know(maya, "Zed sculpts", subject="Zed")
    assert [hint.name for hint in maya.hints().hints] == [None]
    held = b"".join(data for name, data in everything_held(memory._parts.store) if "trace" not in name)
    assert b"olanda" not in held
