from __future__ import annotations

import inspect

import pytest

from bethink.aio import AsyncAssociations, AsyncDocuments, AsyncMemory
from bethink.memory import BoundMemory
from bethink.memory.associations import Associations
from bethink.memory.documents import Documents

ROOMS = ((Associations, AsyncAssociations), (Documents, AsyncDocuments))
"""The parts of a bound memory that have operations of their own, each with its awaited twin."""


def operations(kind: type) -> dict[str, inspect.Signature]:
    """Public methods by name with their signatures."""
    return {
        name: inspect.signature(member)
        for name, member in vars(kind).items()
        if inspect.isfunction(member) and not name.startswith("_")
    }


def test_the_async_memory_answers_every_operation_with_the_same_signature():
    plain = operations(BoundMemory)
    awaited = operations(AsyncMemory)

    assert set(plain) - set(awaited) == {"session"}
    assert set(awaited) - set(plain) == {"close"}
    assert {name: str(awaited[name]) for name in plain if name in awaited} == {
        name: str(signature) for name, signature in plain.items() if name in awaited
    }
    assert all(inspect.iscoroutinefunction(getattr(AsyncMemory, name)) for name in awaited)


@pytest.mark.parametrize(("plain", "awaited"), ROOMS)
def test_the_rooms_of_the_async_memory_answer_with_the_same_signatures(plain, awaited):
    assert {name: str(signature) for name, signature in operations(awaited).items()} == {
        name: str(signature) for name, signature in operations(plain).items()
    }
    assert all(inspect.iscoroutinefunction(getattr(awaited, name)) for name in operations(awaited))


def test_every_room_of_a_memory_is_one_of_the_async_memory():
    rooms = {name for name, member in vars(BoundMemory).items() if isinstance(member, property) and name[0] != "_"}
    assert rooms == {name for name, member in vars(AsyncMemory).items() if isinstance(member, property)}
    assert len(rooms) == len(ROOMS)
