"""OpenAI message lists: chat messages and response items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bethink.importing.lists import is_message, list_events, messages_of
from bethink.importing.read import Item
from bethink.importing.transcript import Event, children, words
from bethink.operations.importing import BadItem

_ROLES = {"system", "developer", "tool", "function"}
_BLOCKS = {"image_url", "input_text", "output_text", "input_image", "input_audio", "refusal"}
_ITEMS = {"function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"}


def claims(value: Any) -> bool:
    """Whether the value can only be OpenAI's: a role, a field or a block that no other list has."""
    return any(_claims(message) for message in messages_of(value))


def allows(value: Any) -> bool:
    """Whether the value is a plain message list, which OpenAI's reader reads as well as any."""
    messages = messages_of(value)
    return bool(messages) and all(is_message(message) for message in messages)


def events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The turns of the lists."""
    return list_events(items)


def _claims(message: Any) -> bool:
    """Whether one message is marked."""
    if not isinstance(message, dict):
        return False
    if words(message, "type") in _ITEMS:
        return True
    return is_message(message) and (
        message["role"] in _ROLES
        or isinstance(message.get("tool_calls"), list)
        or any(words(block, "type") in _BLOCKS for block in children(message, "content"))
    )
