"""Entailment: a claim is upgraded only when the quote says it. A wrong yes is a defect, a wrong no a cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.text.entailment import Verdict, entails

SPEAKERS = ("user", "Caroline")

FOLLOWS = [
    ("I moved to Berlin", "User moved to Berlin"),
    ("I moved to Berlin.", "Caroline moved to Berlin."),
    ("I moved to Berlin last spring.", "User moved to Berlin."),
    ("I moved to Berlin last spring", "The user moved to Berlin last spring"),
    ("Last week I moved to Berlin!", "User moved to Berlin"),
    ("Oh, and I just moved to Berlin.", "User moved to Berlin"),
    ("Anna left and I moved to Berlin.", "User moved to Berlin"),
    ("I moved to Berlin because of work", "Caroline moved to Berlin"),
    ("I moved to Berlin and it was great", "User moved to Berlin"),
    ("I went to a LGBTQ support group yesterday and it was so powerful.", "Caroline went to an LGBTQ support group"),
    ("I have two cats", "User has 2 cats"),
    ("I have 3 kids and my sister has two.", "User has three kids"),
    ("I really love hiking", "User loves hiking"),
    ("I'm allergic to peanuts", "User is allergic to peanuts"),
    ("I am a nurse", "Caroline is a nurse"),
    ("I first saw it last week", "User first saw it"),
    ("I finally forgave my brother last week.", "User forgave their brother"),
    ("I read Dune last week.", "User read Dune"),
    ("I bit into a lemon yesterday.", "User bit into a lemon"),
    ("I've been living in Berlin since 2019", "User has been living in Berlin since 2019"),
    ("I live in Berlin since 2019", "User lives in Berlin"),
    ("I watch birds", "User watches birds"),
    ("I study law", "User studies law"),
    ("I play the piano", "User plays the piano"),
    ("I don't like fish", "User does not like fish"),
    ("I don’t eat meat.", "User doesn't eat meat"),  # noqa: RUF001 - other scripts are the subject
    ("I can't swim", "User cannot swim"),
    ("I want to learn Spanish", "User wants to learn Spanish"),
    ("I might move to Berlin", "User might move to Berlin"),
    ("My dog is called Rex", "User's dog is called Rex"),
    ("my favorite editor is Neovim", "Caroline's favorite editor is Neovim"),
    ("I sold my car", "User sold their car"),
    ("I sold my car", "Caroline sold her car"),
    ("I taught myself to code", "User taught themselves to code"),
    ("They made me team lead", "They made Caroline team lead"),
    ("The server runs on port 8080.", "The server runs on port 8080"),
    ("We use PostgreSQL 15 for billing", "We use PostgreSQL 15 for billing"),
    ("Anna works at Acme. She likes it.", "Anna works at Acme"),
    ("Well, Anna works at Acme", "Anna works at Acme"),
    ("deploy.yml sets replicas to 3", "deploy.yml sets replicas to 3"),
    ("I moved to Berlin", "I moved to Berlin"),
    ("I moved to Berlin. I have a dog.", "User moved to Berlin. User has a dog."),
    ("If it rains, I stay home.", "If it rains, I stay home."),
    ("Ich wohne seit 2019 in Berlin.", "Ich wohne seit 2019 in Berlin"),
    ("Vivo en Madrid. Tengo dos gatos.", "Tengo dos gatos"),
    ("我住在柏林。我有一只猫。", "我住在柏林"),
    ("저는 베를린에 살아요.", "저는 베를린에 살아요"),
]

DOES_NOT_FOLLOW = [
    ("I live on the ground floor this month", "User lives on the ground floor", "changed"),
    ("I eat no meat in Lent this year", "User eats no meat in Lent", "changed"),
    ("I like the thought of moving this year", "User likes the thought of moving", "reported"),
    ("I put sugar in my tea this week", "User puts sugar in their tea", "changed"),
    ("I need a laptop this week", "User needs a laptop", "changed"),
    ("I rent a furnished flat this month", "User rents a furnished flat", "changed"),
    ("My sister grows a rose this year", "The user's sister grows a rose", "changed"),
    ("My sister sleeps in a red bed this week", "The user's sister sleeps in a red bed", "changed"),
    ("I moved to Berlin", "User moved to Munich", "name"),
    ("I moved to Berlin", "User moved to Berlin in 2019", "number"),
    ("I have two cats", "User has three cats", "number"),
    ("The server runs on port 8081", "The server runs on port 8080", "number"),
    ("deploy.yml sets replicas to 3", "deploy.yaml sets replicas to 3", "name"),
    ("I didn't move to Berlin", "User moved to Berlin", "negation"),
    ("I never moved to Berlin", "User moved to Berlin", "negation"),
    ("I don't like fish", "User likes fish", "negation"),
    ("I like fish", "User does not like fish", "negation"),
    ("I hardly eat meat", "User eats meat", "negation"),
    ("I eat meat only on Sundays", "User eats meat", "negation"),
    ("I stopped smoking", "User smokes", "negation"),
    ("Did I move to Berlin?", "User moved to Berlin", "question"),
    ("I moved to Berlin, right?", "User moved to Berlin", "question"),
    ("You moved to Berlin?", "You moved to Berlin", "question"),
    ("I moved to Berlin", "Did the user move to Berlin?", "question"),
    ("I might move to Berlin", "User moved to Berlin", "hypothetical"),
    ("I would like a dog", "User has a dog", "hypothetical"),
    ("I want to move to Berlin", "User moved to Berlin", "hypothetical"),
    ("I plan to learn Spanish", "User learns Spanish", "hypothetical"),
    ("If I moved to Berlin I'd be happy", "User moved to Berlin", "hypothetical"),
    ("I wish I lived in Paris", "User lived in Paris", "hypothetical"),
    ("I almost bought a car", "User bought a car", "hypothetical"),
    ("Maybe I like jazz", "User likes jazz", "hypothetical"),
    ("I used to smoke", "User smokes", "hypothetical"),
    ("When I am sad, I drink wine", "User drinks wine", "hypothetical"),
    ("I will get a dog tomorrow", "User gets a dog", "hypothetical"),
    ("Imagine this: I live in Paris.", "User lives in Paris", "hypothetical"),
    ("In my novel the hero says it all. I live on Mars.", "User lives on Mars", "hypothetical"),
    ("I love Mondays 😂", "User loves Mondays", "hypothetical"),
    ("I bought a yacht. Just kidding!", "User bought a yacht", "hypothetical"),
    ("I bought a yacht. No, a boat.", "User bought a yacht", "negation"),
    ("I moved to Berlin. Wait, Munich.", "User moved to Berlin", "negation"),
    ("Anna said I moved to Berlin", "User moved to Berlin", "reported"),
    ("I told Anna I moved to Berlin", "User moved to Berlin", "reported"),
    ("Anna thinks I like jazz", "User likes jazz", "reported"),
    ('He said "I moved to Berlin"', "User moved to Berlin", "reported"),
    ('"I moved to Berlin"', "User moved to Berlin", "changed"),
    ("Anna: I moved to Berlin", "Anna moved to Berlin", "changed"),
    ("My brother moved to Berlin", "User moved to Berlin", "changed"),
    ("I moved my mother to Berlin", "User moved to Berlin", "changed"),
    ("Ben likes Anna", "Anna likes Ben", "changed"),
    ("I sold her car", "User sold their car", "changed"),
    ("I sold their car", "User sold their car", "changed"),
    ("You moved to Berlin", "User moved to Berlin", "changed"),
    ("She moved to Berlin", "Caroline moved to Berlin", "changed"),
    ("Everyone except Ben and me works at Acme", "User works at Acme", "negation"),
    ("I moved to Berlin, Connecticut", "User moved to Berlin", "changed"),
    ("I moved to Berlin Street", "User moved to Berlin", "changed"),
    ("I like coffee ice cream", "User likes coffee", "changed"),
    ("I have a toy car", "User has a car", "changed"),
    ("I am allergic to peanut butter", "User is allergic to butter", "changed"),
    ("I like salt and vinegar crisps", "User likes salt", "changed"),
    ("I'm free on Monday", "User is free", "changed"),
    ("I believe in Santa", "User is Santa", "reported"),
    ("I lived in Paris", "User lives in Paris", "uncovered"),
    ("I moved from Berlin", "User moved to Berlin", "uncovered"),
    ("I like dogs", "User loves dogs", "uncovered"),
    ("I moved to Berlin", "Ben moved to Berlin", "uncovered"),
    ("I moved to Berlin", "User moved to Berlin and bought a house", "uncovered"),
    ("I work with Anna", "Anna works with User", "changed"),
    ("Ich esse Fleisch nicht", "Ich esse Fleisch", "changed"),
    ("Si yo vivo en Madrid", "Yo vivo en Madrid", "changed"),
    ("Je vis à Paris en rêve", "Je vis à Paris", "changed"),
    ("我不喜欢猫", "我喜欢猫", "uncovered"),
    ("", "User moved", "empty"),
    ("I moved", "", "empty"),
    ("...", "!!!", "empty"),
]


@pytest.mark.parametrize(("evidence", "claim"), FOLLOWS)
def test_a_claim_follows_from_a_quote_that_says_it(evidence, claim):
    assert entails(evidence, claim, SPEAKERS) == Verdict(entailed=True, reason="entailed")


@pytest.mark.parametrize(("evidence", "claim", "reason"), DOES_NOT_FOLLOW)
def test_a_claim_does_not_follow_from_a_quote_that_says_something_else(evidence, claim, reason):
    verdict = entails(evidence, claim, SPEAKERS)
    assert not verdict
    assert verdict.reason == reason


def test_the_first_person_is_the_speaker_and_nobody_else():
    assert entails("I moved to Berlin", "Ben moved to Berlin", "Ben")
    assert not entails("I moved to Berlin", "User moved to Berlin", "Ben")
    assert entails("I moved to Berlin", "User moved to Berlin")
    assert entails("I live in Rome", "Anna Maria Rossi lives in Rome", ("Anna", "Anna Maria Rossi"))
    assert not entails("I live in Rome", "Anna lives in Rome", ())


WORDS = st.lists(
    st.sampled_from("berlin rex moved dog house likes seven red in to with".split()), min_size=1, max_size=8
)
VETOES = ["never", "not", "might", "if", "unless", "said", "hopefully", "without"]


@given(WORDS)
def test_every_assertion_says_itself(words):
    assert entails(" ".join(words), " ".join(words))


@given(WORDS, st.sampled_from(VETOES), st.integers(0, 8))
def test_a_word_that_unsays_a_sentence_anywhere_in_it_refuses_the_sentence(words, veto, at):
    unsaid = [*words[:at], veto, *words[at:]]
    assert not entails(" ".join(unsaid), " ".join(words))


@given(WORDS, st.sampled_from(VETOES), st.integers(0, 8))
def test_a_claim_with_a_word_that_unsays_it_needs_that_word_in_the_quote(words, veto, at):
    assert not entails(" ".join(words), " ".join([*words[:at], veto, *words[at:]]))


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_get_a_verdict_that_is_as_true_as_it_says(evidence, claim):
    verdict = entails(evidence, claim)
    assert bool(verdict) == verdict.entailed == (verdict.reason == "entailed")
