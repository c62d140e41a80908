"""Parts that several results share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the caller should know that is no error: a stable code, and a sentence."""

    code: str
    text: str
