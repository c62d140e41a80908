"""The rules extractor reads plain first person, and says nothing of anything less."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bethink.domain.scope import Scope, ScopeKind
from bethink.domain.session import Session, Turn
from bethink.formation.extract_rules import RulesExtractor
from bethink.formation.transcript import transcribed
from bethink.operations.extraction import Suggestion

AT = datetime(2026, 3, 4, 10, tzinfo=UTC)
SESSION = Session("s", Scope(ScopeKind.USER, "maya"), "maya", "aria", None, None, AT)


def suggested(text: str, role: str = "user") -> list[Suggestion]:
    """What the rules make of one turn."""
    turn = Turn("t", "s", 0, role, "maya", text, AT, "t")
    return list(RulesExtractor().suggest(transcribed(SESSION, (turn,), 0)).suggestions)


@pytest.mark.parametrize(
    ("text", "content", "kind", "attribute"),
    [
        ("I live in Porto.", "The user lives in Porto.", "user_attribute", "home city"),
        ("Actually, I live in Porto, not Lisbon.", "The user lives in Porto.", "user_attribute", "home city"),
        ("I've lived in Porto since 2019.", "The user has lived in Porto since 2019.", "user_attribute", "home city"),
        ("I moved to Berlin last month.", "The user moved to Berlin last month.", "user_attribute", "home city"),
        ("I work at Kiln & Co.", "The user works at Kiln & Co.", "user_attribute", "employer"),
        ("I'm a paediatric nurse.", "The user is a paediatric nurse.", "user_attribute", "occupation"),
        ("My name is Maya Okafor.", "The user's name is Maya Okafor.", "user_attribute", "name"),
        ("I'm 34 years old.", "The user is 34 years old.", "user_attribute", "age"),
        ("I\u2019m allergic to cats.", "The user is allergic to cats.", "constraint", "allergy to cats"),
        ("I don't eat meat.", "The user does not eat meat.", "constraint", "eat meat"),
        ("I never eat meat.", "The user never eats meat.", "constraint", "eat meat"),
        ("I really love tea!", "The user loves tea.", "preference", "opinion of tea"),
        ("I no longer like tea.", "The user no longer likes tea.", "preference", "opinion of tea"),
        ("I prefer tea over coffee.", "The user prefers tea over coffee.", "preference", "preference coffee or tea"),
        ("I prefer aisle seats.", "The user prefers aisle seats.", "preference", "preferred seats"),
        ("My favourite colour is green.", "The user's favourite colour is green.", "preference", "favourite colour"),
        ("I always take the train to work.", "The user always takes the train to work.", "preference", None),
        ("My sister is called Ana.", "The user's sister is called Ana.", "relationship", "sister"),
        ("Ana is my sister.", "Ana is the user's sister.", "relationship", "sister"),
        ("I have a dog called Rex.", "The user has a dog called Rex.", "fact", "dog"),
        ("My dog is called Max, not Rex.", "The user's dog is called Max.", "fact", "dog"),
        ("I'm flying to Lisbon tomorrow.", "The user is flying to Lisbon tomorrow.", "fact", "plan flying to lisbon"),
        ("We decided to use Postgres for the queue.", "We decided to use Postgres for the queue.", "decision", None),
        ("Our deploy day is Friday.", "The deploy day is Friday.", "project_fact", "deploy day"),
        ("My birthday is 4 May.", "The user's birthday is 4 May.", "user_attribute", "birthday"),
    ],
)
def test_a_plain_statement_is_read(text, content, kind, attribute):
    (found,) = suggested(text)

    assert (found.content, found.type) == (content, kind)
    assert attribute in {None, found.attribute}
    assert found.quote in text


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Porto?",
        "If I lived in Rome I'd be happy.",
        "I think I might move to Rome.",
        "Maybe I live in Rome one day.",
        "I wish I lived in Rome.",
        "I like it.",
        "I love that idea!",
        "I like the first one.",
        "My question is about the invoice.",
        "My code is broken.",
        "I have a question about my account.",
        "I'm going to the market.",
        "I love Rome, just kidding.",
        'My boss always says "I love skiing with my dog".',
        "> I live in Lisbon.",
        "User: I prefer dark mode.",
        "Suppose I live in Rome.",
        "She lives in Porto.",
        "I am so tired.",
        "Thanks, I appreciate the help.",
    ],
)
def test_what_asserts_nothing_lasting_is_passed_over(text):
    assert suggested(text) == []


@pytest.mark.parametrize("role", ["assistant", "tool", "participant"])
def test_only_the_user_speaks_for_the_user(role):
    assert suggested("I live in Porto with two cats.", role) == []


def test_two_plain_clauses_of_a_sentence_are_two_statements_each_with_its_own_words():
    first, second = suggested("I really love Earl Grey tea, but I can't stand coffee.")

    assert (first.content, first.quote) == ("The user loves Earl Grey tea.", "I really love Earl Grey tea")
    assert second.content == "The user can not stand coffee."


def test_a_second_clause_that_takes_the_first_back_lets_neither_pass():
    assert suggested("I live in Porto, but I don't really.") == []
