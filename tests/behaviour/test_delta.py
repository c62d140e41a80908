"""Delta: what changed since a session's snapshot was taken, beside the turn and never in the prefix."""

from __future__ import annotations

import pytest

from bethink.domain.record import Status, StatusSpan
from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput, NotFound
from bethink.memory import BoundMemory
from bethink.operations.recall import RecallRequest
from bethink.recall.rank import PROVISIONAL
from tests.behaviour.house import beliefs, ids, know, stored
from tests.behaviour.requirements import requirement

TEA = {"type": "preference", "subject": "Maya", "attribute": "tea", "source": SourceKind.SYSTEM}
CAR = "User has a 2026 Aster S8"


def opened(maya: BoundMemory, name: str = "monday"):
    """A session whose snapshot is taken."""
    session = maya.session(name)
    session.snapshot()
    return session


@requirement("A24")
def test_a_recall_from_a_position_on_finds_what_was_written_behind_it_and_looks_at_nothing_else(house, maya):
    before = [know(maya, f"The harbour has {number} cranes") for number in range(100)]
    position = maya.recall("harbour cranes").position
    after = know(maya, "The harbour has a new crane")
    house.clock.advance(days=1)
    with stored(maya) as work:
        for status in (Status.EXPIRED, Status.ACTIVE):
            work.records.set_status(before[0], StatusSpan(status, work.recorded_at, reason="a test"))
    asked = maya.recall("harbour cranes", after_position=position, max_items=50)
    trace = maya.trace(asked.trace_id).trace

    assert set(ids(asked)) == {after, before[0]}
    assert {str(row["id"]) for row in trace.pool} == {after, before[0]}
    assert trace.query["fence"]["after"] == position
    assert maya.why(asked.trace_id, before[1]).text == "It had not changed since the position asked about."
    assert set(ids(maya.recall(after_position=position))) == {after, before[0]}
    assert maya.recall("harbour cranes", after_position=asked.position).empty_reason == "filtered"
    with pytest.raises(InvalidInput):
        maya.recall("harbour", after_position=-1)


@requirement("A17")
def test_the_core_profile_ranks_a_delta_and_keeps_the_unconfirmed_at_its_reduced_weight(house, maya):
    session = opened(maya)
    sure = know(maya, "Maya likes rye bread", type="preference")
    unsure = house.bind(voice="agent").remember("Maya may like barley", type="preference").id
    changes = session.delta().changes
    parts = {item.id: item.explanation.parts for item in changes.items}
    confidence = maya.get(unsure).record.usage.confidence
    trace = maya.trace(changes.trace_id).trace

    assert ids(changes) == [sure, unsure]
    assert (trace.query["profile"], trace.moment) == ("core", "in_turn")
    assert trace.query["fence"]["statuses"] == ["active", "provisional"]
    assert parts[unsure]["confidence"] == pytest.approx(0.25 * confidence * PROVISIONAL)
    assert parts[sure]["match"] == parts[unsure]["match"] == 0
    assert "provisional" in changes.rendered
    assert sure in ids(maya.recall(type_hints=("preference",), profile="core"))
    assert unsure not in ids(maya.recall(type_hints=("preference",), profile="core"))


@requirement("A80")
def test_a_delta_asks_for_no_words_no_types_and_no_possessions_whatever_its_turn_asks(house, maya):
    know(maya, CAR, type="user_attribute")
    session = opened(maya)
    newer = know(maya, "The harbour fair is in June", type="fact")
    asked = RecallRequest(
        "What fuel should I use for my car?",
        objective="Plan a drive",
        open_questions=("Which car do I own?",),
        subjects=("Maya",),
        types=("user_attribute",),
        type_hints=("preference",),
        include_owned_resources=True,
        project_policy="isolate",
        target="personal",
    )
    changes = session.delta(asked=asked).changes
    trace = maya.trace(changes.trace_id).trace
    asks = {"text", "objective", "open_questions", "subjects", "types", "type_hints", "anchors", "terms", "names"}

    assert maya.trace(maya.recall(asked).trace_id).trace.owned_resources
    assert ids(changes) == [newer]
    assert asks.isdisjoint(trace.query)
    assert not trace.owned_resources
    assert "+owned-resources" not in changes.policy
    assert (trace.query["target"], trace.query["fence"]["isolate"]) == ("personal", True)
    assert Status.PROVISIONAL not in maya.trace(session.snapshot().trace_id).trace.query["fence"]["statuses"]


def test_what_was_written_or_replaced_behind_the_watermark_comes_with_a_later_turn_and_only_once(house, maya):
    old = maya.remember("Maya drinks black tea", **TEA).id
    untouched = know(maya, "Maya is left-handed", type="user_attribute")
    session = opened(maya)
    nothing = session.delta()
    new = maya.remember("Maya drinks green tea", **TEA).id
    added = know(maya, "The kiln is repaired", type="fact")
    told = session.delta()

    assert (nothing.changes.items, nothing.corrections) == ((), ())
    assert set(ids(told.changes)) == {new, added}
    assert {old, untouched}.isdisjoint(ids(told.changes))
    assert ids(session.delta(seen=(new,)).changes) == [added]
    assert session.delta(seen=(new, added)).changes.empty_reason == "held"
    assert session.delta(max_items=1).changes.returned_count == 1
    assert session.delta(budget_tokens=0).changes.empty_reason == "budget"


@requirement("A25", "A27")
def test_a_snapshot_line_that_was_corrected_is_said_to_have_ended_when_and_what_holds_instead(house, maya):
    old = maya.remember("Maya drinks black tea", **TEA).id
    session = maya.session("monday")
    first = session.snapshot()
    house.clock.advance(days=1)
    maya.remember("Maya drinks green tea", **TEA)
    house.clock.advance(days=1)
    newest = maya.remember("Maya drinks no tea at all", **TEA).id
    ended = maya.get(old).record.history[-1].ends_at
    (correction,) = session.delta().corrections
    successor = next(item.short_id for item in session.delta().changes.items if item.id == newest)

    assert (correction.id, correction.ended_at, correction.successor) == (old, ended, newest)
    assert correction.text == (
        f"{first.items[0].short_id} does not hold since 2026-03-02T00:00:00Z; {successor} holds instead."
    )
    assert session.snapshot().rendered == first.rendered


def test_a_line_that_ended_without_a_successor_and_one_that_was_forgotten_are_told_too(house, maya):
    ended, gone = know(maya, "Maya rents a boat", type="user_attribute"), know(maya, "Maya sings", type="preference")
    session = opened(maya)
    house.clock.advance(days=1)
    maya.revise(ended, action="expire")
    maya.forget(gone)
    told = {correction.id: correction for correction in session.delta().corrections}

    assert set(told) == {ended, gone}
    assert told[gone].text == f"{told[gone].short_id} was withdrawn: leave it out."
    assert told[ended].text.startswith(f"{told[ended].short_id} does not hold since 2026-03-02")
    assert (told[ended].successor, told[gone].ended_at) == (None, None)


def test_a_session_without_a_snapshot_has_no_delta_and_no_corrections(house, maya):
    know(maya, "Maya likes rye bread", type="preference")
    told = maya.session("monday").delta()

    assert (told.watermark, told.changes, told.corrections) == (None, None, ())
    with pytest.raises(NotFound):
        maya.delta(session="never")


def test_a_delta_stays_inside_what_its_reader_may_read_and_has_no_episodes(house, maya):
    session = opened(maya)
    with maya.session("other") as other:
        other.turn("I like rye bread.")
    theirs = know(house.bind("bob", "bert"), "Bob likes rye bread", type="preference")
    elsewhere = know(house.bind(project="pottery"), "The kiln door is green", type="fact", portability=None)

    assert theirs not in ids(session.delta().changes)
    assert ids(session.delta().changes) == [elsewhere]
    assert session.delta(asked=RecallRequest(project_policy="isolate")).changes.items == ()
    assert beliefs(maya, "rye bread") == []
