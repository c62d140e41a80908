"""Whether a text ends by asking: what is said next is then likely to answer it."""

from __future__ import annotations

MARKS = ("?", "\uff1f", "\u061f")
"""What a question ends with: in most scripts, in those of full width, in Arabic."""

_CLOSING = " \t\n\"'\u2019\u201d\u00bb*_~"
_TAIL = 2_000
"""Characters at the end of a text that are looked at."""


def asks(text: str) -> bool:
    """Whether the last thing a text says is a question; a note in brackets behind it, of a picture say, counts not."""
    tail = text[-_TAIL:].rstrip(_CLOSING)
    if tail.endswith((")", "]")):
        tail = tail[: max(tail.rfind("("), tail.rfind("["), 0)].rstrip(_CLOSING)
    return tail.endswith(MARKS)
