"""Two processes that read words differently share a store: each says where it falls short, and nothing erased stays."""

from __future__ import annotations

import pytest

from tests.behaviour.requirements import requirement

HARBOUR = "# Hafen\n\nAlle Zanzibarlieferungen kommen am Montag."


@pytest.fixture
def both(house):
    """A process, and a second one under another language, which made the words of the store its own."""
    house.embedder = None
    first = house.open(language="english").bind("maya", "aria", voice="user")
    return first, house.open(language="german").bind("maya", "aria", voice="user")


def add(memory):
    """Keep the one document; its id."""
    return memory.documents.add(text=HARBOUR, name="hafen.md").added[0].id


def test_words_that_another_process_made_for_documents_are_no_ones_in_silence(house, both):
    english, german = both
    before = german.documents.search("Montag?").degraded
    add(english)
    told = [memory.documents.search("Montag?").degraded for memory in both]
    again = house.open(language="german")

    assert (before, told) == (("dense",), [("lexical", "dense")] * 2)
    assert again.bind("maya", "aria").documents.search("Montag?").degraded == ("dense",)
    assert again.check().findings == ()


@requirement("P46")
def test_a_question_loses_a_forgotten_documents_words_though_another_process_made_them(both):
    english, german = both
    document = add(english)
    asked = german.documents.search("Wem gehören Zanzibarlieferungen?")
    other = german.documents.search("Wem gehört der Kran?")
    german.documents.forget(document)

    assert (asked.passages, german.trace(asked.trace_id).trace.erased) == ((), True)
    assert not german.trace(other.trace_id).trace.erased
