"""LoCoMo conversations: two people, many dated sessions, pictures described by a caption.

A picture's caption is part of what was shared. The search phrase that found the picture (its ``query``) is not, and
neither are the questions and summaries beside the conversation: none of that was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from bethink.importing.read import Item
from bethink.importing.transcript import (
    Event,
    Skipped,
    TranscriptSession,
    TranscriptTurn,
    child,
    digest,
    usable_id,
    words,
)
from bethink.operations.importing import BadItem

_SESSION = re.compile(r"session_(\d{1,6})", re.ASCII)


def claims(value: Any) -> bool:
    """Whether the value is a conversation of the data set."""
    found = child(value, "conversation") or value
    return bool(words(found, "speaker_a") and words(found, "speaker_b") and _numbers(found))


def events(items: Iterable[Item | BadItem]) -> Iterator[Event]:
    """The turns of each conversation, session by session."""
    for item in items:
        if isinstance(item, BadItem):
            yield item
        elif not claims(item.value):
            yield BadItem(item.place, "is no LoCoMo conversation: it has no two speakers with a session")
        else:
            yield from _conversation(item)


def _conversation(item: Item) -> Iterator[Event]:
    """The sessions of one conversation, by number; a date without a session holds nothing."""
    found = child(item.value, "conversation") or item.value
    name = usable_id(item.value.get("sample_id"))
    if name is None:
        first = found[f"session_{_numbers(found)[0]}"]
        name = f"locomo:{digest(words(found, 'speaker_a'), words(found, 'speaker_b'), *map(_said, first))}"
    for number in _numbers(found):
        time = found.get(f"session_{number}_date_time")
        session = TranscriptSession(f"{name}:S{number}", time)
        for at, turn in enumerate(found[f"session_{number}"], 1):
            yield _turn(turn, session, f"{item.place} session {number} turn {at}")


def _turn(turn: Any, session: TranscriptSession, place: str) -> Event:
    """One turn: what was said, and what the picture shows."""
    speaker = words(turn, "speaker").strip()
    if not speaker:
        return BadItem(place, "has no speaker")
    text = _said(turn)
    if not text:
        return Skipped(place, "no words")
    return TranscriptTurn(session, place, "person", text, speaker, session.time, usable_id(turn.get("dia_id")))


def _said(turn: Any) -> str:
    """The words of a turn and the caption of its picture."""
    caption = words(turn, "blip_caption").strip()
    shared = f"[shares image: {caption}]" if caption else ""
    return " ".join(part for part in (words(turn, "text").strip(), shared) if part)


def _numbers(found: Any) -> list[int]:
    """The numbers of the sessions that hold turns."""
    keys = found if isinstance(found, dict) else {}
    matches = ((_SESSION.fullmatch(key), value) for key, value in keys.items())
    return sorted(int(match[1]) for match, value in matches if match and isinstance(value, list))
