"""What is lost with an erase: the words that stand in nothing else of the tenant, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.entity import Entity
from bethink.domain.record import Status
from bethink.domain.source import Evidence, Source, SourceKind
from bethink.store.index import SearchIndex
from bethink.testing.fakes import CountingIds, ManualClock
from bethink.text.analyse import analyse
from bethink.text.language import language_named
from tests.databases import rows_of
from tests.store.things import ANN, BOB, TENANT, Things, content

WORDS = ("kiln", "stoves", "zanzibar-7319", "the", "plum", "jam", "東京に", "node2")


def terms(*texts: str) -> set[str]:
    """Their terms, function words left out."""
    found = {term for text in texts for term in analyse(text, "english")}
    return found - language_named("english").function_words


def lost(things: Things, *ids: str) -> frozenset[str]:
    """The terms lost with these."""
    return things.store.lost(things.tenant, ids, deadline=5).terms


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
            st.sampled_from((ANN, BOB)),
            st.booleans(),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sets(st.integers(0, 5)),
)
def test_the_lost_terms_are_those_of_the_erased_and_of_nothing_that_stays(database, said, chosen):
    with database.passing() as place:
        clock = ManualClock()
        store = database.store(place, (clock, CountingIds(), SearchIndex("english")))
        things = Things(store, clock)
        ids = [
            things.say(f"{text} {at}", scope=scope, session=scope.id)[0].id
            if turn
            else things.remember(f"{text} {at}", scope=scope).id
            for at, (text, scope, turn) in enumerate(said)
        ]
        gone = [at for at in range(len(said)) if at in chosen]
        stays = terms(*(f"{text} {at}" for at, (text, *_) in enumerate(said) if at not in gone))
        stays |= terms("Ann") if any(turn for at, (_, _, turn) in enumerate(said) if at not in gone) else set()
        goes = terms(*(f"{said[at][0]} {at}" for at in gone), *("Ann" for at in gone if said[at][2]))
        planned = store.lost(TENANT, [ids[at] for at in gone], deadline=5)
        erased = store.erase(TENANT, [ids[at] for at in gone], clock.now(), deadline=5)
        store.close()

    assert planned.terms == erased.lost.terms == goes - stays
    assert erased.lost.texts == planned.texts == tuple(dict.fromkeys(f"{said[at][0]} {at}" for at in gone))


def test_subjects_tags_names_and_earlier_versions_count_and_days_do_not(things):
    with things.work() as work:
        work.entities.add(Entity("e1", "person", "Obscurantia", ANN, ("Obsy",)), work.recorded_at)
    written = things.remember(
        "it is so", subject="Quillfeather", tags=("marmalady",), record={"entities": (("e1", "about"),)}
    )
    with things.work() as work:
        work.records.add_version(written.id, things.get([written.id])[0].content, work.recorded_at)

    assert lost(things, written.id) >= terms("Quillfeather marmalady Obscurantia Obsy")
    assert lost(things, written.id).isdisjoint(terms("2026 January thursday it is so"))


OTHER = {
    "attribute": "xylophonic",
    "file_path": "notes/gubernatorix.md",
    "source": Source(SourceKind.DOCUMENT, "https://pier.example/Quillfeather", "cli", evidence=Evidence("marmalady")),
    "metadata": {"Zanzibar": {"deep": ["obsidianite", 7319, True, None]}},
}
"""A word in every text of a statement that no search finds it by."""


def test_the_words_of_every_other_field_count_where_they_stand_in_no_other(things):
    written = things.remember("it is so", **OTHER)
    every = terms("xylophonic gubernatorix notes md Quillfeather marmalady Zanzibar deep obsidianite 7319")

    assert lost(things, written.id) >= every
    things.remember("it was so", attribute="xylophonic", metadata={"a": "Zanzibar, deep"})
    things.remember("notes of the obsidianite")
    assert lost(things, written.id) >= every - terms("xylophonic Zanzibar deep notes obsidianite")
    assert lost(things, written.id).isdisjoint(terms("xylophonic Zanzibar deep notes obsidianite"))


@pytest.mark.parametrize("name", list(OTHER))
def test_a_field_says_its_words_in_earlier_versions_too(things, name):
    written = things.remember("it is so", **{name: OTHER[name]})
    with things.work() as work:
        work.records.add_version(written.id, content("it is so"), work.recorded_at)

    assert lost(things, written.id)
    assert lost(things, things.remember("it is so").id) == set()


def test_references_that_hold_ids_alone_say_nothing(things):
    (turn,) = things.say("it rained")
    source = Source(SourceKind.USER_STATEMENT, f"turn:{turn.id}", "cli", evidence=Evidence("it rained", turn.id, 0, 9))
    written = things.remember("so it is", source=source)
    system = things.remember("so it is", source=Source(SourceKind.SYSTEM, "system:ann", "cli"))

    assert lost(things, written.id, system.id) == set()


def test_a_word_of_such_a_field_is_looked_for_in_the_latest_versions_alone(things, monkeypatch):
    monkeypatch.setattr("bethink.store.lost.LOOKED_AT", 2)
    things.remember("one", attribute="xylophonic")
    written = things.remember("two", attribute="xylophonic")
    things.remember("three", attribute="city")

    assert lost(things, written.id).isdisjoint(terms("xylophonic"))
    things.remember("four", attribute="city")
    assert lost(things, written.id) >= terms("xylophonic")


def test_damaged_fields_do_not_keep_a_record_from_being_erased(things):
    written, other = things.remember("it is so", metadata={"a": "plum"}), things.remember("it was so")
    for item, text in ((written, '{"zanzibar'), (other, "[")):
        rows_of(things.store, "update version set metadata = ? where key = ?", (text, item.key))

    assert lost(things, written.id) == terms("zanzibar")
    assert things.store.erase(TENANT, [written.id], things.clock.now(), deadline=5).lost.terms == terms("zanzibar")


def test_the_day_of_another_entry_is_no_place_for_a_word(things):
    written, dated = things.remember("since January"), things.remember("it rained")

    assert things.clock.now().month == 1
    assert lost(things, written.id) == terms("since January")
    things.remember("until January")
    assert (lost(things, written.id), lost(things, dated.id)) == (terms("since"), terms("it rained"))


def test_a_hidden_record_still_holds_its_words_and_another_tenant_s_does_not(things, clock):
    mine, hidden = things.remember("zanzibar"), things.remember("zanzibar again", scope=BOB)
    things.set_status(hidden.id, Status.DELETED, reason="stopped")
    Things(things.store, clock, tenant="other").remember("nairobi")
    other = things.remember("nairobi")

    assert lost(things, mine.id) == set()
    assert lost(things, mine.id, hidden.id) == terms("zanzibar again")
    assert lost(things, other.id) == terms("nairobi")
    assert lost(things, "unknown") == set()


def test_two_erases_at_once_leave_neither_s_common_word(things, clock):
    first, second = things.remember("zanzibar one"), things.remember("zanzibar two")
    planned = lost(things, first.id), lost(things, second.id)
    found = [things.store.erase(TENANT, [item.id], clock.now(), deadline=5).lost.terms for item in (first, second)]

    assert ["zanzibar" in terms for terms in (*planned, *found)] == [False, False, False, True]


def test_whoever_read_the_store_before_counts_as_under_way(things, clock):
    written = things.remember("zanzibar")
    with things.store.snapshot(TENANT) as snapshot:
        before = snapshot.position
    planned = things.store.lost(TENANT, [written.id], deadline=5)
    erased = things.store.erase(TENANT, [written.id], clock.now(), deadline=5)
    with things.store.snapshot(TENANT) as snapshot:
        after = snapshot.position

    assert before < planned.before <= after
    assert before < erased.lost.before <= after
