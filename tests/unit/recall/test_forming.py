"""What a question asks of its user's profile and possessions, clause by clause, by rules alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.domain.query import Query
from bethink.operations.recall import RecallRequest
from bethink.ports.search import NamedEntity
from bethink.recall.forming.aliases import MAX_ALIASES, with_aliases
from bethink.recall.forming.clauses import LIMIT, clauses
from bethink.recall.query import TextFormer
from bethink.text.owning import OPENING, says_owning

PREFERENCE, RELATION, ATTRIBUTE = ("preference",), ("relationship",), ("user_attribute",)
OWNED = ("user_attribute", "resource")
ROUTINE = ("preference", "user_attribute")


def form(text: str, **change: object) -> Query:
    return TextFormer().form(RecallRequest(text, **change))


@requirement("A64")
@pytest.mark.parametrize(
    ("question", "types"),
    [
        ("What food do I like?", PREFERENCE),
        ("Do I prefer tabs or spaces?", PREFERENCE),
        ("What is my favourite colour?", PREFERENCE),
        ("Tell me about my preferences.", PREFERENCE),
        ("Who is my sister?", RELATION),
        ("What is my boss like?", RELATION),
        ("Am I married?", RELATION),
        ("How many kids do I have?", RELATION),
        ("Who am I?", ATTRIBUTE),
        ("Where do I live?", ATTRIBUTE),
        ("What's my phone number?", ATTRIBUTE),
        ("How old am I?", ATTRIBUTE),
        ("By the way, what is my address?", ATTRIBUTE),
        ("Which vehicle do I drive?", OWNED),
        ("Do I have a car?", OWNED),
        ("What does the user like to eat?", PREFERENCE),
        ("Where does the user live?", ATTRIBUTE),
    ],
)
def test_a_question_about_oneself_asks_for_the_type_it_names(question, types):
    assert form(question).types == types


@requirement("A66")
@pytest.mark.parametrize(
    ("question", "types"),
    [
        ("Who is my sister and what is my favourite colour?", ("preference", "relationship")),
        ("What are my sister's name and my favourite colour?", ("preference", "relationship")),
        ("What food do I like and where do I work?", ("preference", "user_attribute")),
        ("Which car should I buy, and who is my boss?", RELATION),
        ("How do I deploy this service? And what tea do I like?", PREFERENCE),
        ("What car do I drive, who is my wife, and what music do I like?", ("preference", "relationship", *OWNED)),
    ],
)
def test_each_clause_of_a_question_keeps_its_own_types(question, types):
    assert form(question).types == types


@requirement("A67")
@pytest.mark.parametrize(
    "question",
    ["When do I usually go running?", "What do I do on Sundays?", "What time do I get up?", "How often do I swim?"],
)
def test_a_routine_is_looked_for_among_preferences_and_attributes(question):
    assert form(question).types == ROUTINE


@requirement("A69")
@pytest.mark.parametrize(
    "question",
    [
        "Which car should I buy?",
        "What should I get my sister for her birthday?",
        "Can you recommend a book I would like?",
        "What do I need to do next?",
        "Would I like this film?",
    ],
)
def test_a_question_for_advice_asks_for_no_profile(question):
    assert form(question).types == ()


@requirement("A70")
@pytest.mark.parametrize(
    ("question", "types"),
    [
        ("How do I deploy this service?", ()),
        ("How can I delete my account?", ()),
        ("How do I like my coffee?", PREFERENCE),
        ("How do I usually commute?", ROUTINE),
        ("How do I prefer my eggs?", PREFERENCE),
    ],
)
def test_a_way_to_do_something_asks_for_a_profile_only_by_what_it_says_of_the_user(question, types):
    assert form(question).types == types


@pytest.mark.parametrize("text", ["I like my coffee black.", "When did Ann call?", "Where does Ann live?", "Ann's car"])
def test_what_is_told_and_what_is_asked_of_others_asks_for_no_profile(text):
    assert (form(text).types, form(text).owned) == ((), False)


@requirement("A72")
@pytest.mark.parametrize(
    ("text", "owned"),
    [
        ("What fuel should I use for my car?", True),
        ("How do I clean my old bike?", True),
        ("Is that laptop mine?", True),
        ("Who is my sister?", False),
        ("How do I like my coffee?", False),
        ("What is my name?", False),
        ("In my opinion it rains.", False),
        ("Which car should I buy?", False),
        ("Her car is red", False),
    ],
)
@pytest.mark.parametrize("moment", ["tool", "in_turn"])
def test_a_possessive_asks_for_what_the_user_owns_and_no_relation_taste_or_trait_does(text, owned, moment):
    assert form(text, moment=moment).owned is owned


@requirement("A73")
@pytest.mark.parametrize("text", ["user car", "owner vehicle", "user's laptop model"])
def test_keywords_that_name_the_user_ask_for_it_where_memory_is_searched_on_purpose(text):
    assert form(text).owned
    assert not form(text, moment="in_turn").owned


@pytest.mark.parametrize("text", ["the user table has an index", "How does a user log in?"])
def test_a_sentence_that_mentions_a_user_is_no_keyword_search(text):
    assert not form(text).owned


@requirement("A76")
def test_relations_and_likings_stay_anchored_beside_what_is_owned():
    both = form("What tyres fit my car, who is my sister and what food do I like?")

    assert (both.types, both.owned) == (("preference", "relationship"), True)


@requirement("A71")
def test_a_snapshot_asks_for_no_profile_and_the_caller_can_ask_for_owned_things_or_not():
    question = "What fuel does my car need and what food do I like?"
    snapshot = form(question, moment="snapshot", include_owned_resources=True)

    assert (snapshot.types, snapshot.owned) == ((), False)
    assert not form(question, include_owned_resources=False).owned
    assert form("harbour", include_owned_resources=True).owned


def test_the_rules_read_english_and_no_other_language():
    request = RecallRequest("Where do I park my car?")

    assert TextFormer("none").form(request) == TextFormer("none").form(request)
    assert TextFormer("none").form(request).owned
    assert not TextFormer("german").form(request).owned


@requirement("A74")
@pytest.mark.parametrize(
    ("text", "owning"),
    [
        ("User has a 2026 Aster S8", True),
        ("The user drives a Volvo", True),
        ("user  OWNS red shoes", True),
        ("User uses assisted steering", True),
        ("I drive a Volvo", True),
        ("User has never owned a car", False),
        ("User has no car", False),
        ("User has sold the car", False),
        ("User has recently replaced the car", False),
        ("User has to go", False),
        ("User does not own a car", False),
        ("User used a Mac", False),
        ("User previously drove a Volvo", False),
        ("User likes cars", False),
        ("Bob drives a Volvo", False),
        ("A user has a Volvo", False),
        ("drives a Volvo", False),
    ],
)
def test_a_statement_of_owning_begins_with_the_user_and_owns_now(text, owning):
    assert says_owning(None, text) is owning


def test_a_statement_about_the_user_may_begin_with_the_verb_and_a_retraction_states_nothing():
    assert says_owning("User", "drives a Volvo")
    assert not says_owning("Bob", "drives a Volvo")
    assert not says_owning("User", "drives a Volvo", "retract")


@given(st.text(max_size=400), st.text(max_size=400))
def test_only_the_opening_of_a_statement_counts(text, more):
    assert says_owning(None, text[:OPENING]) == says_owning(None, text[:OPENING].ljust(OPENING) + more)


@given(st.text("myicarfo,.? andwhtsdlke'\u2019", max_size=3 * LIMIT))
def test_clauses_are_bounded_single_spaced_and_repeat_themselves(text):
    found = clauses(text)

    assert found == clauses(text)
    assert sum(len(clause.text) for clause in found) <= 2 * LIMIT
    assert all(clause.text == " ".join(clause.text.split()) for clause in found)


@requirement("A59")
@pytest.mark.parametrize("moment", ["in_turn", "passive"])
def test_a_message_that_says_too_little_alone_is_not_embedded_unless_memory_was_asked(moment):
    assert form("Can you redo that?", moment=moment).vague
    assert not form("Can you redo that?").vague
    assert not form("Can you redo that?", moment=moment, objective="Plan the Lisbon trip").vague
    assert not form("Can you redo the Lisbon trip?", moment=moment).vague
    assert not form("Tell me about Rome", moment=moment).vague
    assert not form("Fix deploy.yml", moment=moment).vague


@requirement("A60")
def test_other_names_of_what_is_named_stand_behind_its_own():
    named = [NamedEntity("E1", "acme", "user:ann"), NamedEntity("E2", "rex", "user:ann")]
    others = [*named, NamedEntity("E1", "acme corp", "user:ann"), NamedEntity("E2", "the dog", "user:ann")]
    query = Query("", names=("acme", "rex"), subjects=("acme",))

    found = with_aliases(query, named, others)
    assert found.subjects == ("acme", "acme corp")
    assert found.names == ("acme", "rex", "acme corp", "the dog")
    assert found.aliases == ("acme corp", "the dog")
    assert with_aliases(query, named, named) is query
    many = [NamedEntity("E1", f"acme {number}", "user:ann") for number in range(500)]
    assert len(with_aliases(query, named, many).names) == 2 + MAX_ALIASES
