"""Exports of bethink itself: of their lines the turns are what was said; records are no one's words and come not in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bethink.domain.session import is_typed
from bethink.importing.read import Item
from bethink.importing.transcript import Event, Said, Skipped, TranscriptSession, TranscriptTurn, usable_id, words
from bethink.operations.importing import BadItem
from bethink.operations.users import EXPORT_FORMAT

_SAID: dict[str, Said] = {"user": "user", "assistant": "assistant", "tool": "tool", "participant": "person"}

_BESIDE = {"manifest", "session", "entity", "term", "relation", "document", "record", "end"}


def claims(value: Any) -> bool:
    """Whether the value is the manifest of an export."""
    return words(value, "line") == "manifest" and words(value, "format") == EXPORT_FORMAT


def events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The turns of an export, each under the message id it had."""
    for item in items:
        if isinstance(item, BadItem):
            yield item
        elif words(item.value, "line") == "turn":
            yield _turn(item)
        elif words(item.value, "line") in _BESIDE:
            yield Skipped(item.place, words(item.value, "line"))
        else:
            yield BadItem(item.place, "it is no line of an export")


def _session(named: str | None) -> str | None:
    """The session of a turn: what was typed at `remember` becomes talk, since its record stays out."""
    return named if named is None or not is_typed(named) else f"was-{named}"


def _turn(item: Item) -> Event:
    """One turn, or why it is none."""
    value = item.value
    role, session = words(value, "role"), _session(usable_id(value.get("session")))
    if role == "system":
        return Skipped(item.place, "system")
    if session is None or role not in _SAID or not words(value, "text"):
        return BadItem(item.place, "it is no turn of an export")
    return TranscriptTurn(
        session=TranscriptSession(session),
        place=item.place,
        said=_SAID[role],
        text=words(value, "text"),
        speaker=words(value, "speaker") if role == "participant" else None,
        time=value.get("said_at"),
        message_id=usable_id(value.get("message_id")),
    )
