"""Claude.ai data exports: conversations with messages whose words stand in content blocks, in older ones in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bethink.importing.messages import ROLES, TEXT_BLOCKS, stamp
from bethink.importing.read import Item
from bethink.importing.transcript import (
    UNNAMED,
    Event,
    Skipped,
    TranscriptTurn,
    children,
    named,
    usable_id,
    words,
)
from bethink.operations.importing import BadItem


def claims(value: Any) -> bool:
    """Whether the value is a conversation of the export."""
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("chat_messages"), list) or (
        isinstance(value.get("messages"), list) and "uuid" in value and "name" in value
    )


def events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The turns of each conversation."""
    for item in items:
        if isinstance(item, BadItem):
            yield item
        elif not claims(item.value):
            yield BadItem(item.place, "is no Claude conversation: it has no chat_messages")
        else:
            yield from named("claude", _turns(item), usable_id(item.value.get("uuid")), item.value.get("created_at"))


def _turns(item: Item) -> Iterator[Event]:
    """The messages in the order of the export."""
    messages = children(item.value, "chat_messages") or children(item.value, "messages")
    for number, message in enumerate(messages, 1):
        place = f"{item.place} message {number}"
        said = ROLES.get(words(message, "sender") or words(message, "role"))
        if not isinstance(message, dict) or said is None:
            yield BadItem(place, "has no sender that is known")
            continue
        text = _words(message)
        if text.strip():
            yield TranscriptTurn(UNNAMED, place, said, text, None, stamp(message), usable_id(message.get("uuid")))
        else:
            yield Skipped(place, "no words")


def _words(message: dict[str, Any]) -> str:
    """The text blocks, else the text, and the names of the files that came along."""
    blocks = children(message, "content")
    spoken = [words(block, "text") for block in blocks if words(block, "type") in TEXT_BLOCKS]
    text = "\n".join(part for part in spoken if part.strip()) or words(message, "text") or words(message, "content")
    files = [*children(message, "attachments"), *children(message, "files")]
    shared = dict.fromkeys(name for file in files if (name := words(file, "file_name").strip()))
    return "\n".join(part for part in (text, *(f"[shares file: {name}]" for name in shared)) if part)
