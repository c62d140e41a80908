"""Messages of chat interfaces, whose content is a text or a list of typed blocks.

A message becomes one turn for its words and one for each tool result it carries. Calls of tools, thinking and
pictures without words are not said by anyone and yield nothing. What a memory tool answered is left out, for memory
that imports its own answers would soon hold nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bethink.importing.transcript import (
    UNNAMED,
    Event,
    Said,
    Skipped,
    TranscriptTurn,
    children,
    usable_id,
    words,
)
from bethink.operations.importing import BadItem

ROLES: dict[str, Said] = {"user": "user", "human": "user", "assistant": "assistant", "model": "assistant"}
TOOL_ROLES = frozenset({"tool", "function"})
HIDDEN_ROLES = frozenset({"system", "developer"})
"""Instructions to the model are no conversation, and a file may not claim the system's authority."""

TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})
MEMORY_TOOLS = frozenset(
    {
        *("memory_search", "memory_get", "memory_write", "memory_revise", "memory_forget", "memory_recall_episodes"),
        *("memory_extract_brief", "memory_extract_verdict"),
    }
)


class Messages:
    """Turns messages into events, remembering which tool calls went to memory itself."""

    def __init__(self) -> None:
        self._memory_calls: set[str] = set()

    def events(self, message: Any, place: str) -> Iterator[Event]:
        """The turns of one message, or why there are none."""
        if not isinstance(message, dict):
            yield BadItem(place, "is no message object")
            return
        kind = words(message, "type")
        if kind in {"function_call", "custom_tool_call"}:
            self._called(words(message, "name"), message.get("call_id"))
            yield Skipped(place, "a tool call")
        elif kind in {"function_call_output", "custom_tool_call_output"}:
            yield self._result(message.get("output"), message.get("call_id"), place)
        elif kind == "reasoning":
            yield Skipped(place, "thinking")
        else:
            yield from self._message(message, place)

    def _message(self, message: dict[str, Any], place: str) -> Iterator[Event]:
        """The turns of a message with a role."""
        role = words(message, "role")
        for call in children(message, "tool_calls"):
            function = call.get("function") if isinstance(call, dict) else None
            self._called(words(function, "name"), call.get("id") if isinstance(call, dict) else None)
        if role in HIDDEN_ROLES:
            yield Skipped(place, f"a {role} message")
        elif role in TOOL_ROLES:
            yield self._result(message.get("content"), message.get("tool_call_id"), place)
        elif role in ROLES:
            yield from self._spoken(message, ROLES[role], place)
        else:
            yield BadItem(place, f"has no role that is known: {role[:40]!r}" if role else "has no role")

    def _spoken(self, message: dict[str, Any], said: Said, place: str) -> Iterator[Event]:
        """What a person or the assistant said, and the tool results that came with it."""
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        yielded = False
        for block in blocks:
            kind = words(block, "type")
            if kind.endswith("tool_use"):
                self._called(words(block, "name"), block.get("id"))
            elif kind.endswith("tool_result"):
                yielded = True
                yield self._result(block.get("content"), block.get("tool_use_id"), place)
        text = plain(content)
        if text.strip():
            speaker = words(message, "name").strip() if said == "user" else ""
            yield TranscriptTurn(
                UNNAMED, place, said, text, speaker or None, stamp(message), usable_id(message.get("id"))
            )
        elif not yielded:
            yield Skipped(place, "no words")

    def _result(self, content: Any, call: object, place: str) -> Event:
        """What a tool answered."""
        if isinstance(call, str) and call in self._memory_calls:
            return Skipped(place, "an answer of memory itself")
        text = plain(content)
        if not text.strip():
            return Skipped(place, "no words")
        made = usable_id(call)
        return TranscriptTurn(UNNAMED, place, "tool", text, None, None, None if made is None else f"{made}:result")

    def _called(self, name: str, call: object) -> None:
        """Remember a call of a memory tool, however the host prefixes its name."""
        if isinstance(call, str) and name.rpartition("__")[2].rpartition(".")[2] in MEMORY_TOOLS:
            self._memory_calls.add(call)


def plain(content: Any) -> str:
    """The words of a content: itself when a text, else those of its text blocks, a line apart."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    found = (
        block if isinstance(block, str) else words(block, "text") if words(block, "type") in TEXT_BLOCKS else ""
        for block in content
    )
    return "\n".join(part for part in found if part)


def stamp(message: dict[str, Any]) -> object:
    """The time of a message, under the names in use."""
    return next((message[key] for key in ("timestamp", "created_at", "create_time") if message.get(key)), None)
