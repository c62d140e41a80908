"""Clauses: a message in the parts that ask for one thing each, so that each keeps what it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

LIMIT = 1_000
"""Characters of a text that are read for what they ask; what is longer is a document and not a question."""

_ASKING = (
    r"(?:what|which|who|whom|whose|where|when|why|how|do|does|did|am|is|are|was|were|have|has|can|could|should|would"
    r"|will|tell|remind|show|list|give|recommend|suggest|help)\b"
)
_PART = re.compile(rf"([?.!\n;]+\s*|,?\s+\b(?:and|or|but|also|then|plus)\s+(?={_ASKING})|,\s*(?={_ASKING}))")
_WORD = re.compile(r"[^\w'$-]+")
_BEGINS = re.compile(rf"(?:(?:so|and|well|hey|hi|please|ok|okay|now|then|also|but) )*{_ASKING}")
_OF_SELF = re.compile(r"\b(?:i|i'm|i've|me|my|mine|myself|users?|owner|owned)\b")
_THE_USER = (
    (re.compile(r"\b(?:the )?user's\b"), "my"),
    (re.compile(r"\b(do|does|did|am|is|are|was|has|have|should|can) the user\b"), r"\1 i"),
)
_DOES = (("does i ", "do i "), ("is i ", "am i "), ("has i ", "have i "))


@dataclass(frozen=True)
class Clause:
    """One part of a message: its folded words with single blanks, and whether it reads as a question or request."""

    text: str
    asks: bool

    @cached_property
    def spaced(self) -> str:
        """The words between blanks, for a look at whole words."""
        return f" {self.text} "


def clauses(text: str, *, deliberate: bool = False) -> tuple[Clause, ...]:
    """The clauses of a text about the user, in order; none where nothing in it is about the user.

    A part that begins no question of its own belongs to the one before it.

    Args:
        text: what was said.
        deliberate: whether an agent asks memory, which then may speak of its user as "the user".
    """
    read = text[:LIMIT].replace("\u2019", "'").casefold()
    if _OF_SELF.search(read) is None:
        return ()
    parts = _PART.split(read)
    found = []
    for at in range(0, len(parts), 2):
        words = _WORD.sub(" ", parts[at]).strip()
        if words:
            ends = parts[at + 1] if at + 1 < len(parts) else ""
            spoken = _as_user(words) if deliberate else words
            found.append(Clause(spoken, "?" in ends or _BEGINS.match(spoken) is not None))
    return tuple(found)


def _as_user(words: str) -> str:
    """The words as the user would have said them."""
    if "user" not in words:
        return words
    for pattern, said in _THE_USER:
        words = pattern.sub(said, words)
    words = f"{words} "
    for wrong, right in _DOES:
        words = words.replace(wrong, right)
    return words.strip()
