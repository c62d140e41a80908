"""An index of words answers to the analyser that made it, and to no other in silence."""

from __future__ import annotations

import json

import pytest

from bethink.domain.query import FieldWeights, Query
from bethink.errors import InvalidInput
from bethink.settings import StoreSettings
from bethink.store.sqlite_store import open_sqlite
from bethink.testing.fakes import CountingIds
from bethink.text.analyse import analyse_query
from tests.databases import rows_of
from tests.store.things import TENANT, Things

SAID = "Die Häuser am Hafen werden gestrichen"


@pytest.fixture
def open_as(open_store, clock):
    """Open the store under a language."""
    return lambda language: Things(open_store(language), clock)


def found(things: Things, text: str, language: str) -> int:
    """How many entries hold a word of the text, read as the language reads it."""
    with things.store.snapshot(TENANT) as snapshot:
        terms = analyse_query(text, language).terms
        return snapshot.search.lexical(things.fence(), Query(text, terms=terms), FieldWeights()).total


def outdated(things: Things) -> str:
    with things.store.snapshot(TENANT) as snapshot:
        return snapshot.search.outdated


def rebuilds(things: Things) -> list[dict[str, object]]:
    rows = rows_of(things.store, "select payload from event where kind = 'index.rebuilt' order by position, part")
    return [json.loads(payload) for (payload,) in rows]


def test_opening_under_another_language_rebuilds_the_words_once_and_logs_it(open_as):
    first = open_as("english")
    first.say(SAID)
    first.remember("Der Hafen hat drei Becken", subject="Hafen")
    first.store.close()
    german = open_as("german")

    assert found(german, "Haus", "german") == 1
    assert (outdated(german), german.store.check().findings) == ("", ())
    german.store.close()
    again = open_as("german")
    (event,) = rebuilds(again)
    assert "language=german" in event["after"]
    assert "language=english" in event["before"]
    assert (event["postings"] > 6, event["names"]) == (True, 2)


def test_a_store_made_before_analysers_were_noted_is_rebuilt(open_as):
    first = open_as("english")
    first.say("The houses of the port")
    rows_of(first.store, "delete from meta where name = 'analyser'")
    rows_of(first.store, "delete from posting")
    first.store.close()

    assert found(open_as("english"), "house", "english") == 1


def test_who_has_the_store_open_is_told_that_another_rebuilt_it(open_as):
    english = open_as("english")
    english.say(SAID)
    before = outdated(english)
    open_as("german")

    assert before == ""
    assert "another analyser" in outdated(english)
    assert [(finding.place, finding.repairable) for finding in english.store.check().findings] == [("postings", True)]


def test_terms_of_two_analysers_are_no_ones_until_the_next_opening(open_as):
    english = open_as("english")
    english.say("The houses of the port")
    german = open_as("german")
    english.say("The houses on the hill")

    assert outdated(german)
    assert outdated(english)
    last = open_as("english")
    assert found(last, "house", "english") == 2
    assert (outdated(last), last.store.check().findings) == ("", ())


def test_a_repair_makes_the_words_this_analysers(open_as):
    english = open_as("english")
    english.say(SAID)
    german = open_as("german")
    english.say("The houses on the hill")
    german.store.repair()

    assert (outdated(german), german.store.check().findings) == ("", ())


def test_an_unknown_language_is_refused_before_anything_is_made(path, clock):
    with pytest.raises(InvalidInput, match="klingon"):
        open_sqlite(path, settings=StoreSettings(), language="klingon", clock=clock, ids=CountingIds())
    assert not path.exists()
