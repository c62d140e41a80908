"""A standing instruction of the user's is found by what it means, though it shares no word with the question."""

from __future__ import annotations

from bethink.memory import BoundMemory
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import ByHand, House

INSTRUCTION, ANSWER = "Always name the page of a quote.", "The tides come twice a day."


def said(house: House, role: str) -> BoundMemory:
    """A turn of this role, in meaning near to the question, and one that holds its words."""
    house.embedder = ByHand({"Always": 0.5, "tides": 0.2})
    memory = house.bind()
    with memory.session("talk") as talk:
        talk.turns([TurnInput(INSTRUCTION, role=role), TurnInput(ANSWER, role="assistant")])
    return memory


def found(memory: BoundMemory) -> list[str]:
    return [item.text for item in memory.recall("When do tides come?").items]


def test_the_instruction_of_a_user_counts_by_its_meaning(house: House):
    assert found(said(house, "user")) == [INSTRUCTION, ANSWER]


def test_the_model_does_not_instruct_itself(house: House):
    assert found(said(house, "assistant")) == [ANSWER, INSTRUCTION]


def test_an_index_derived_anew_knows_who_instructs(house: House):
    memory = said(house, "user")
    before = found(memory)

    assert house.opened[0].check().findings == ()
    house.opened[0].repair()
    assert found(memory) == before
    assert house.opened[0].check().findings == ()
