"""A house per test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bethink.memory import BoundMemory
from tests.behaviour.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "memory.db")
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
