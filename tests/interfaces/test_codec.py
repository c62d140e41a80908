"""Every value of bethink has one form in JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path

import pytest

from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.types import Kind, Portability
from bethink.interfaces.codec import to_json, to_object


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Inner:
    scope: Scope
    level: Sensitivity


@dataclass(frozen=True, slots=True)
class Outer:
    inner: Inner
    names: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    table: Mapping[str, tuple[int, float]] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (0.5, 0.5),
        (float("nan"), None),
        (float("inf"), None),
        ("é\x1b", "é\x1b"),
        (Colour.RED, "red"),
        (Kind.SEMANTIC, "semantic"),
        (Sensitivity.NORMAL, "normal"),
        (Portability.LOCAL, "local"),
        (datetime(2026, 3, 1, 10, tzinfo=timezone(timedelta(hours=2))), "2026-03-01T08:00:00.000000Z"),
        (datetime(26, 3, 1, tzinfo=UTC), "0026-03-01T00:00:00.000000Z"),
        (Path("a/b"), "a/b"),
        (Scope(ScopeKind.AGENT, "a/u"), "agent:a/u"),
        (frozenset({"b", "a"}), ["a", "b"]),
        ((1, [2]), [1, [2]]),
        ({Kind.EPISODIC: 1}, {"episodic": 1}),
    ],
)
def test_each_kind_of_value_has_its_form(value, expected):
    assert to_json(value) == expected


def test_a_result_becomes_an_object_by_field():
    value = Outer(
        Inner(Scope(ScopeKind.USER, "ada"), Sensitivity.RESTRICTED), ("x",), frozenset({"stale"}), {"dense": (1, 0.5)}
    )

    assert to_object(value) == {
        "inner": {"scope": "user:ada", "level": "restricted"},
        "names": ["x"],
        "flags": ["stale"],
        "table": {"dense": [1, 0.5]},
    }
    json.dumps(to_object(value), allow_nan=False)


@pytest.mark.parametrize("value", [object(), b"bytes", Outer, 1j])
def test_what_is_no_value_of_bethink_is_refused(value):
    with pytest.raises(TypeError, match="no form in JSON"):
        to_json(value)


def test_a_list_is_no_result():
    with pytest.raises(TypeError, match="no object"):
        to_object([1])
