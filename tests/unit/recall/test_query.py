"""Forming a query: rules alone, deterministic, and a typed refusal of what asks nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest
from bethink.recall.query import MAX_NAMES, QUERY_LIMIT, TextFormer, intent, names
from bethink.text.analyse import MAX_QUERY_TERMS

FORMER = TextFormer()


def form(text: str = "", **change: object):
    return FORMER.form(RecallRequest(text, **change))


@requirement("P72")
@pytest.mark.parametrize("text", ["", "   ", "\n\t "])
def test_blank_text_that_names_nothing_is_refused_with_a_remedy(text):
    with pytest.raises(InvalidInput, match="Pass a question"):
        form(text)


@pytest.mark.parametrize("text", ["nul \x00 inside", "half \ud800 a pair", "x" * 16_001])
def test_text_no_store_can_hold_is_refused(text):
    with pytest.raises(InvalidInput):
        form(text)


def test_an_unknown_type_is_refused():
    with pytest.raises(InvalidInput, match="is none of"):
        form("Ann", type_hints=("gossip",))


def test_a_subject_or_a_type_alone_is_a_question():
    assert form(subjects=("  Ann   Smith ",)).subjects == ("ann smith",)
    assert form(type_hints=("preference",)).types == ("preference",)


@requirement("A92", "A93")
def test_a_question_of_function_words_searches_no_words_and_says_so():
    query = form("what is it about?", subjects=("Ann",))

    assert query.terms == ()
    assert query.function_words_only
    assert query.subjects == ("ann",)
    assert "ann" in query.names


@requirement("A92")
def test_negation_is_no_function_word():
    assert "not" in form("Is Ann not at home?").terms


def test_the_message_is_never_searched_alone_beside_working_state():
    request = RecallRequest("and then?", objective="Plan the Lisbon trip", open_questions=("Which hotel?",))
    text, cut = intent(request)

    assert cut == 0
    assert text == "Plan the Lisbon trip\nWhich hotel?\nand then?"
    assert "lisbon" in form("and then?", objective="Plan the Lisbon trip").terms


def test_a_message_stays_whole_however_much_stands_around_it():
    request = RecallRequest("Which kiln?", objective="o" * 9_000, open_questions=("q" * 9_000, "r" * 9_000))
    text, cut = intent(request)

    assert text.endswith("\nWhich kiln?")
    assert len(text) == QUERY_LIMIT
    assert cut == 9_000 * 3 + 2 - (QUERY_LIMIT - len("\nWhich kiln?"))
    assert intent(RecallRequest("m" * QUERY_LIMIT, objective="Plan")) == ("m" * QUERY_LIMIT, len("Plan"))
    assert "kiln" in form("Which kiln?", objective="o" * 9_000, open_questions=("q" * 9_000,)).terms


def test_names_are_runs_of_words_folded_and_without_the_possessive():
    found = list(names("When did Caroline's friend Ann Smith visit the Red House?"))

    assert {"caroline", "ann smith", "red house", "friend ann smith"} <= set(found)
    assert "the red house" not in found
    assert "when did" not in found
    assert found.index("caroline") < found.index("friend")


def test_a_name_that_is_a_function_word_in_capitals_is_kept():
    assert "the who" in names("Did Ann hear The Who live?")


@requirement("P69", "B159")
def test_a_long_question_keeps_its_identifiers_and_says_what_it_cut():
    words = " ".join(f"word{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10]}" for n in range(60))
    query = form(f"{words} deploy.yml")

    assert len(query.terms) == MAX_QUERY_TERMS
    assert "deploy.yml" in query.terms
    assert len(query.cut_terms) > 20
    assert not set(query.cut_terms) & set(query.terms)


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("When did Caroline go to the support group?", True),
        ("What did Ann say about the cello?", True),
        ("How long ago was the trip?", True),
        ("What happened last week?", True),
        ("Did Ann call?", True),
        ("What is Ann's favourite colour?", False),
        ("Which car should I buy?", False),
        ("Ann's preferences", False),
    ],
)
def test_a_question_about_what_happened_is_told_from_one_about_what_is(text, events):
    assert form(text).events is events


@given(st.text(max_size=300))
def test_forming_is_bounded_and_repeats_itself(text):
    try:
        query = form(text, subjects=("Ann",))
    except InvalidInput:
        return
    assert query == form(text, subjects=("Ann",))
    assert len(query.terms) <= MAX_QUERY_TERMS
    assert len(query.names) <= MAX_NAMES + 1
