"""ChatGPT data exports: a tree of messages per conversation, of which one branch is the conversation.

The branch is the one that ends in ``current_node``, walked upwards: following first children instead would pick
answers the user had regenerated and abandoned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bethink.importing.read import Item
from bethink.importing.transcript import (
    UNNAMED,
    Event,
    Said,
    Skipped,
    TranscriptTurn,
    child,
    children,
    named,
    usable_id,
    words,
)
from bethink.operations.importing import BadItem

_SAID: dict[str, Said] = {"user": "user", "assistant": "assistant", "tool": "tool"}
_SPOKEN = {"text", "multimodal_text", "execution_output", "tether_quote", "tether_browsing_display", "code"}


def claims(value: Any) -> bool:
    """Whether the value is a conversation of the export."""
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The turns of each conversation's live branch."""
    for item in items:
        if isinstance(item, BadItem):
            yield item
        elif not claims(item.value):
            yield BadItem(item.place, "is no ChatGPT conversation: it has no mapping")
        else:
            given = usable_id(item.value.get("conversation_id")) or usable_id(item.value.get("id"))
            yield from named("chatgpt", _branch(item), given, item.value.get("create_time"))


def _branch(item: Item) -> Iterator[Event]:
    """The messages from the root to the current node."""
    mapping = item.value["mapping"]
    at = item.value.get("current_node")
    if not isinstance(at, str) or at not in mapping:
        at = _latest_leaf(mapping)
    path: list[str] = []
    seen: set[str] = set()
    while isinstance(at, str) and at in mapping and at not in seen:
        seen.add(at)
        path.append(at)
        at = mapping[at].get("parent") if isinstance(mapping[at], dict) else None
    for node in reversed(path):
        message = child(mapping[node], "message")
        if message:
            yield _message(message, usable_id(message.get("id")) or usable_id(node), item.place)


def _latest_leaf(mapping: dict[str, Any]) -> str | None:
    """The newest message nobody answered, for an export that does not say where the conversation stands."""
    leaves = [key for key, node in mapping.items() if isinstance(node, dict) and not children(node, "children")]
    return max(leaves, key=lambda key: (_created(mapping[key]), key), default=None)


def _created(node: dict[str, Any]) -> float:
    """When a node was made, 0 when it does not say."""
    time = child(node, "message").get("create_time")
    return float(time) if isinstance(time, int | float) and abs(time) < 1e12 else 0.0


def _message(message: dict[str, Any], message_id: str | None, place: str) -> Event:
    """One message of the branch."""
    where = f"{place} message {message_id or '?'}"
    author = child(message, "author")
    said = _SAID.get(words(author, "role"))
    kind = words(child(message, "content"), "content_type")
    if child(message, "metadata").get("is_visually_hidden_from_conversation") or said is None:
        return Skipped(where, "hidden or a system message")
    if "bio" in {words(author, "name"), words(message, "recipient")}:
        return Skipped(where, "an answer of memory itself")
    if said == "assistant" and words(message, "recipient") not in {"", "all"}:
        return Skipped(where, "a tool call")
    if kind not in _SPOKEN:
        return Skipped(where, f"content of kind {kind[:40] or 'unknown'}")
    text = _words(child(message, "content"))
    if not text.strip():
        return Skipped(where, "no words")
    return TranscriptTurn(UNNAMED, where, said, text, None, message.get("create_time"), message_id)


def _words(content: dict[str, Any]) -> str:
    """The words of a content: its parts, of which some are objects that may hold a text."""
    parts = children(content, "parts") or [words(content, "text") or words(content, "result")]
    found = (part if isinstance(part, str) else words(part, "text") for part in parts)
    return "\n".join(part for part in found if part)
