"""What a set's values are known by: a hash over all that is in them, and the tenant that holds just that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from bethink.evaluation.cases import Case, Conversation

_DIGITS = 16
_NAME = 120
"""Characters of a scope that stand in its tenant's name, which may have two hundred."""


def digest(parts: Sequence[Conversation | Case]) -> str:
    """A hash over every field of conversations and cases, 16 hex digits."""
    told = json.dumps(list(parts), ensure_ascii=True, default=_plain)
    return hashlib.sha256(told.encode()).hexdigest()[:_DIGITS]


def tenant_of(name: str, conversations: Sequence[Conversation]) -> str:
    """The tenant that holds these conversations and nothing else, so that no kept store answers with other words."""
    return f"{name[:_NAME].strip()}.{digest(conversations)}"


def _plain(value: Any) -> Any:
    """A value that JSON does not know, as one that it does."""
    if is_dataclass(value):
        return [[one.name, getattr(value, one.name)] for one in fields(value)]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)
