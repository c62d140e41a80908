"""What was searched for is an event with its query, its matches and their sources, and lasts as long as its words."""

from __future__ import annotations

import pytest

from bethink.domain.scope import Sensitivity
from bethink.domain.source import SourceKind
from bethink.errors import InvalidInput, StoreError
from bethink.operations.reads import MatchSource
from tests.behaviour.house import MARCH, counted, ids, know
from tests.behaviour.requirements import requirement


@requirement("D13")
def test_a_search_emits_an_event_with_its_query_matches_and_sources(house, maya):
    with maya.session("talk") as talk:
        turn = talk.turn("The kiln is fired on Mondays.").ids[0]
    page = know(maya, "The kiln reaches 1200 degrees", source=SourceKind.DOCUMENT, source_ref="https://kiln.example")
    house.clock.advance(hours=1)
    written = counted(maya, "event")
    asked = house.bind(session="talk").recall("What about the kiln?")
    (event,) = maya.reads().reads

    assert set(ids(asked)) == {turn, page}
    assert (event.kind, event.id, event.query) == ("memory.read", asked.trace_id, "What about the kiln?")
    assert (event.match_ids, event.session, event.at) == (tuple(ids(asked)), "talk", house.clock.now())
    assert set(event.sources) == {
        MatchSource(turn, SourceKind.USER_STATEMENT, turn, turn),
        MatchSource(page, SourceKind.DOCUMENT, "https://kiln.example"),
    }
    assert [source.id for source in event.sources] == list(event.match_ids)
    assert counted(maya, "event") == written


@requirement("D13")
def test_who_asks_on_from_the_last_event_gets_each_event_once(house, maya):
    know(maya, "The kiln is hot")
    asked = []
    for number in range(5):
        house.clock.advance(seconds=1)
        asked.append(maya.recall(f"Is kiln {number} hot?").trace_id)
    seen, after = [], None
    while page := maya.reads(after=after, limit=2).reads:
        seen += [event.id for event in page]
        after = page[-1].id
    later = maya.recall("And now?")

    assert seen == asked
    assert maya.reads(after=after).reads[0].id == later.trace_id
    assert maya.reads(after=later.trace_id).next == later.trace_id


def test_an_empty_answer_is_an_event_with_its_reason(maya):
    know(maya, "The kiln is hot")
    maya.recall("Which boat?", max_items=0)
    (event,) = maya.reads().reads

    assert (event.match_ids, event.sources, event.empty_reason) == ((), (), "count_zero")


def test_nobody_follows_the_reads_of_another(house, maya):
    know(maya, "The kiln is hot")
    maya.recall("Is the kiln hot?")
    house.bind(ceiling=Sensitivity.RESTRICTED, session="open").recall("Is the kiln restricted?")

    assert house.bind("noor").reads().reads == ()
    assert house.bind(agent="other").reads().reads == ()
    assert [event.query for event in maya.reads().reads] == ["Is the kiln hot?"]
    assert maya.reads(session="open").reads == ()


def test_an_erased_answer_leaves_an_event_without_words_or_sources(house, maya):
    item = know(maya, "The kiln is hot")
    asked = maya.recall("Is the kiln hot?")
    maya.forget(item, mode="stop")
    hidden = maya.reads().reads[0]
    maya.forget(item, mode="erase")
    (event,) = maya.reads().reads

    assert (hidden.match_ids, hidden.sources) == ((item,), ())
    assert (event.id, event.erased, event.query, event.match_ids) == (asked.trace_id, True, "", (item,))
    assert event.sources == ()


def test_what_was_learned_in_another_project_keeps_its_source(house):
    kiln = house.bind(project="kiln")
    item = know(kiln, "The kiln is hot", portability=None)
    house.clock.set(MARCH)
    asked = kiln.recall("Is the kiln hot?")

    assert ids(asked) == [item]
    assert [source.id for source in house.bind(project="loom").reads().reads[0].sources] == [item]


@requirement("D13")
def test_a_search_of_documents_is_an_event_with_the_documents_as_sources(house, maya):
    first = maya.documents.add(text="# Kiln\nThe kiln is fired slowly.", name="kiln.md").added[0].id
    found = maya.documents.search("How is the kiln fired?")
    (event,) = maya.reads().reads

    assert (event.id, event.query, event.match_ids) == (found.trace_id, "How is the kiln fired?", (f"{first}#1",))
    assert event.sources == (MatchSource(f"{first}#1", SourceKind.DOCUMENT, "kiln.md"),)
    assert house.bind("noor").reads().reads == ()
    assert house.bind(channel="mail").reads().reads == ()

    maya.documents.forget("kiln.md")
    (gone,) = maya.reads().reads
    assert (gone.erased, gone.query, gone.sources) == (True, "", ())


def test_a_source_that_is_a_document_above_the_ceiling_is_not_named(house):
    high = house.bind(ceiling=Sensitivity.SECRET)
    item = high.documents.add(text="The kiln is hot.", name="k.md", sensitivity=Sensitivity.NORMAL).added[0].id
    low = house.bind()
    low.documents.search("Is the kiln hot?")
    assert [one.id for one in low.reads().reads[0].sources] == [f"{item}#1"]
    high.documents.add(text="The kiln is hot.", name="k.md", sensitivity=Sensitivity.SECRET)

    assert low.reads().reads[0].sources == ()
    assert [one.id for one in high.reads().reads[0].sources] == [f"{item}#1"]


@requirement("D13")
def test_a_snapshot_is_an_event_with_its_goal_and_a_delta_is_one_without_words(house, maya):
    with maya.session("talk") as talk:
        talk.turn("Hello there.", role="user")
        liked = know(maya, "I like blue glaze", type="preference")
        frozen = talk.snapshot("Plan the kiln week")
        house.clock.advance(minutes=1)
        new = know(maya, "I like green glaze", type="preference")
        delta = talk.delta()
    taken, changed = maya.reads(session="talk").reads

    assert (taken.id, taken.moment, taken.query) == (frozen.trace_id, "snapshot", "Plan the kiln week")
    assert (taken.match_ids, [one.id for one in taken.sources]) == ((liked,), [liked])
    assert (changed.id, changed.query, changed.match_ids) == (delta.changes.trace_id, "", (new,))
    assert house.bind("noor").reads().reads == ()

    maya.forget(liked, mode="erase")
    again = maya.reads(session="talk").reads[0]
    assert (again.erased, again.query, again.sources) == (True, "", ())


@pytest.mark.parametrize("fields", [{"limit": 0}, {"limit": 501}, {"after": ""}, {"session": "a/b"}])
def test_what_lists_nothing_is_refused(maya, fields):
    with pytest.raises(InvalidInput):
        maya.reads(**fields)


def test_a_closed_store_says_so_and_never_that_nothing_was_asked(house, maya):
    know(maya, "The kiln is hot")
    asked = maya.recall("Is the kiln hot?").trace_id
    house.close()

    for read in (maya.reads, lambda: maya.trace(asked), lambda: maya.view(asked), lambda: maya.why(asked, asked)):
        with pytest.raises(StoreError, match="closed"):
            read()
    house.close()
