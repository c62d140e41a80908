"""Values as JSON, once for every interface, so that no result is described by hand a second time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum, IntEnum
from functools import singledispatch
from pathlib import PurePath
from typing import Any

from bethink.domain.scope import Scope
from bethink.domain.time import iso

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@singledispatch
def to_json(value: Any) -> Json:
    """A value of bethink as what `json.dumps` takes.

    Dataclasses become objects by field, scopes their key, instants one fixed form in UTC, ordered enumerations the
    name of their member in lower case and others their value; sets are sorted, and a number that is no number is null.

    Raises:
        TypeError: something that is no value of bethink.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_json(getattr(value, item.name)) for item in fields(value)}
    msg = f"{type(value).__name__} has no form in JSON."
    raise TypeError(msg)


def to_object(value: Any) -> dict[str, Json]:
    """A result as a JSON object.

    Raises:
        TypeError: its form is no object.
    """
    made = to_json(value)
    if not isinstance(made, dict):
        msg = f"{type(value).__name__} is no object in JSON."
        raise TypeError(msg)
    return made


@to_json.register(type(None))
@to_json.register(int)
@to_json.register(str)
def _plain(value: str | int | None) -> Json:
    return value


@to_json.register
def _number(value: float) -> Json:
    return value if math.isfinite(value) else None


@to_json.register
def _ordered(value: IntEnum) -> Json:
    return value.name.lower()


@to_json.register
def _choice(value: Enum) -> Json:
    return str(value.value)


@to_json.register
def _instant(value: datetime) -> Json:
    return iso(value)


@to_json.register
def _path(value: PurePath) -> Json:
    return str(value)


@to_json.register
def _scope(value: Scope) -> Json:
    return value.key


@to_json.register(Mapping)
def _mapping(value: Mapping[Any, Any]) -> Json:
    return {str(to_json(key)): to_json(item) for key, item in value.items()}


@to_json.register(AbstractSet)
def _set(value: AbstractSet[Any]) -> Json:
    return sorted((to_json(item) for item in value), key=str)


@to_json.register(list)
@to_json.register(tuple)
def _sequence(value: list[Any] | tuple[Any, ...]) -> Json:
    return [to_json(item) for item in value]
