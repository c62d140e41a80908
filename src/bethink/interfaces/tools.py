"""What a model may say to memory and what it is told: parts of the requests and results, described for a model.

Names, types and defaults come from the dataclasses of `bethink.operations`. A model is never offered a tenant, a user,
a scope or a sensitivity, so no schema here can hold one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import datetime
from types import GenericAlias
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from pydantic import BaseModel, Field, StrictBool, ValidationError, create_model

from bethink.domain.types import TYPES, WRITABLE
from bethink.errors import InvalidInput
from bethink.interfaces.codec import Json
from bethink.interfaces.when import end, moment, start

T = TypeVar("T")

_WHEN = "An ISO date, which means that whole day, or a time with its zone."

TEXTS: dict[str, str] = {
    "text": "The question, in words.",
    "subjects": "People or things to look up exactly, by name.",
    "entities": "People or things in play that the question does not name; a hint, which leaves nothing out.",
    "type_hints": "Types to look under first; others are still found.",
    "limit": "At most this many turns.",
    "after_seq": "Go on after the turn of this seq.",
    "budget_tokens": "The size of the block.",
    "archived": "The archive too.",
    "as_of": f"What held at this time. {_WHEN}",
    "known_at": f"What memory knew at this time. {_WHEN}",
    "since": f"Only what happened from here on. {_WHEN}",
    "until": f"Only what happened before. {_WHEN}",
    "include_superseded": "Facts that were replaced since, too.",
    "max_items": "At most this many items.",
    "id": "The id of a record or turn, whole or short (m:...).",
    "history": "Earlier versions too.",
    "current": "What holds in its place now, when it was replaced.",
    "content": "One self-contained statement, such as 'The user lives in Lisbon.'",
    "type": "What kind of statement it is.",
    "subject": "Whom or what it is about, by name.",
    "attribute": "Which attribute of the subject it gives, such as 'home city'; an older value then gives way.",
    "target": "Whose it is: the user's everywhere, this project's, or this task's.",
    "evidence": "The exact words that support it, as they were said. Without them it stays provisional.",
    "session": "The session, when it is not the current one.",
    "polarity": "'retract' when the statement says that something is no longer so.",
    "event_at": f"When it happened. {_WHEN}",
    "valid_from": f"From when it holds. {_WHEN}",
    "valid_until": f"Until when it holds. {_WHEN}",
    "expires_at": f"When to stop recalling it. {_WHEN}",
    "temporary": "A passing preference, which does not replace a standing one.",
    "tags": "Words to file it under.",
    "taxonomy": "Topics by path, such as workflow.git: what is filed there or below, or where to file it.",
    "idempotency_key": "A repeat with this key is answered once.",
    "mode": "'stop' hides it and can be undone by 'restore'; 'erase' removes every copy and cannot be undone.",
    "with_sources": "Erase the turns it was quoted from too.",
    "reason": "Why.",
    "dry_run": "Only list what would go.",
    "confirm": "Whether the user agreed to this erase.",
    "action": "'confirm': it still holds. 'supersede': content holds in its place. 'expire': it holds no longer. "
    "'merge': other says the same and gives way to it.",
    "other": "For a merge: the id of the record that gives way.",
    "at": f"From when the new statement holds, or the old one no longer does. {_WHEN}",
}
"""What each argument means, in words for a model."""

_TIMES: dict[str, Callable[[str | None, str], datetime | None]] = {
    "as_of": moment,
    "known_at": moment,
    "since": start,
    "until": end,
    "event_at": start,
    "valid_from": start,
    "valid_until": end,
    "expires_at": end,
    "at": start,
}
"""Arguments that are times: a model writes them as text."""

_WORDS = {"string": "text", "boolean": "true or false", "integer": "a whole number", "null": "nothing"}
"""The types of JSON, in words."""

_NARROWED: dict[str, Any] = {
    "max_items": Annotated[int | None, Field(ge=1, le=50)],
    "limit": Annotated[int, Field(ge=1, le=100)],
    "budget_tokens": Annotated[int, Field(ge=1, le=20_000)],
    "type": Literal[WRITABLE],
    "target": Literal["personal", "project", "task"],
    "type_hints": GenericAlias(tuple, (Literal[tuple(sorted(TYPES))], ...)),
    **dict.fromkeys(_TIMES, str | None),
}
"""Arguments whose schema says more than the request's own type; an agent's private scope is the host's to offer."""


def parameters(request: type[Any], names: Sequence[str]) -> list[inspect.Parameter]:
    """Fields of a request as the parameters of a tool, with their types, defaults and meaning."""
    hints, defaults = get_type_hints(request), {item.name: item.default for item in fields(request)}
    return [parameter(name, _NARROWED.get(name, hints[name]), defaults[name]) for name in names]


def parameter(name: str, kind: Any, default: Any, told: str = "") -> inspect.Parameter:
    """One parameter of a tool. What is true or false is said so: a text that looks like it decides nothing."""
    kind = StrictBool if kind is bool else kind
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is MISSING else default,
        annotation=Annotated[kind, Field(description=told or TEXTS[name])],
    )


def request_of(request: type[T], given: Mapping[str, Any]) -> T:
    """The request a model's arguments make.

    Raises:
        InvalidInput: a time that cannot be read, or that names no zone.
    """
    return request(**{name: _TIMES[name](value, name) if name in _TIMES else value for name, value in given.items()})


def misfit(error: ValidationError, schema: Mapping[str, Any]) -> InvalidInput:
    """What is wrong with a model's arguments, in our words, without repeating what was passed.

    Args:
        error: what the schema's own check found.
        schema: the JSON schema of the tool's arguments.
    """
    offered: dict[str, Any] = schema.get("properties", {})
    found: dict[str, str] = {}
    for problem in error.errors(include_url=False, include_context=False, include_input=False):
        name = str(problem["loc"][0]) if problem["loc"] else "the arguments"
        if problem["type"] == "extra_forbidden":
            found.setdefault(name[:40], f"{name[:40]!r} is no argument of this tool.")
        elif problem["type"] == "missing":
            found.setdefault(name, f"{name} is missing.")
        else:
            found.setdefault(name, f"{name} must be {_wanted(offered.get(name, {}))}.")
    remedy = f"Correct that and call again; the arguments are {', '.join(offered)}."
    return InvalidInput(" ".join(found.values()), remedy=remedy)


def _wanted(schema: Mapping[str, Any]) -> str:
    """What a JSON schema asks for, in words."""
    if "anyOf" in schema:
        return " or ".join(_wanted(one) for one in schema["anyOf"])
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    kind = schema.get("type", "")
    if kind == "array":
        return f"a list of which each is {_wanted(schema.get('items', {}))}"
    low, high = schema.get("minimum"), schema.get("maximum")
    return _WORDS.get(kind, "as its schema says") + (f" from {low} to {high}" if low is not None else "")


def part(name: str, result: type[Any], names: Sequence[str], **many: type[BaseModel]) -> type[BaseModel]:
    """Some fields of a result, for the schema of an answer; `many` says of which parts a field is a list."""
    hints = get_type_hints(result) | {item: GenericAlias(tuple, (kind, ...)) for item, kind in many.items()}
    taken: dict[str, Any] = {item: hints[item] for item in names}
    return create_model(name, **taken)


def pick(value: Mapping[str, Json], names: Sequence[str]) -> dict[str, Json]:
    """Some fields of a result in JSON."""
    return {name: value[name] for name in names}
