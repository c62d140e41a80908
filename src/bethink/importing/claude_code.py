"""Claude Code session logs: one JSON object a line, of which only some are said by anyone.

Side threads, meta lines and summaries of the conversation are left out, and so is what the program itself puts into
a user's message. Lines of answers that were later rewound stay: they were said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bethink.importing.messages import Messages
from bethink.importing.read import Item
from bethink.importing.transcript import (
    Event,
    Skipped,
    TranscriptSession,
    TranscriptTurn,
    child,
    usable_id,
    words,
)
from bethink.operations.importing import BadItem

_SPOKEN = {"user", "assistant"}
_ASIDE = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
_TAGS = (
    "system-reminder",
    "command-name",
    "command-message",
    "command-args",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "user-prompt-submit-hook",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "task-notification",
)


def claims(value: Any) -> bool:
    """Whether the value is a line of such a log."""
    if not isinstance(value, dict):
        return False
    if words(value, "type") in _SPOKEN:
        return "sessionId" in value and isinstance(value.get("message"), dict)
    return words(value, "type") == "summary" and "leafUuid" in value


def events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The turns of the log, each in the session its line names."""
    readers: dict[str, tuple[Messages, TranscriptSession]] = {}
    for item in items:
        if isinstance(item, BadItem):
            yield item
        elif not isinstance(item.value, dict) or not words(item.value, "type"):
            yield BadItem(item.place, "is no line of a session log: it has no type")
        elif item.value["type"] not in _SPOKEN:
            yield Skipped(item.place, f"a line of type {item.value['type'][:40]}")
        elif any(item.value.get(flag) for flag in _ASIDE) or words(item.value.get("message"), "model") == "<synthetic>":
            yield Skipped(item.place, "a side thread, a summary or the program's own")
        elif (session := usable_id(item.value.get("sessionId"))) is None:
            yield BadItem(item.place, "names no session")
        else:
            reader, opened = readers.setdefault(session, (Messages(), TranscriptSession(session)))
            yield from _line(item, opened, reader)


def without_tags(text: str) -> str:
    """The text without what the program put into it between tags of its own."""
    for tag in _TAGS:
        text = _without(text, f"<{tag}>", f"</{tag}>")
    return text.strip()


def _line(item: Item, session: TranscriptSession, reader: Messages) -> Iterator[Event]:
    """The turns of one line."""
    place, time, line_id = item.place, item.value.get("timestamp"), usable_id(item.value.get("uuid"))
    for event in reader.events(child(item.value, "message"), place):
        if not isinstance(event, TranscriptTurn):
            yield event
            continue
        text = without_tags(event.text)
        if not text or text.startswith("[Request interrupted by user"):
            yield Skipped(place, "the program's own words")
            continue
        message_id = event.message_id if event.said == "tool" else line_id
        yield replace(event, session=session, text=text, time=time, message_id=message_id)


def _without(text: str, opening: str, closing: str) -> str:
    """The text without each stretch from `opening` to the `closing` after it; an open end stays."""
    kept: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join([*kept, text[at:]])
