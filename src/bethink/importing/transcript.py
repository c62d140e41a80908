"""What the formats have in common: sessions, turns as a format states them, and careful looks into untrusted JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from bethink.domain.ids import check_id
from bethink.domain.record import fold
from bethink.domain.session import Role
from bethink.errors import InvalidInput
from bethink.operations.importing import BadItem

Said = Literal["user", "assistant", "tool", "person"]
"""Who spoke, in the format's words. A `person` is a named speaker of a conversation between people."""

HEAD_TURNS = 32
"""A conversation without an id is known by its turns up to the first answer; never more than these."""


@dataclass(frozen=True, slots=True)
class TranscriptSession:
    """One conversation of a file: the id its format gives it, and its time as the format writes it."""

    id: str
    time: object = None


UNNAMED = TranscriptSession("")
"""The session of turns that `named` has yet to name."""


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """One utterance, as the format states it: `time` unread, `message_id` None where the format has none."""

    session: TranscriptSession
    place: str
    said: Said
    text: str
    speaker: str | None = None
    time: object = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that is no one's words by the format's own account: hidden, system, a side thread, empty."""

    place: str
    reason: str


Event = TranscriptTurn | Skipped | BadItem


def role_of(said: Said, speaker: str | None, self_name: str | None) -> Role:
    """The role of a turn. Only the user's own words are the user's: any other named person is a participant.

    A named speaker is the user when the name is `self_name`; nobody named is, while `self_name` is not given.
    """
    if said in {"assistant", "tool"}:
        return "assistant" if said == "assistant" else "tool"
    if speaker is None:
        return "user" if said == "user" else "participant"
    return "user" if self_name is not None and fold(speaker) == fold(self_name) else "participant"


def named(name: str, events: Iterable[Event], given: str | None = None, time: object = None) -> Iterator[Event]:
    """Put unnamed turns into their session: the given id, else one derived from the conversation's beginning.

    The beginning reaches up to the first answer, so a transcript that grew since keeps its id, and two
    conversations that open with the same greeting do not share one.
    """
    session = None if given is None else TranscriptSession(given, time)
    head: list[TranscriptTurn] = []
    for event in events:
        if not isinstance(event, TranscriptTurn):
            yield event
        elif session is not None:
            yield replace(event, session=session)
        else:
            head.append(event)
            if event.said == "assistant" or len(head) == HEAD_TURNS:
                session = TranscriptSession(_head_id(name, head), time)
                yield from (replace(turn, session=session) for turn in head)
    if session is None:
        session = TranscriptSession(_head_id(name, head), time)
        yield from (replace(turn, session=session) for turn in head)


def usable_id(value: object) -> str | None:
    """The value when it can serve as an identifier, else None."""
    if not isinstance(value, str):
        return None
    try:
        return check_id(value, "id")
    except InvalidInput:
        return None


def unstorable(text: str) -> str | None:
    """Why a text can be kept by no database alike, None when it can."""
    if "\0" in text:
        return "its text holds a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "its text holds half a surrogate pair"
    return None


def digest(*parts: str) -> str:
    """24 hex digits of SHA-256 over the parts; half surrogates count as what they are."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def child(value: Any, key: str) -> dict[str, Any]:
    """The object under a key, empty when there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def children(value: Any, key: str) -> list[Any]:
    """The list under a key, empty when there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def words(value: Any, key: str) -> str:
    """The text under a key, empty when there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _head_id(name: str, spoken: Iterable[TranscriptTurn]) -> str:
    """An id made of how a conversation begins."""
    return f"{name}:{digest(*(part for turn in spoken for part in (turn.said, turn.text)))}"
