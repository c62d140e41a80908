"""Check: every field of a recall, before anything else looks at it. What cannot be used is refused, not bent."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime
from typing import Any, get_args

from bethink.domain.ids import check_id
from bethink.domain.scope import Target
from bethink.domain.time import utc
from bethink.domain.trace import Moment
from bethink.domain.types import Kind, type_rule
from bethink.errors import InvalidInput
from bethink.operations.recall import OnWeak, Order, Policy, RecallRequest
from bethink.recall.profiles import PROFILES
from bethink.text.door import LARGEST, check_flag, check_text

_TIMES = ("as_of", "known_at", "since", "until")
_COUNTS = ("max_items", "budget_tokens", "timeout_ms", "turn", "after_position")
_LISTS = ("open_questions", "subjects", "entities", "types", "type_hints", "kinds", "taxonomy", "without")
_UNSAID = ("gate", "include_owned_resources")
_FLAGS = ("include_superseded", "include_provisional", "confirmed_only", *_UNSAID)
_CHOICES: dict[str, tuple[str, ...]] = {
    "profile": tuple(PROFILES),
    "moment": get_args(Moment),
    "on_weak": get_args(OnWeak),
}
_OPTIONS: dict[str, tuple[str, ...]] = {"order": get_args(Order), "policy": get_args(Policy)}


def checked(request: RecallRequest) -> RecallRequest:
    """The request with its instants in UTC and its kinds as kinds, where their names were given.

    Raises:
        InvalidInput: a naive instant, an empty window, a negative or endless number, a value of the wrong type, or a
            name that does not exist; the message names the field.
    """
    times: dict[str, Any] = {
        name: _instant(value, name) for name in _TIMES if (value := getattr(request, name)) is not None
    }
    clean = replace(request, **times) if times else request
    if clean.since is not None and clean.until is not None and clean.since >= clean.until:
        raise InvalidInput("The window from since to until is empty.", remedy="Pass a since earlier than until.")
    for name in _COUNTS:
        _check_count(getattr(clean, name), name)
    if clean.min_score is not None and not _is_score(clean.min_score):
        raise InvalidInput(f"min_score {clean.min_score!r} is no number.", remedy="Pass min_score as 0 to 1, or none.")
    for name in _FLAGS:
        if (flag := getattr(clean, name)) is not None or name not in _UNSAID:
            check_flag(flag, name)
    for name in _LISTS:
        _check_list(getattr(clean, name), name)
    _check_names(clean)
    for name, texts in (("subject", clean.subjects), ("entity", clean.entities)):
        for text in filter(None, map(str.strip, texts)):
            check_text(text, name)
    if clean.session is not None:
        check_id(clean.session, "session")
    return replace(clean, kinds=tuple(map(Kind, clean.kinds))) if clean.kinds else clean


def _check_names(request: RecallRequest) -> None:
    """Pass when everything chosen by name exists."""
    given = [(name, known) for name, known in _OPTIONS.items() if getattr(request, name) is not None]
    for name, known in (*_CHOICES.items(), *given):
        if (value := getattr(request, name)) not in known:
            raise InvalidInput(f"{name.capitalize()} {str(value)[:40]!r} is none of {', '.join(known)}.")
    if request.target is not None and request.target not in get_args(Target):
        raise InvalidInput(f"Target {str(request.target)[:40]!r} is none of {', '.join(get_args(Target))}.")
    for name in request.types:
        type_rule(name)
    for kind in request.kinds:
        if kind not in set(Kind):
            raise InvalidInput(f"Kind {str(kind)[:40]!r} is none of {', '.join(Kind)}.")


def _instant(value: object, what: str) -> datetime:
    """The instant in UTC."""
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} must be a datetime, not {type(value).__name__}.")
    return utc(value, what)


def _check_count(value: Any, what: str) -> None:
    """Pass for None and a whole number from 0 to the largest that a database holds."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{what} must be a whole number, not {str(value)[:40]!r}.")
    if value < 0:
        raise InvalidInput(f"{what} is negative.", remedy=f"Pass {what} as 0 or more.")
    if value > LARGEST:
        raise InvalidInput(f"{what} is too large.", remedy=f"Pass {what} as {LARGEST:,} or less.")


def _is_score(value: object) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _check_list(values: Any, what: str) -> None:
    """Pass for a list of texts; a text alone would be read letter by letter."""
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise InvalidInput(f"{what} must be a list of texts.", remedy=f"Pass {what} as a tuple, such as ('one',).")
