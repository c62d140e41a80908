"""The requirement table: what bethink promises, and where each promise stands.

A test names the promises it proves::

    @requirement("A9", "E71")
    def test_a_foreign_record_is_never_returned(): ...

`test_requirements.py` closes the loop: a built promise has a test, and a test claims only built promises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from types import FunctionType
from typing import TypeVar

from tests.behaviour import (
    requirements_a,
    requirements_b,
    requirements_c,
    requirements_d,
    requirements_e,
    requirements_p,
)

Marked = TypeVar("Marked", bound=FunctionType)


class Status(StrEnum):
    """Where a promise stands."""

    BUILT = "built"
    LATER = "later"
    DECIDED_OTHERWISE = "decided_otherwise"
    NOT_OURS = "not_ours"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A promise in our words, its status and, unless it is built, what will bring it or what we do instead."""

    promise: str
    status: Status
    note: str = ""


def _merged(*groups: dict[str, tuple[str, ...]]) -> dict[str, Requirement]:
    """The rows (promise, status[, note]) of every group as one table; no id may stand in two."""
    table: dict[str, Requirement] = {}
    for group in groups:
        if twice := table.keys() & group.keys():
            msg = f"These ids stand in two groups: {sorted(twice)}."
            raise ValueError(msg)
        table |= {name: Requirement(row[0], Status(row[1]), *row[2:]) for name, row in group.items()}
    return table


REQUIREMENTS: dict[str, Requirement] = _merged(
    requirements_a.ROWS,
    requirements_b.ROWS,
    requirements_c.ROWS,
    requirements_d.ROWS,
    requirements_e.ROWS,
    requirements_p.ROWS,
)


def requirement(*names: str) -> Callable[[Marked], Marked]:
    """Mark a test with the promises it proves.

    Raises:
        KeyError: no such promise, which stops the import of the test.
        ValueError: the test is marked already; a second mark would hide the first.
    """
    if unknown := [name for name in names if name not in REQUIREMENTS]:
        msg = f"No such requirement: {', '.join(unknown)}."
        raise KeyError(msg)

    def mark(test: Marked) -> Marked:
        if hasattr(test, "requirements"):
            msg = f"{test.__name__} is marked twice."
            raise ValueError(msg)
        test.requirements = names
        return test

    return mark
