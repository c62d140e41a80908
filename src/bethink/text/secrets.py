"""Secrets out of text, before it is stored: each is replaced by a marker that names its kind."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from bethink.text.secret_shapes import SHAPES, Shape

_UNBROKEN = re.compile(r"[A-Za-z0-9_\-.:/+=]{16}")
"""What every provider's token holds, and little else does: this many characters without a space."""

_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True, slots=True)
class SecretFound:
    """A secret's kind and half-open place in the text that was checked; never the secret."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text with markers such as ``[redacted:github-token]``, and what was found, in order of place."""

    text: str
    found: tuple[SecretFound, ...]


def redact_secrets(text: str) -> Redacted:
    """Replace every secret by a marker. What touches or overlaps becomes one; redacting twice changes nothing."""
    found = find_secrets(text)
    if not found:
        return Redacted(text, ())
    parts = []
    position = 0
    for secret in found:
        parts += [text[position : secret.start], f"[redacted:{secret.kind}]"]
        position = secret.end
    return Redacted("".join([*parts, text[position:]]), found)


def find_secrets(text: str) -> tuple[SecretFound, ...]:
    """Where the secrets of a text lie: disjoint, in order."""
    lowered = _lowered(text)
    unbroken = _UNBROKEN.search(text) is not None
    likely = [
        (rank, shape)
        for rank, shape in enumerate(SHAPES)
        if (unbroken or not shape.unbroken) and holds_any(lowered, shape.hints)
    ]
    ranked = [(rank, found) for rank, shape in likely for found in _matches(shape, text, lowered)]
    merged: list[tuple[int, SecretFound]] = []
    for rank, secret in sorted(ranked, key=lambda entry: (entry[1].start, entry[0])):
        if not merged or secret.start >= merged[-1][1].end:
            merged.append((rank, secret))
            continue
        best, last = merged[-1]
        kind = secret.kind if rank < best else last.kind
        merged[-1] = (min(rank, best), SecretFound(kind, last.start, max(last.end, secret.end)))
    return tuple(secret for _, secret in merged)


def holds_any(text: str, hints: tuple[str, ...]) -> bool:
    """Whether one of the hints occurs in the text."""
    for hint in hints:  # noqa: SIM110 - a generator is five times slower
        if hint in text:
            return True
    return False


def _matches(shape: Shape, text: str, lowered: str) -> list[SecretFound]:
    """Every confirmed match of one shape. A labelled name that is called (``password = ask()``) is code, no secret."""
    group = "secret" if "secret" in shape.pattern.groupindex else 0
    return [
        SecretFound(shape.kind, *match.span(group))
        for match in shape.pattern.finditer(lowered if shape.any_case else text)
        if shape.confirm(text[slice(*match.span(group))]) and not (group and text.startswith("(", match.end(group)))
    ]


def _lowered(text: str) -> str:
    """The text in lower case, character for character."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)
