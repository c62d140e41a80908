"""What cannot be used is refused with a typed error that names it; it is never bent into something else."""

from __future__ import annotations

from typing import Any

import pytest

from bethink.errors import InvalidInput
from tests.behaviour.house import House


@pytest.mark.parametrize("named", [{"user": ""}, {"agent": ""}, {"tenant": ""}, {"user": 5}, {"user": "a/b"}])
def test_an_unusable_name_of_a_caller_is_refused_and_never_replaced_by_the_usual_one(house: House, named: Any):
    with house.open() as memory, pytest.raises(InvalidInput, match=next(iter(named))):
        memory.bind(**named)


@pytest.mark.parametrize("given", [{"voice": "nobody"}, {"ceiling": 9}, {"ceiling": "secret"}])
def test_a_binding_that_does_not_exist_is_refused(house: House, given: Any):
    with house.open() as memory, pytest.raises(InvalidInput, match=next(iter(given))):
        memory.bind(**given)


@pytest.mark.parametrize("given", [None, 5, b"x"])
@pytest.mark.parametrize("operation", ["remember", "recall", "get", "forget"])
def test_what_is_neither_text_nor_a_request_is_refused(house: House, operation: str, given: Any):
    with house.open() as memory, pytest.raises(InvalidInput, match="must be text"):
        getattr(memory.bind(), operation)(given)
