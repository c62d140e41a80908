from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.session.planning import MOST, planned

LACKING = {
    "How do I like my coffee?": "preference",
    "Who is my sister married to?": "relationship_or_event",
    "Where do I live?": "personal",
    "What fuel should I use for my car?": "personal",
    "Which database did we decide on?": "prior_decision",
    "Write the release notes as agreed.": "prior_decision",
    "Are we allowed to deploy on Fridays?": "constraint",
    "Keep it within the travel budget.": "constraint",
    "Let's continue.": "task_state",
    "Where were we?": "task_state",
    "What did I tell you about the harbour?": "relationship_or_event",
    "Book us a table for Friday night.": "preference",
}
"""Turns that an answer without memory would have to guess at, and what is missing."""

ORDINARY = (
    "Thanks!",
    "What is the capital of France?",
    "Write a poem about the sea.",
    "2 + 2",
    "Translate this sentence into Spanish: the kiln is hot.",
    "Explain how a kiln works.",
    "Sort these numbers: 3, 1, 2.",
    "When did the Berlin wall fall?",
    "",
)
"""Turns that need no memory."""


@pytest.mark.parametrize(("turn", "kind"), LACKING.items())
def test_a_turn_that_leaves_something_open_has_a_gap_of_its_kind(turn, kind):
    assert [gap.kind for gap in planned(turn)] == [kind]


@pytest.mark.parametrize("turn", ORDINARY)
def test_an_ordinary_turn_has_none(turn):
    assert planned(turn) == ()


def test_a_name_is_a_gap_where_memory_knows_it():
    (gap,) = planned("Draft an invitation for Zoë Keller.", {"zoë keller"})

    assert (gap.kind, gap.reason) == ("relationship_or_event", "it names what memory knows")
    assert planned("Draft an invitation for Zoë Keller.") == ()


def test_each_sentence_has_one_gap_and_a_turn_three_at_most():
    turn = "Where do I live? Thanks! How do I like my coffee? Where were we? Which car did we pick?"
    gaps = planned(turn)

    assert [gap.question for gap in gaps] == ["Where do I live?", "How do I like my coffee?", "Where were we?"]
    assert len(gaps) == MOST


@given(st.text(max_size=300))
def test_whatever_is_said_there_are_at_most_three_gaps_and_their_questions_are_the_turn_s_own_words(text):
    gaps = planned(text)

    assert len(gaps) <= MOST
    assert all(gap.question in " ".join(text.split()) for gap in gaps)
