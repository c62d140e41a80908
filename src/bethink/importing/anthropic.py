"""Anthropic message lists: content as text or blocks, the system prompt beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bethink.importing.lists import is_message, list_events, messages_of
from bethink.importing.read import Item
from bethink.importing.transcript import Event, children, words
from bethink.operations.importing import BadItem

_BLOCKS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "server_tool_use"}


def claims(value: Any) -> bool:
    """Whether the value can only be Anthropic's: a system prompt beside the messages, or its blocks."""
    if isinstance(value, dict) and "system" in value and children(value, "messages"):
        return True
    return any(
        is_message(message) and any(words(block, "type") in _BLOCKS for block in children(message, "content"))
        for message in messages_of(value)
    )


def events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The turns of the lists."""
    return list_events(items)
