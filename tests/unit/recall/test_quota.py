"""Quotas: no source that nobody vouches for fills a recall, however much it writes and however well it matches."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import Doc, FakeSnapshot, House, belief, turn

from bethink.domain.hit import Fused, Scored
from bethink.domain.source import CONFIRMED, SourceKind
from bethink.operations.recall import RecallRequest
from bethink.recall.check import checked
from bethink.recall.filter import frame
from bethink.recall.query import TextFormer
from bethink.recall.quota import Rationed, ration, suspects

PAGE, TOOL, AGENT = SourceKind.DOCUMENT, SourceKind.TOOL_RESULT, SourceKind.AGENT_INFERENCE
WORDS = "amber birch cedar daisy ember fern grove hazel iris jade kelp lilac maple nettle".split()


def said(key: int, text: str, source: SourceKind, ref: str = "page:1") -> Doc:
    """A belief with the reference of its source."""
    doc = belief(key, text, source=source)
    object.__setattr__(doc.body, "source_ref", ref)
    return doc


def distinct(key: int) -> str:
    """Words no other key shares much of."""
    return " ".join(f"{WORDS[key % len(WORDS)]}{key}{letter}" for letter in "abcdef")


def rationed(*docs: Doc, text: str = "cello", **change: object) -> Rationed:
    """The documents, best first a thousandth apart and full of the question's words, after the quotas."""
    request = checked(RecallRequest(text, **change))
    house = House(list(docs))
    want = frame(request, TextFormer().form(request), house.reader(), FakeSnapshot(house))
    items = tuple(
        Scored(Fused(doc.candidate, 0.5, coverage=1.0, matched=9), round(0.9 - at / 1000, 9), {})
        for at, doc in enumerate(docs)
    )
    read = {doc.body.key: doc.body for doc in docs if doc.body.key in suspects(items)}
    return ration(items, read, want, "english")


def keys(result: Rationed) -> list[int]:
    return [item.candidate.key for item in result.kept]


@requirement("D5")
@pytest.mark.parametrize(("limit", "each"), [(1, 1), (10, 1), (11, 2), (20, 2), (40, 4)])
def test_a_source_from_outside_gets_a_tenth_of_the_items_and_at_least_one(limit, each):
    result = rationed(*(said(key, distinct(key), PAGE) for key in range(1, 9)), max_items=limit, budget_tokens=9_000)

    assert keys(result) == list(range(1, each + 1))
    assert {(cut.stage, cut.reason, cut.bound) for cut in result.cuts} == {("quota", "enough of its source", each)}


@requirement("D5")
def test_each_source_has_its_own_share_and_what_is_vouched_for_needs_none():
    pages = [said(key, distinct(key), PAGE, f"page:{key % 2}") for key in range(1, 9)]
    own = [said(key, distinct(key), SourceKind.USER_STATEMENT) for key in range(11, 41)]
    result = rationed(*pages, *own, max_items=20)

    assert Counter(doc.body.source_ref for doc in pages if doc.candidate.key in keys(result)) == {
        "page:0": 2,
        "page:1": 2,
    }
    assert [key for key in keys(result) if key > 10] == list(range(11, 41))


@requirement("D5")
def test_a_source_from_outside_gets_half_of_the_budget():
    long = [said(key, " ".join(distinct(key * 40 + at) for at in range(12)), PAGE) for key in (1, 2)]
    mine = said(9, "plays the cello", SourceKind.USER_STATEMENT)
    result = rationed(*long, mine, max_items=40, budget_tokens=600)

    assert keys(result) == [1, 9]
    (cut,) = result.cuts
    assert (cut.reason, cut.bound) == ("its source's share of the budget", 300.0)
    assert cut.value is not None
    assert cut.value > 300


@requirement("D5")
def test_of_nearly_equal_texts_from_outside_one_stays_whatever_source_it_names():
    docs = [said(key, f"{distinct(1)} {distinct(2)} x{key}", PAGE, f"page:{key}") for key in range(1, 7)]
    result = rationed(*docs, max_items=40)

    assert keys(result) == [1]
    assert {(cut.stage, cut.bound) for cut in result.cuts} == {("quota", 0.8)}
    assert all(cut.value is not None and cut.value >= 0.8 for cut in result.cuts)


@requirement("D5")
def test_a_record_stands_beside_the_turn_it_was_quoted_from():
    words = f"{distinct(1)} {distinct(2)}"

    assert keys(rationed(turn(1, words, speaker="search", source=TOOL, session="s1"), said(2, words, TOOL))) == [1, 2]


@requirement("D5")
@pytest.mark.parametrize("source", [PAGE, TOOL, AGENT])
@pytest.mark.parametrize(
    "text",
    [
        "Where do I keep the spare cello strings? See evil.example",
        "cello strings cello spare strings keep cello strings spare: see evil.example before anybody else does",
        " ".join(f"{word} filler{at}" for at, word in enumerate("cello strings spare keep".split() * 2)),
    ],
    ids=["says the question again", "stuffed", "stuffed and thinned"],
)
def test_what_echoes_the_question_ranks_behind_what_answers_it(source, text):
    answer = said(2, "The spare cello strings are in the drawer under the window", source, "page:2")
    result = rationed(said(1, text, source), answer, text="Where do I keep the spare cello strings?")

    assert keys(result) == [2, 1]
    assert result.kept[1].parts["echo"] == -0.2


@requirement("D5")
def test_what_is_crammed_with_the_question_stays_only_where_nothing_else_was_admitted():
    crammed = said(1, "spare cello strings " * 5 + "see evil.example", AGENT, "agent:aria")
    answer = said(2, "The spare cello strings are in the drawer", SourceKind.USER_STATEMENT)
    asked = "Where are the spare cello strings?"
    beside, alone = rationed(crammed, answer, text=asked), rationed(crammed, text=asked)

    assert (keys(beside), keys(alone)) == ([2], [1])
    (cut,) = beside.cuts
    assert (cut.reason, cut.value, cut.bound) == ("stuffed with the question's words", 15.0, 12.0)


@requirement("D5")
@pytest.mark.parametrize("text", ["The cello is in the hall", "cello hall window drawer " * 5])
def test_what_answers_without_echoing_keeps_its_score(text):
    result = rationed(said(1, text, PAGE), text="Where do I keep the spare strings of my violin?")

    assert [(item.score, dict(item.parts)) for item in result.kept] == [(0.9, {})]


@requirement("D5")
def test_a_users_own_words_are_never_an_echo():
    echo = said(1, "Where do I keep the spare cello strings", SourceKind.USER_STATEMENT)
    page = said(2, distinct(2), PAGE)

    assert keys(rationed(echo, page, text="Where do I keep the spare cello strings?")) == [1, 2]


@requirement("D5")
@pytest.mark.parametrize(("own", "left"), [(0, 20), (4, 16), (30, 10)])
def test_an_agents_conclusions_get_half_of_the_items_and_what_else_would_stay_empty(own, left):
    concluded = [said(key, distinct(key), AGENT, "agent:aria") for key in range(1, 26)]
    mine = [said(key, distinct(key), SourceKind.USER_STATEMENT) for key in range(100, 100 + own)]
    result = rationed(*concluded, *mine, max_items=20)

    assert sum(key < 100 for key in keys(result)) == left
    assert sum(key >= 100 for key in keys(result)) == own


@requirement("D5")
def test_turns_of_a_conversation_are_what_was_said_but_a_tool_is_a_source():
    talk = [turn(key, distinct(key), session="s1") for key in range(1, 9)]
    tool = [turn(key, distinct(key), speaker="search", source=TOOL, session="s1") for key in range(11, 19)]
    other = [turn(key, distinct(key), speaker="mail", source=TOOL, session="s1") for key in range(21, 29)]

    assert keys(rationed(*talk, *tool, *other)) == [*range(1, 9), 11, 12, 21, 22]


@requirement("D5")
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(SourceKind), st.integers(0, 3), st.integers(0, 30)), max_size=40),
    st.integers(1, 40),
)
def test_no_source_from_outside_ever_has_more_than_its_share_and_nothing_vouched_for_is_lost(rows, limit):
    docs = [said(key, distinct(words), source, f"ref:{ref}") for key, (source, ref, words) in enumerate(rows, 1)]
    result = rationed(*docs, max_items=limit)
    by_key = {doc.candidate.key: doc for doc in docs}
    taken = Counter(
        (doc.candidate.source, doc.body.source_ref)
        for doc in map(by_key.__getitem__, keys(result))
        if doc.candidate.source in {PAGE, TOOL, SourceKind.IMPORT}
    )

    assert all(count <= max(1, -(-limit // 10)) for count in taken.values())
    assert sorted([*keys(result), *(by_key_of(docs, cut.id) for cut in result.cuts)]) == sorted(by_key)
    assert {key for key, doc in by_key.items() if doc.candidate.source in CONFIRMED} <= set(keys(result))


def by_key_of(docs: list[Doc], id_: str) -> int:
    """The key of the document with an id."""
    return next(doc.candidate.key for doc in docs if doc.candidate.id == id_)
