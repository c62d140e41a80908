"""One survivor per fact and wording, both sides of a conflict, and what was true once never passes as true now."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind
from bethink.memory import BoundMemory
from tests.behaviour.house import MARCH, House, ids, know, pool, texts
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
HOME = {"subject": "Maya", "attribute": "home city"}


def move(memory: BoundMemory, session: str, words: str, statement: str) -> tuple[str, str]:
    """Say where one lives and remember it from these words: ids of the turn and the record."""
    talk = memory.session(session)
    (turn,) = talk.turn(words).ids
    made = talk.remember(statement, evidence=words, **HOME)
    assert made.evidence_located, made.notices
    return turn, made.id


@pytest.fixture
def moved(maya, house):
    """Maya lived in Lisbon in March and lives in Porto since June: her words, and the records made of them."""
    lisbon = move(maya, "march", "I live in Lisbon", "The user lives in Lisbon")
    house.clock.set(MARCH + 95 * DAY)
    porto = move(maya, "june", "I live in Porto", "The user lives in Porto")
    return lisbon, porto


QUESTIONS = (
    "Where does Maya live?",
    "live",
    "Maya's home city",
    "Does Maya live in Lisbon?",
    "Lisbon",
    "the user lives in Lisbon",
)


@requirement("E109", "A167", "A111")
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_current_fact_wins_whatever_the_wording_and_its_old_words_do_not_pass_as_current(maya, moved, question):
    (old_turn, old), (_, new) = moved
    result = maya.recall(question)

    assert "Lisbon" not in result.rendered
    assert old not in pool(maya, result)
    assert old_turn not in ids(result)
    if "Lisbon" not in question:
        assert new in ids(result)


@requirement("A167", "B159", "D27")
def test_a_turn_whose_statement_was_superseded_is_cut_and_why_says_so(maya, moved):
    (old_turn, old), (new_turn, new) = moved
    result = maya.recall("Where does Maya live?")

    assert set(ids(result)) == {new, new_turn}
    lost = maya.why(result.trace_id, old_turn)
    assert (lost.stage, "evidence of a superseded record" in lost.text) == ("collapse", True)
    assert maya.why(result.trace_id, old).stage == "fence"
    only = maya.recall("Lisbon")
    assert (only.items, only.empty_reason) == ((), "outdated")


@requirement("A167", "A111")
def test_the_past_is_still_there_for_who_asks_for_it(maya, moved):
    (old_turn, old), (new_turn, new) = moved
    question = "Where does Maya live?"
    april = maya.recall(question, as_of=MARCH + 31 * DAY)
    assert set(ids(april)) == {old_turn, old}
    assert "Porto" not in april.rendered
    assert maya.recall(question, as_of=MARCH - DAY).items == ()
    assert maya.recall(question, as_of=MARCH + 95 * DAY).items[0].id == new
    assert {old_turn, old, new} <= set(ids(maya.recall(question, include_superseded=True)))
    assert old_turn in ids(maya.recall("What did Maya say about where she lives?"))
    assert {turn.id for turn in maya.episodes(since=MARCH).turns} == {old_turn, new_turn}


def test_words_that_still_support_something_stay(maya, house):
    talk = maya.session("march")
    (turn,) = talk.turn("I live in Lisbon. I have a parrot.").ids
    talk.remember("The user lives in Lisbon", evidence="I live in Lisbon.", **HOME)
    talk.remember("The user has a parrot", evidence="I have a parrot.", subject="Maya", attribute="pet")
    house.clock.advance(days=9)
    move(maya, "june", "I live in Porto", "The user lives in Porto")

    assert turn in ids(maya.recall("Where does Maya live?"))


def test_words_that_repeated_what_was_superseded_are_spent_too(maya, house):
    _, old = move(maya, "march", "I live in Lisbon", "The user lives in Lisbon")
    house.clock.advance(days=1)
    again, same = move(maya, "april", "I live in Lisbon", "The user lives in Lisbon")
    assert same == old
    house.clock.advance(days=1)
    move(maya, "june", "I live in Porto", "The user lives in Porto")

    assert again not in ids(maya.recall("Where does Maya live?"))


def test_what_was_withdrawn_leaves_its_words_behind_too(maya, house):
    turn, _ = move(maya, "march", "I live in Lisbon", "The user lives in Lisbon")
    house.clock.advance(days=1)
    maya.remember("The user lives in Lisbon", polarity="retract", **HOME)

    assert turn not in ids(maya.recall("Where does Maya live?"))


CITIES = ("Lisbon", "Porto", "Faro", "Braga")


@requirement("E109", "A170")
@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(CITIES), min_size=1, max_size=6), st.sampled_from(QUESTIONS))
def test_after_any_corrections_only_the_last_value_is_recalled(database, cities, question):
    with database.passing() as place:
        house = House(place)
        maya = house.bind()
        for city in cities:
            house.clock.advance(days=1)
            know(maya, f"The user lives in {city}", **HOME)
        live = maya.recall(question, on_weak="fallback_scope")
        history = {
            day: texts(maya.recall("Where does Maya live?", as_of=MARCH + day * DAY, kinds=(Kind.SEMANTIC,)))
            for day in range(1, len(cities) + 1)
        }
        house.close()

    assert texts(live) == [f"Maya: The user lives in {cities[-1]}"]
    assert history == {day: [f"Maya: The user lives in {city}"] for day, city in enumerate(cities, 1)}


@requirement("A112", "A113", "D31")
def test_both_sides_of_a_conflict_are_shown_and_each_names_the_other(maya, house):
    stated = know(maya, "The studio kiln is electric", subject="studio", attribute="kiln")
    house.clock.advance(days=1)
    other = maya.remember(
        "The studio kiln burns gas", subject="studio", attribute="kiln", source=SourceKind.DOCUMENT, source_ref="manual"
    )
    assert (other.outcome, other.conflicts) == ("conflict", (stated,))
    know(maya, "The studio is on the quay", subject="studio")
    for question in ("Is the studio kiln electric?", "What burns gas?"):
        result = maya.recall(question)
        items = {item.id: item for item in result.items}
        lines = {line.split(" ")[0]: line for line in result.rendered.split("\n")[1:-1]}

        assert ids(result)[0] == stated if "electric" in question else other.id in items
        assert (items[stated].conflicts, items[other.id].conflicts) == ((other.id,), (stated,))
        assert f"conflicts=[{items[other.id].short_id}]" in lines[items[stated].short_id]
        assert f"conflicts=[{items[stated].short_id}]" in lines[items[other.id].short_id]
        assert maya.get(items[other.id].short_id).record.content.text == "The studio kiln burns gas"
        assert maya.trace(result.trace_id).trace.conflicts == (tuple(sorted((stated, other.id))),)


@requirement("A115", "E46")
def test_an_exact_restatement_is_merged_and_a_similar_one_moves_down_and_stays(house):
    house.embedder = None
    house.open().grant("maya", "aria", "project:pottery", write=True)
    here = house.bind(project="pottery")
    better = here.remember("uses the blue kiln every single day", subject="Ann").id
    worse = know(here, "uses the blue kiln every single day", subject="Ann", target="project")
    similar = know(here, "uses the blue kiln every single day now", subject="Ann")
    distinct = know(here, "uses the blue kiln for tiles", subject="Bea", source=SourceKind.TOOL_RESULT)
    result = here.recall("blue kiln", kinds=(Kind.SEMANTIC,))
    parts = {item.id: item.explanation.parts for item in result.items}

    assert ids(result) == [better, distinct, similar]
    assert parts[similar]["near_duplicate"] == pytest.approx(-0.1)
    assert "near_duplicate" not in parts[distinct]
    cut = next(cut for cut in here.trace(result.trace_id).trace.cuts if cut.id == worse)
    assert (cut.stage, cut.reason) == ("collapse", f"says the same as {better}")


@requirement("A167")
def test_what_was_confirmed_long_ago_fades_behind_what_was_confirmed_now(house):
    house.embedder = None
    maya = house.bind()
    faded = know(maya, "uses the blue kiln", subject="Ann")
    house.clock.advance(days=200)
    fresh = know(maya, "uses the blue kiln", subject="Bea")
    result = maya.recall("blue kiln")

    assert ids(result) == [fresh, faded]
    reinforcement = {item.id: item.explanation.parts["reinforcement"] for item in result.items}
    assert reinforcement[faded] < reinforcement[fresh] / 100
    assert {item.status for item in result.items} == {Status.ACTIVE}


def test_a_passing_preference_hides_the_standing_one_nowhere(house):
    maya = house.bind()
    field = {"type": "preference", "subject": "Ann", "attribute": "kiln"}
    standing = know(maya, "prefers the blue kiln", **field)
    passing = know(maya, "prefers the red kiln this week", temporary=True, **field)

    assert set(ids(maya.recall("which kiln does Ann prefer"))) == {standing, passing}


def test_what_a_user_typed_is_shown_once_as_the_record_it_made(house):
    maya = house.bind(voice="user")
    made = maya.remember("The blue kiln stands in the cellar", subject="kiln", attribute="place").id
    result = maya.recall("where does the blue kiln stand")

    assert ids(result) == [made]
    (cut,) = (cut for cut in maya.trace(result.trace_id).trace.cuts if cut.stage == "collapse")
    assert cut.reason == f"says the same as {made}"


@requirement("B159")
def test_an_answer_that_holds_what_it_may_of_one_subject_says_that_there_is_more(maya):
    for tool in ("plane", "saw", "vice"):
        know(maya, f"Ines keeps the {tool} in the shed", subject="Ines")
    asked = "What does Ines keep in the shed?"
    whole = maya.recall(asked)
    know(maya, "Ines keeps the rasp in the shed", subject="Ines")
    short = maya.recall(asked)

    assert (len(ids(whole)), whole.short_reason) == (3, "no_more")
    assert (len(ids(short)), short.short_reason) == (3, "subject_cap")


def test_who_contradicts_a_record_again_and_again_does_not_crowd_it_out(house):
    maya, tool = house.bind(), house.bind(voice="agent")
    port = {"subject": "Relay", "attribute": "port", "type": "project_fact"}
    held = know(maya, "The relay listens on port 80", **port)
    for number in range(20):
        source = {"source": SourceKind.TOOL_RESULT, "source_ref": f"page {number}"}
        assert tool.remember(f"The relay listens on port {9000 + number}", **port, **source).outcome == "conflict"
    result = maya.recall("On which port does the relay listen?", budget_tokens=120)
    line = next(line for line in result.rendered.split("\n") if "port 80 " in line)
    other = next(item for item in result.items if item.id != held)

    assert held in ids(result)
    assert len(line) < 240
    assert line.endswith(", 12 more])")
    assert other.short_id in line
