"""Message lists: one conversation as a list, an object with ``messages``, or either of them per line.

A conversation without an id of its own is named after its beginning, so that importing a longer copy later adds
only what is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from bethink.importing.messages import Messages, stamp
from bethink.importing.read import Item
from bethink.importing.transcript import Event, Skipped, children, named, usable_id
from bethink.operations.importing import BadItem


def list_events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The events of message lists. Both list formats name sessions alike, for a plain list may be read as either."""
    for whole, run in groupby(items, key=_conversation):
        if whole is None:
            yield from named("chat", _running(run))
            continue
        for item in run:
            if isinstance(item, Item):
                yield from _whole(item)


def is_message(value: Any) -> bool:
    """Whether a value is one message of a list."""
    return isinstance(value, dict) and isinstance(value.get("role"), str) and "content" in value


def messages_of(value: Any) -> list[Any]:
    """The messages a value holds: of a list, of an object with ``messages``, or the one it is."""
    if isinstance(value, list):
        return value
    return children(value, "messages") or children(value, "input") or [value]


def _conversation(item: Item | BadItem) -> str | None:
    """A key for each item that is a whole conversation; None for the messages of a running one, by file."""
    if not isinstance(item, Item):
        return None
    fields = item.value if isinstance(item.value, dict) else {}
    whole = isinstance(item.value, list) or "messages" in fields or "input" in fields
    return item.place if whole else None


def _running(run: Iterable[Item | BadItem]) -> Iterator[Event]:
    """Messages that stand by themselves, one after another."""
    reader = Messages()
    for item in run:
        if isinstance(item, BadItem):
            yield item
        else:
            yield from reader.events(item.value, item.place)


def _whole(item: Item) -> Iterator[Event]:
    """A conversation that is one item."""
    value = item.value if isinstance(item.value, dict) else {}
    given = next((made for key in ("id", "conversation_id", "session_id") if (made := usable_id(value.get(key)))), None)
    yield from named("chat", _spoken(item), given, stamp(value))


def _spoken(item: Item) -> Iterator[Event]:
    """The turns of a conversation that is one item."""
    reader = Messages()
    if isinstance(item.value, dict) and item.value.get("system"):
        yield Skipped(item.place, "a system prompt")
    messages = messages_of(item.value)
    for number, message in enumerate(messages, 1):
        yield from reader.events(message, f"{item.place} message {number}")
