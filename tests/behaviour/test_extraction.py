"""A session that ended is read for beliefs, each with its quote, through the rules of every write, and once."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import bethink
from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput
from bethink.operations.extraction import Suggestion
from tests.behaviour.house import MARCH, record, texts
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, Script, beliefs, log, played, read, talk, work


@requirement("E23", "E26", "D25")
def test_what_a_user_said_becomes_beliefs_with_their_exact_quotes(house, maya):
    talk(house, "Hello there!", LIVES, "I'm allergic to peanuts, by the way.")

    result = read(house)

    assert (result.outcome, result.turns) == ("stored", 3)
    assert beliefs(maya, result) == ["The user lives in Porto with two cats.", "The user is allergic to peanuts."]
    kept = record(maya, result.beliefs[1].id)
    turn = maya.get(kept.content.source.evidence.turn_id).turn
    quote = kept.content.source.evidence
    assert turn.text[quote.start : quote.end] == quote.quote == "I'm allergic to peanuts"
    assert (kept.status, kept.content.source.kind) == (Status.ACTIVE, SourceKind.USER_STATEMENT)
    assert kept.content.origin.session == "talk"


@requirement("E33", "E18")
def test_a_session_is_read_when_it_is_closed_and_not_per_message(house, maya):
    with maya.session("talk") as opened:
        opened.turn("I am allergic to peanuts.")
        assert work(house).counts.get("sessions read", 0) == 0

    assert work(house).counts["sessions read"] == 1
    assert "maya: The user is allergic to peanuts." in texts(maya.recall("peanuts"))


def test_a_session_nobody_spoke_in_for_half_an_hour_has_ended(house, maya):
    talk(house, "I am allergic to peanuts.", close=False)
    house.clock.advance(minutes=20)
    talk(house, "I live in Porto now.", close=False)

    house.clock.advance(minutes=29)
    assert work(house).counts.get("sessions read", 0) == 0
    house.clock.advance(minutes=1)
    assert work(house).counts["beliefs"] == 2


def test_a_session_is_read_once_however_often_it_is_asked(house, maya):
    talk(house, "I am allergic to peanuts.")

    assert read(house).outcome == "stored"
    assert (read(house).outcome, read(house).turns) == ("nothing_to_store", 0)
    assert work(house).counts["beliefs"] == 0


def test_only_what_came_since_is_read_when_a_session_goes_on(house, maya):
    script = Script()
    played(house, script)
    talk(house, "I am allergic to peanuts.")
    read(house)
    talk(house, "I live in Porto now.")
    read(house)

    last = script.transcripts[-1]
    assert [passage.turn.text for passage in last.unread] == ["I live in Porto now."]
    assert [passage.turn.text for passage in last.before] == ["I am allergic to peanuts."]


@requirement("E31")
def test_every_session_ends_with_exactly_one_summary_even_when_nothing_else_comes_of_it(house, maya):
    talk(house, "What is the weather like?", ("assistant", "Rain, I am afraid."))
    first = read(house)
    talk(house, "And tomorrow?")
    second = read(house)

    assert (first.outcome, first.summary_id) == ("nothing_to_store", second.summary_id)
    kept = record(maya, first.summary_id)
    assert kept.content.text.startswith("Session of 1 March 2026 with maya, aria")
    assert "And tomorrow?" in kept.content.text
    assert (kept.content.type, kept.version, kept.status) == ("session_summary", 2, Status.ACTIVE)
    assert (kept.content.source.kind, kept.content.derivation) == (SourceKind.SESSION_SUMMARY, "derived")


def test_an_erased_turn_takes_the_summary_that_repeats_it_along(house, maya):
    talk(house, "Is the spare key still under the blue pot?")
    summary = read(house).summary_id
    turn = maya.episodes(session="talk").turns[0].id

    receipt = maya.forget(turn, mode="erase")

    assert summary in receipt.derived


def test_a_summary_of_a_model_counts_only_when_its_numbers_were_said(house, maya):
    script = Script(summary="Maya asked for 3 eggs.")
    played(house, script)
    talk(house, "I need 3 eggs.", session="one")
    talk(house, "I need four eggs.", session="two")

    assert record(maya, read(house, "one").summary_id).content.text == "Maya asked for 3 eggs."
    assert record(maya, read(house, "two").summary_id).content.text.startswith("Session of")


@requirement("E77")
def test_the_same_statement_in_another_session_reinforces_what_is_there(house, maya):
    talk(house, "I live in Porto now.", session="one")
    talk(house, "As I said, nothing new today.", "Yes, I live in Porto!", session="two")

    first, second = read(house, "one").beliefs[0], read(house, "two").beliefs[0]

    assert (first.outcome, second.outcome, second.id) == ("created", "reinforced", first.id)
    assert record(maya, first.id).usage.evidence_count == 2


def test_the_same_statement_twice_in_a_session_counts_once(house, maya):
    talk(house, "I am allergic to peanuts.", "I told you, I am allergic to peanuts.", "I am allergic to peanuts!")

    result = read(house)

    assert [item.outcome for item in result.beliefs] == ["created"]
    assert result.dropped["repeated"] >= 1


@requirement("E78", "E79")
def test_a_correction_supersedes_and_unrelated_facts_stand(house, maya):
    talk(house, "I live in Lisbon.", "I love strong coffee.", session="one")
    read(house, "one")
    talk(house, "Actually, I live in Porto, not Lisbon.", session="two")

    (corrected,) = read(house, "two").beliefs

    assert corrected.outcome == "superseded"
    shown = texts(maya.recall("Where does the user live? And what about coffee?"))
    assert "maya: The user lives in Porto." in shown
    assert "maya: The user loves strong coffee." in shown
    assert "maya: The user lives in Lisbon." not in shown


@requirement("E79", "E29")
def test_status_follows_the_source_whatever_the_reviewer_thinks(house, maya):
    said = "The nightly build takes 12 minutes."
    script = Script(
        [
            Suggestion("The user lives in Porto.", LIVES),
            Suggestion("The user is fond of animals.", LIVES),
            Suggestion("The nightly build takes 12 minutes.", said, type="project_fact"),
        ]
    )
    played(house, script)
    opened = maya.session("talk")
    opened.turn(LIVES)
    opened.turn(said, role="tool", speaker="ci")
    opened.close()

    result = house.bind().extract("talk")

    kept = {record(maya, item.id).content.text: record(maya, item.id) for item in result.beliefs}
    assert {text: (one.content.source.kind, one.status) for text, one in kept.items()} == {
        "The user lives in Porto.": (SourceKind.AGENT_INFERENCE, Status.PROVISIONAL),
        "The user is fond of animals.": (SourceKind.AGENT_INFERENCE, Status.PROVISIONAL),
        said: (SourceKind.TOOL_RESULT, Status.ACTIVE),
    }
    assert all(one.content.source.evidence.quote in (LIVES, said) for one in kept.values())


@requirement("E80", "E27")
def test_relative_dates_are_told_from_when_they_were_said(house, maya):
    house.clock.set(datetime.fromisoformat("2026-03-04T10:00:00+00:00"))
    talk(house, "I'm flying to Lisbon on Friday.", "I'm on leave until 12 March.")
    house.clock.advance(days=40)

    flight, leave = (record(maya, item.id).content for item in read(house).beliefs)

    assert flight.text == "The user is flying to Lisbon on 6 March 2026."
    assert (flight.event_at, flight.review_at) == (MARCH + timedelta(days=5), MARCH + timedelta(days=6))
    assert leave.text == "The user is on leave until 12 March 2026."
    assert leave.valid_until == MARCH + timedelta(days=12)


def test_restricted_turns_give_restricted_records(house, maya):
    opened = maya.session("talk")
    opened.turn("I am allergic to peanuts.", sensitivity=bethink.Sensitivity.RESTRICTED)
    opened.close()

    item = read(house).beliefs[0].id

    assert texts(maya.recall("peanuts")) == []
    wide = house.bind(ceiling=bethink.Sensitivity.RESTRICTED)
    assert record(wide, item).content.sensitivity is bethink.Sensitivity.RESTRICTED


@requirement("E100")
def test_each_stage_of_a_reading_is_timed(house, maya):
    talk(house, "I am allergic to peanuts.")

    stages = read(house).stages_ms

    wanted = {
        "transcript",
        "extractor",
        "reviewer",
        "validation",
        "duplicate",
        "contradiction",
        "transaction",
        "summary",
    }
    assert wanted <= stages.keys()
    assert wanted - {"transaction"} <= log(maya, "session.extracted")[0]["stages_ms"].keys()


def test_a_session_of_somebody_else_is_nobody_s_to_read(house, maya):
    talk(house, "I live in Porto now.")

    with pytest.raises(bethink.BethinkError) as refused:
        house.bind("noor", "aria").extract("talk")
    assert refused.value.code == "not_found"


def test_imported_talk_waits_to_be_asked_for(house, maya):
    opened = maya.session("old")
    opened.turns([bethink.TurnInput("I live in Porto now.", imported=True)])
    house.clock.advance(hours=1)

    assert work(house).counts.get("sessions read", 0) == 0
    (item,) = maya.extract("old").beliefs
    assert record(maya, item.id).content.source.kind is SourceKind.IMPORT


@pytest.mark.parametrize("extractor", ["none", "host"])
def test_where_no_worker_reads_sessions_none_waits(house, extractor):
    memory = house.open(formation__extractor=extractor)
    bound = memory.bind("maya", "aria", voice="user")
    with bound.session("talk") as opened:
        opened.turn("I live in Porto now.")

    assert memory.jobs().jobs == ()
    with pytest.raises(InvalidInput, match="reads no sessions"):
        bound.extract("talk")
    with pytest.raises(InvalidInput, match="no extractor"):
        house.open(formation__extractor="magic")


def test_what_is_typed_at_remember_is_no_session_to_read(house, maya):
    maya.remember("The user lives in Porto.")

    assert house.opened[0].jobs().jobs == ()
