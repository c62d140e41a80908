"""The door: what may come in. Lengths of texts are checked first, so a huge input costs nothing."""

from __future__ import annotations

import re
import unicodedata

from bethink.domain.invisible import INVISIBLE
from bethink.errors import InvalidInput
from bethink.text.characters import CONTROLS

TEXT_LIMIT = 16_000
"""Characters a text may have unless the caller sets another limit."""

LARGEST = 2**62
"""The largest whole number that may come in: each database can hold it."""

_CONTROL = re.compile(f"[{CONTROLS}]")
_VISIBLE = re.compile(f"[^\\s{INVISIBLE}]")
_BREAKS = re.compile("\r\n?|[\v\f\x85]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def check_text(text: object, what: str, limit: int = TEXT_LIMIT) -> str:
    r"""The text in NFC with ``\n`` line ends, or a refusal that says why and what to do.

    Refused: what is no string, `blank`, longer than `limit` characters, or holds NUL, a lone surrogate or another
    control character. Tabs are text, and so are line ends of any kind (carriage return, form feed, next line). Other
    controls are refused rather than dropped, because evidence is kept word for word; `strip_controls` is for callers
    that read terminals.

    Args:
        text: what was passed.
        what: its name for the message, such as ``content``.
        limit: the most characters.

    Raises:
        InvalidInput: any of these.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"{what} must be text, not {type(text).__name__}.", remedy=f"Pass {what} as a string.")
    if len(text) > limit:
        raise _too_long(len(text), what, limit)
    if _SURROGATE.search(text):
        msg = f"{what} holds half of a surrogate pair, which no database can store."
        raise InvalidInput(msg, remedy="Decode the source as UTF-8 or UTF-16 before passing it.")
    clean = unicodedata.normalize("NFC", _BREAKS.sub("\n", text))
    if len(clean) > limit:
        raise _too_long(len(clean), what, limit)
    if blank(clean):
        raise InvalidInput(f"{what} is empty.", remedy=f"Pass {what} with at least one visible character.")
    if control := _CONTROL.search(clean):
        msg = f"{what} holds the control character U+{ord(control[0]):04X} at position {control.start()}."
        raise InvalidInput(msg, remedy="Remove control characters other than tab and line break, then call again.")
    return clean


def check_flag(value: object, what: str) -> None:
    """Pass for true and false alone: a text such as "no" would count as true.

    Raises:
        InvalidInput: anything else.
    """
    if not isinstance(value, bool):
        raise InvalidInput(f"{what} {str(value)[:40]!r} is neither true nor false.", remedy=f"Pass {what} as a bool.")


def check_whole(value: object, what: str, least: int = 0, most: int = LARGEST) -> None:
    """Pass for a whole number from `least` to `most`.

    Raises:
        InvalidInput: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(f"{what} must be a whole number from {least:,} to {most:,}, not {str(value)[:40]!r}.")


def blank(text: str) -> bool:
    """Whether a text shows nothing: empty, blanks, or characters without width alone."""
    return _VISIBLE.search(text) is None


def strip_controls(text: str) -> str:
    """The text without the control characters and lone surrogates that `check_text` refuses."""
    return _SURROGATE.sub("", _CONTROL.sub("", _BREAKS.sub("\n", text)))


def _too_long(length: int, what: str, limit: int) -> InvalidInput:
    msg = f"{what} has {length:,} characters; at most {limit:,} are allowed."
    return InvalidInput(msg, remedy="Split it into several, or raise the limit in the settings.")
