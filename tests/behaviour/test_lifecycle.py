"""A record from its first statement to its end: what it keeps, what replaces it, and where the old one is found."""

from __future__ import annotations

import itertools
import threading
from datetime import timedelta

import pytest

from bethink.domain.record import Status, StatusSpan
from bethink.domain.source import RANK, SourceKind
from bethink.domain.types import Kind
from bethink.errors import InvalidInput, NotFound
from bethink.memory import BoundMemory
from tests.behaviour.house import MARCH, counted, ids, know, stored
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

DAY = timedelta(days=1)
JOB = {"subject": "Maya", "attribute": "employer"}
DRINK = {"subject": "Maya", "attribute": "drink", "type": "preference"}
ASKED = ["Where does Maya work?", "Maya employer", "Which company employs Maya?", "Does Maya work at Alder?"]
USER, SYSTEM, TOOL, AGENT = (
    SourceKind.USER_STATEMENT,
    SourceKind.SYSTEM,
    SourceKind.TOOL_RESULT,
    SourceKind.AGENT_INFERENCE,
)


@requirement("A42", "A111", "A170", "A171", "D30", "P17", "E50")
def test_of_a_fact_that_changed_only_the_present_value_is_recalled_and_the_past_is_kept(house, maya):
    alder = maya.remember("Maya works at Alder", **JOB)
    before = house.clock.advance(days=10)
    house.clock.advance(days=1)
    pinned = maya.recall(ASKED[0], as_of=before, known_at=before)
    birch = maya.remember("Maya works at Birch", **JOB)
    house.clock.advance(days=10)
    maya.remember("Maya plays the lute", subject="Maya", attribute="instrument")

    assert birch.superseded == (alder.id,)
    for question in ASKED:
        found = [item for item in maya.recall(question).items if item.subject == "Maya" and "work" in item.text]
        assert [item.id for item in found] == [birch.id]
        past = [item.id for item in maya.recall(question, as_of=before).items if item.kind is Kind.SEMANTIC]
        assert past == [alder.id]
    assert maya.recall(ASKED[0], as_of=before, known_at=before).rendered == pinned.rendered
    assert ids(maya.recall(ASKED[0], known_at=before))[0] == alder.id
    new = maya.get(birch.id).record
    old = maya.get(new.supersedes[0], history=True).record
    assert (old.content.text, old.superseded_by, old.status) == ("Maya works at Alder", birch.id, Status.SUPERSEDED)
    assert [(span.status, span.ends_at) for span in old.history] == [
        (Status.ACTIVE, None),
        (Status.SUPERSEDED, new.content.valid_from),
    ]


@requirement("A170")
@pytest.mark.parametrize("question", ["What does Maya drink?", "Does Maya like oolong?", "likes", "matcha or oolong"])
def test_after_a_preference_changed_no_wording_finds_the_old_one(house, maya, question):
    maya.remember("Maya likes oolong", **DRINK)
    house.clock.advance(days=1)
    new = maya.remember("Maya likes matcha", **DRINK).id
    result = maya.recall(question, on_weak="lexical")

    assert [item.id for item in result.items if item.kind is Kind.SEMANTIC] == [new]
    assert "oolong" not in result.rendered.casefold().replace("does maya like oolong", "")


@requirement("E50", "D2")
def test_a_belief_has_no_freshness_and_an_inference_ends_by_itself(house, maya):
    told = know(maya, "The mill grinds rye")
    guess = house.bind(voice="agent").remember("The mill grinds spelt too").id
    house.clock.advance(days=1)
    parts = {item.id: item.explanation.parts for item in maya.recall("What does the mill grind?").items}
    house.clock.advance(days=30)

    assert set(parts) == {told, guess}
    assert not any("freshness" in terms for terms in parts.values())
    assert ids(maya.recall("What does the mill grind?")) == [told]


@requirement("E29")
@pytest.mark.parametrize("kind", SourceKind)
def test_the_source_sets_the_first_status(maya, kind):
    told = maya.remember("The mill grinds rye", source=kind)

    assert told.source is kind
    assert told.status is (Status.PROVISIONAL if kind is AGENT else Status.ACTIVE)


@requirement("E30", "E82")
def test_a_guess_lives_thirty_days_unless_others_say_it_too(house):
    agents = [house.bind(agent=agent, voice="agent") for agent in ("aria", "bard", "cleo")]
    said = "The ferry sails at {}"
    left, kept = (agents[0].remember(said.format(hour)).id for hour in ("eight", "nine"))
    before = agents[0].get(kept).record
    outcomes = [agents[0].remember(said.format("nine")).outcome]
    house.clock.advance(days=29)
    found = [sorted(ids(agents[0].recall("When does the ferry sail?")))]
    outcomes += [agent.remember(said.format("nine")).outcome for agent in agents[1:]]
    house.clock.advance(days=1, hours=1)
    found.append(ids(agents[0].recall("When does the ferry sail?")))
    house.clock.advance(days=300)
    found.append(ids(agents[0].recall("When does the ferry sail?")))
    after = agents[0].get(kept).record

    assert outcomes == ["already_reinforced", "reinforced", "reinforced"]
    assert found == [sorted([left, kept]), [kept], [kept]]
    assert set(ids(agents[0].recall("When does the ferry sail?", as_of=MARCH + DAY))) == {left, kept}
    assert agents[0].get(left).record.ends_at == agents[0].get(left).record.created_at + 30 * DAY
    assert (before.status, before.usage.confidence, before.usage.evidence_count) == (Status.PROVISIONAL, 0.6, 1)
    assert (after.status, after.usage.confidence, after.usage.evidence_count) == (Status.ACTIVE, 0.8, 3)
    assert (before.ends_at, after.ends_at) == (before.created_at + 30 * DAY, None)


@requirement("E51")
def test_an_event_is_appended_with_its_time_and_replaces_nothing(house, maya):
    first, second = (
        know(
            maya,
            "Maya swam across the lake",
            type="event",
            event_at=MARCH + day * DAY,
            subject="Maya",
            attribute="swim",
        )
        for day in (0, 5)
    )
    know(maya, "Maya did not swim across the lake", type="event", subject="Maya", attribute="swim")
    again = know(
        maya, "Maya swam across the lake", type="event", event_at=MARCH + 5 * DAY, subject="Maya", attribute="swim"
    )
    house.clock.advance(days=40)
    found = maya.recall("When did Maya swim across the lake?")
    window = maya.recall("When did Maya swim across the lake?", since=MARCH + DAY, until=MARCH + 6 * DAY)

    assert (again, len({first, second})) == (second, 2)
    assert {first, second} <= set(ids(found))
    assert [item.event_at for item in window.items] == [MARCH + 5 * DAY]
    assert {maya.get(item).record.status for item in (first, second)} == {Status.ACTIVE}
    with pytest.raises(InvalidInput, match="forgotten by id"):
        know(maya, "Maya swam across the lake", type="event", polarity="retract")


@requirement("E52", "D2")
def test_a_procedure_has_versions_and_is_written_on_purpose_only(house, maya):
    about = {"subject": "release", "attribute": "steps"}
    with maya.session("talk") as session:
        session.turn("To release: run the tests, tag, push.")
    first = maya.remember("Run the tests, then tag", type="procedure", **about)
    fact = maya.remember("Run the tests, then tag", subject="release")
    house.clock.advance(days=1)
    second = maya.remember("Run the tests, tag, then push", type="procedure", **about)
    found = maya.recall("How is a release made?", kinds=(Kind.PROCEDURAL,))

    assert (first.outcome, fact.outcome, second.superseded) == ("created", "created", (first.id,))
    assert [(item.id, item.type) for item in found.items] == [(second.id, "procedure")]
    assert "freshness" not in found.items[0].explanation.parts
    assert maya.get(fact.id).record.status is Status.ACTIVE
    assert maya.recall("How is a release made?", kinds=(Kind.SEMANTIC,)).items[0].id == fact.id


@requirement("E58", "E59")
@pytest.mark.parametrize(("old", "new"), [*itertools.product(SourceKind, SourceKind)])
def test_a_source_replaces_what_it_equals_or_outranks_and_contradicts_the_rest(house, maya, old, new):
    ranks = {USER: 4, SYSTEM: 3, TOOL: 2, SourceKind.SESSION_SUMMARY: 2, AGENT: 1} | dict.fromkeys(
        (SourceKind.DOCUMENT, SourceKind.IMPORT), 2
    )
    first = maya.remember("Maya works at Alder", source=old, **JOB)
    house.clock.advance(days=1)
    second = maya.remember("Maya works at Birch", source=new, **JOB)
    replaced = ranks[new] >= ranks[old]

    assert ranks == RANK
    assert second.superseded == ((first.id,) if replaced else ())
    assert second.conflicts == (() if replaced else (first.id,))
    assert (maya.get(first.id).record.status is Status.SUPERSEDED) is replaced


@requirement("D31")
def test_a_contradiction_keeps_both_sides_marked_and_the_better_source_first(house, maya):
    told = maya.remember("The bridge opens at seven", source=SYSTEM, subject="bridge", attribute="opening")
    house.clock.advance(days=1)
    claim = maya.remember("The bridge opens at nine", source=AGENT, subject="bridge", attribute="opening")
    result = maya.recall("When does the bridge open?")
    trace = maya.trace(result.trace_id).trace

    assert (claim.outcome, claim.conflicts, claim.superseded) == ("conflict", (told.id,), ())
    assert ids(result) == [told.id, claim.id]
    assert [item.conflicts for item in result.items] == [(claim.id,), (told.id,)]
    assert {told.id, claim.id} <= set(trace.returned)
    assert "eight" not in result.rendered


@requirement("E60", "E61", "A84")
@pytest.mark.parametrize("status", [status for status in Status if status is not Status.PROPOSED])
def test_only_provisional_and_active_records_are_read_and_no_index_forgets_the_others(house, maya, status):
    kept = know(maya, "The orchard has forty pear trees")
    index = [counted(maya, table) for table in ("posting", "name_entry", "vector")]
    before = house.clock.advance(days=1)
    house.clock.advance(days=1)
    with stored(maya) as work:
        way = {Status.PROVISIONAL: (Status.EXPIRED, Status.PROVISIONAL), Status.ACTIVE: ()}.get(status, (status,))
        for step in way:
            work.records.set_status(kept, StatusSpan(step, work.recorded_at, reason="a test"))
    house.clock.advance(days=1)
    asked = "How many pear trees are in the orchard?"
    read = {Status.PROVISIONAL, Status.ACTIVE}

    assert ids(maya.recall(asked)) == ([kept] if status in read else [])
    assert ids(maya.recall(asked, include_superseded=True)) == (
        [kept] if status in read | {Status.SUPERSEDED, Status.EXPIRED} else []
    )
    assert ids(maya.recall(asked, as_of=before, known_at=before)) == [kept]
    assert [counted(maya, table) for table in ("posting", "name_entry", "vector")] == index
    if status is Status.DELETED:
        with pytest.raises(NotFound):
            maya.get(kept)
    else:
        assert [span.status for span in maya.get(kept, history=True).record.history][-1] is status


@requirement("E62")
def test_an_erased_record_leaves_a_standing_and_nothing_to_find(maya):
    kept = maya.remember("The orchard has forty pear trees", subject="orchard").id
    maya.forget(kept)
    hidden = counted(maya, "posting")
    receipt = maya.forget(kept, mode="erase")
    (standing,) = rows_of(maya._parts.store, "select status from status_event where record_id = ?", [kept])

    assert hidden > 0
    assert receipt.complete
    assert (standing, counted(maya, "tombstone")) == (("deleted",), 1)
    for table in ("posting", "name_entry", "name_gram", "vector", "vector_segment", "version", "turn", "record"):
        assert counted(maya, table) == 0, table
    assert maya.recall("How many pear trees?").items == ()
    with pytest.raises(NotFound):
        maya.get(kept)


@requirement("P11", "E82")
def test_however_often_and_at_once_it_is_said_one_record_holds_it(house):
    bound = [house.open().bind("maya", f"agent{number}", voice="agent") for number in range(4)]
    told: list[str] = []

    def say(memory: BoundMemory) -> None:
        told.extend(memory.remember("The mill grinds rye", subject="mill").id for _ in range(3))

    threads = [threading.Thread(target=say, args=(memory,)) for memory in bound]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record = bound[0].get(told[0]).record

    assert (len(told), len(set(told))) == (12, 1)
    assert (counted(bound[0], "record"), record.usage.evidence_count) == (1, 4)
    assert (record.status, ids(bound[0].recall("What does the mill grind?"))) == (Status.ACTIVE, [record.id])
