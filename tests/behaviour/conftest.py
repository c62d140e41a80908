"""A house per test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bethink.memory import BoundMemory
from tests.behaviour.house import House
from tests.databases import Place


@pytest.fixture
def house(new_place: Callable[[], Place]) -> Iterator[House]:
    made = House(new_place())
    yield made
    made.close()


@pytest.fixture
def maya(house: House) -> BoundMemory:
    """Maya through her agent Aria, outside any project, as the one who speaks."""
    return house.bind()


@pytest.fixture
def aria(house: House, maya: BoundMemory) -> BoundMemory:
    """Maya's agent, which speaks for itself and hears a session."""
    with maya.session("talk") as talk:
        talk.turn("I live in Porto now. I moved out of Lisbon.", role="user")
        talk.turn("I live in Lisbon today.", role="user")
    return house.bind(voice="agent", session="talk")
