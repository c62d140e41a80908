"""A request from what a caller passed: its dataclass, or its main argument with the other fields by name."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, TypeVar

from bethink.errors import InvalidInput

T = TypeVar("T")


def as_request(kind: type[T], given: T | str, main: str, fields: dict[str, Any]) -> T:
    """The request as its dataclass, from itself or from its main argument and fields.

    An empty main argument gives way to a field of its name, so that ``recall(text="...")`` asks as ``recall("...")``.
    """
    if isinstance(given, str):
        return built(kind, fields, **{main: given}) if given else built(kind, {main: given, **fields})
    if fields:
        msg = f"Pass either a {kind.__name__} or its fields, not both."
        raise InvalidInput(msg)
    if not isinstance(given, kind):
        msg = f"{main} must be text or a {kind.__name__}, not {type(given).__name__}."
        raise InvalidInput(msg)
    return given


def built(kind: Callable[..., T], fields: dict[str, Any], **fixed: Any) -> T:
    """A value from named fields, with a typed error for a name it does not have."""
    try:
        return kind(**fields, **fixed)
    except TypeError as error:
        name = getattr(kind, "__name__", "request")
        known = [item for item in signature(kind).parameters if item not in fixed]
        unknown = sorted(fields.keys() - known - fixed.keys())
        if unknown:
            msg = f"{name} takes no {unknown[0][:40]!r}."
            raise InvalidInput(msg, remedy=f"It takes {', '.join(known)}.") from None
        raise InvalidInput(f"{name}: {str(error).rpartition('__init__() ')[2]}.") from None
