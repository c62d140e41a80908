from __future__ import annotations

import inspect

from bethink.aio import AsyncMemory
from bethink.memory import BoundMemory


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
