"""Events: whether a question is about what happened rather than about what is so."""

from __future__ import annotations

import re

_EVENT = re.compile(
    r"\b(when|what\s+happened|how\s+long\s+ago|how\s+often|last\s+(time|night|week|month|year|summer|winter|spring|fall)"
    r"|yesterday|ago|said|told|mentioned|talked|discussed|happened)\b"
    r"|\b(what|who|whom|where|which|how|why)\b[^?.!]{0,40}\bdid\b|^\s*did\b",
    re.IGNORECASE,
)


def asks_events(text: str) -> bool:
    """Whether the text asks about events."""
    return _EVENT.search(text) is not None
