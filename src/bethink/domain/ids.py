"""Ids: one rule for every name a host, a person or a file gives: tenants, users, agents, sessions, keys."""

from __future__ import annotations

import re
import unicodedata

from bethink.errors import InvalidInput

MAX_ID = 200
"""Characters an id may have."""

_REFUSED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNSEEN = frozenset({"Zs", "Cf", "Mn", "Me"})
"""Categories of what shows nothing by itself: blanks, format characters, marks that need a letter."""

_FILLER = re.compile("[\u115f\u1160\u2065\u2800\u3164\uffa0\ufff0-\ufff8\U00013430-\U0001343f\U000e0000-\U000e0fff]")
"""What shows nothing though its category does not say so."""


def check_id(value: object, what: str) -> str:
    """The id in NFC, or a refusal.

    Ids are opaque: 1 to `MAX_ID` characters with at least one that can be seen, without ``/``, controls and line
    breaks, and without a blank at either end, where two ids would look alike.

    Args:
        value: what was passed.
        what: its name for the message, such as ``user``.

    Raises:
        InvalidInput: any other value. The message never repeats it.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}.", remedy=f"Pass {what} as a string.")
    if len(value) > MAX_ID:
        msg = f"{what} has {len(value):,} characters; at most {MAX_ID} are allowed."
        raise InvalidInput(msg, remedy="Use a shorter id, such as a hash of the long one.")
    if refused := _REFUSED.search(value):
        msg = f"{what} holds U+{ord(refused[0]):04X} at position {refused.start()}."
        raise InvalidInput(msg, remedy="Ids hold no control characters, line breaks or surrogates.")
    clean = unicodedata.normalize("NFC", value)
    if all(unicodedata.category(char) in _UNSEEN or _FILLER.match(char) for char in clean):
        raise InvalidInput(f"{what} is empty.", remedy=f"Pass a non-empty {what}.")
    if "/" in clean:
        msg = f'{what} holds a "/", which separates the parts of a scope.'
        raise InvalidInput(msg, remedy='Use an id without "/".')
    if clean != clean.strip():
        raise InvalidInput(f"{what} holds a blank at its end or beginning.", remedy="Pass the id without it.")
    if len(clean) > MAX_ID:
        raise InvalidInput(f"{what} has more than {MAX_ID} characters in NFC.", remedy="Use a shorter id.")
    return clean
