"""Rejections: what somebody said is not so, kept under its statement and never with its words.

A statement is known again by its words in their order, without case, blanks and punctuation, and by what it is about.
So it is the same whichever record, analyser or model it is derived with.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.record import Content, fold
from bethink.domain.scope import Scope

Reason = Literal["untrue", "changed", "elsewhere", "unspecified"]

WEAKENED = 0.1
"""What a rejection without a reason takes from a record's confidence."""

LEAST_CONFIDENCE = 0.05
"""What it leaves."""

_WORDS = re.compile(r"\w+(?:[.,:'/\-]\w+)*")


@dataclass(frozen=True, slots=True)
class Rejection:
    """One rejection.

    `project` says where the statement does not hold, None for everywhere; `rank` what the word of whoever rejected it
    is worth. `record` is None once that record was erased.
    """

    id: str
    scope: Scope
    reason: Reason
    rank: int
    said_at: datetime
    project: str | None = None
    record: str | None = None
    trace: str | None = None


def gist(text: str) -> str:
    """The words of a statement in one form; numbers keep what stands inside them."""
    return " ".join(_WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))


def rejected_statements(content: Content) -> tuple[str, ...]:
    """What a rejected statement is kept under, before hashing: with its subject and for who names none."""
    said = gist(content.text)
    if not content.subject_key:
        return (f"any\n{said}",)
    return (f"of {fold(content.subject_key)}\n{said}", f"unnamed\n{said}")


def wanted_statements(content: Content) -> tuple[str, ...]:
    """What a statement is looked for under: two that name different subjects never meet."""
    said = gist(content.text)
    return (f"of {fold(content.subject_key)}\n{said}" if content.subject_key else f"unnamed\n{said}", f"any\n{said}")
