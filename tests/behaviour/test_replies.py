"""What answers a question that people answer takes on its words, in every way the index can come to be."""

from __future__ import annotations

import pytest

from bethink.memory import BoundMemory
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import House

QUESTION, REPLY = "Do you play the violin?", "Every Sunday."


def said(memory: BoundMemory, asks: str, replies: str) -> list[str]:
    """One question and its reply by these roles; what a question with a word of each finds, best first."""
    with memory.session("talk") as talk:
        talk.turns([TurnInput(QUESTION, role=asks), TurnInput(REPLY, role=replies)])
    return found(memory)


def found(memory: BoundMemory) -> list[str]:
    return [item.text for item in memory.recall("violin Sunday").items]


@pytest.mark.parametrize(("asks", "replies"), [("assistant", "user"), ("participant", "user")])
def test_the_reply_of_somebody_stands_before_the_question(house: House, asks: str, replies: str):
    """With one word each, and each word in one turn, both would match alike and the earlier one stand first."""
    house.embedder = None

    assert said(house.bind(), asks, replies) == [REPLY, QUESTION]


def test_a_question_to_the_model_stands_before_its_reply(house: House):
    house.embedder = None

    assert said(house.bind(), "user", "assistant") == [QUESTION, REPLY]


def test_an_index_derived_anew_knows_who_asks(house: House):
    house.embedder = None
    memory = house.bind()
    said(memory, "assistant", "user")

    assert house.opened[0].check().findings == ()
    house.opened[0].repair()
    assert found(memory) == [REPLY, QUESTION]
    assert house.opened[0].check().findings == ()
