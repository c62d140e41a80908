"""Which format a file is in, decided by marks that only one format has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from bethink.errors import UnknownFormat
from bethink.importing import anthropic, bethink_export, chatgpt, claude, claude_code, locomo, openai
from bethink.importing.read import Item
from bethink.importing.transcript import Event
from bethink.operations.importing import FORMATS, BadItem

Reader = Callable[[Iterable[Item | BadItem]], Iterator[Event]]

READERS: dict[str, Reader] = {
    "openai": openai.events,
    "anthropic": anthropic.events,
    "chatgpt": chatgpt.events,
    "claude": claude.events,
    "claude-code": claude_code.events,
    "locomo": locomo.events,
    "bethink": bethink_export.events,
}

_CLAIMS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("bethink", bethink_export.claims),
    ("locomo", locomo.claims),
    ("chatgpt", chatgpt.claims),
    ("claude", claude.claims),
    ("claude-code", claude_code.claims),
    ("anthropic", anthropic.claims),
    ("openai", openai.claims),
)
_PEEKED_ITEMS = 50
_PEEKED_BYTES = 2**24
_PEEKED_BAD = 1_000


def detect(items: Iterator[Item | BadItem], name: str) -> tuple[str, Iterator[Item | BadItem]]:
    """The format of a stream, and the stream whole again.

    Args:
        items: the stream; a bounded part of its beginning is looked at.
        name: the file's name, for the message.

    Raises:
        UnknownFormat: no item bears a mark.
    """
    held: list[Item | BadItem] = []
    size = 0
    plain = False
    for item in items:
        held.append(item)
        if isinstance(item, Item):
            size += item.size
            found = next((label for label, claims in _CLAIMS if claims(item.value)), None)
            if found is not None:
                return found, chain(held, items)
            plain = plain or openai.allows(item.value)
        good = sum(isinstance(one, Item) for one in held) if len(held) >= _PEEKED_ITEMS else 0
        if good >= _PEEKED_ITEMS or size > _PEEKED_BYTES or len(held) >= _PEEKED_BAD:
            break
    if plain:
        return "openai", chain(held, items)
    bad = next((item for item in held if isinstance(item, BadItem)), None)
    why = f" The first thing in it that cannot be read is {bad.place}: {bad.reason}." if bad else ""
    msg = f"{name} is none of the transcripts known: {', '.join(FORMATS)}.{why}"
    raise UnknownFormat(msg)
