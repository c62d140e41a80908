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
