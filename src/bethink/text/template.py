"""What an entry is called when it is indexed: the words an encoder reads, and the words of its day.

Naming the speaker and the day in the text is worth more than a better small encoder: on LoCoMo turns recall@10 of the
default encoder rises from 30 % (bare) to 44 % (speaker) to 50 % (speaker and day).
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from bethink.domain.record import fold

TEMPLATE = "v1"
"""Stands in the spec of every embedding space: another template is another space."""

_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


class Phrase(NamedTuple):
    """What the encoder reads of an entry: `lead` characters of the template's, then the entry's own words."""

    text: str
    lead: int = 0


def phrased(text: str, own: str) -> Phrase:
    """The text that a template made of an entry's own words, which stand at its end."""
    return Phrase(text, len(text) - len(own))


def passage_phrase(title: str, headings: tuple[str, ...], text: str) -> Phrase:
    """What the encoder reads of a passage: its document and headings, then its words."""
    return phrased(f"{place_of(title, headings)}\n{text}", text)


def place_of(title: str, headings: tuple[str, ...]) -> str:
    """A passage's place: the title and the headings below it, each once."""
    return " > ".join(dict.fromkeys((title, *headings)))


def turn_text(speaker: str, text: str, said_at: datetime) -> str:
    """What the encoder reads of a turn: ``[8 May 2023] Caroline: I went …``."""
    return f"[{day_of(said_at)}] {speaker}: {text}"


def belief_text(subject: str | None, text: str) -> str:
    """What the encoder reads of a belief: its subject first, unless the text names it already."""
    return f"{subject}: {text}" if subject and fold(subject) not in fold(text) else text


def day_words(instant: datetime | None) -> str:
    """The day as a question may name it: ``8 May 2023 Monday``; empty without one."""
    return f"{day_of(instant)} {_WEEKDAYS[instant.weekday()]}" if instant else ""


def day_of(instant: datetime) -> str:
    """A day in words: ``8 May 2023``."""
    return f"{instant.day} {_MONTHS[instant.month - 1]} {instant.year}"
