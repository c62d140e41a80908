"""The budget's unit: an estimate of tokens that needs no model, and a cut that respects it."""

from __future__ import annotations

from typing import Final

from bethink.text.characters import clusters

ESTIMATOR: Final = "bytes/4"
"""The estimator's name, stated beside every budget: a quarter of the UTF-8 bytes, rounded up."""

BYTES_PER_TOKEN: Final = 4
MARKER: Final = " […]"
"""What stands where text was cut."""

_LONGEST_CHARACTER = 32
_WORD_REACH = 48
"""How many characters before the limit a space is looked for; scripts without spaces are cut at a character."""


def estimate_tokens(text: str) -> int:
    """Tokens of a text by `ESTIMATOR`; 0 for no text."""
    return -(-_size(text) // BYTES_PER_TOKEN)


def cut_to_tokens(text: str, budget: int, marker: str = MARKER) -> tuple[str, bool]:
    """The text within a budget, and whether it was cut.

    A cut text ends in the marker, which counts; the cut falls between words where it can and never inside a
    character, be it letters with accents or a joined emoji. A budget too small for one character and the marker
    leaves nothing.

    Args:
        text: valid Unicode, without lone surrogates.
        budget: tokens by `ESTIMATOR`; below zero is none.
        marker: what stands for the rest.
    """
    if estimate_tokens(text) <= max(budget, 0):
        return text, False
    room = budget * BYTES_PER_TOKEN - _size(marker)
    if room <= 0:
        return "", True
    kept = _whole_words(_whole_characters(text, room), text)
    return (kept + marker, True) if kept else ("", True)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _whole_characters(text: str, room: int) -> str:
    """The longest beginning of at most `room` bytes that ends between characters; an endless one is cut anyhow."""
    fitting = text.encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
    end = 0
    for cluster in clusters(text[: len(fitting) + _LONGEST_CHARACTER]):
        if end + len(cluster) > len(fitting):
            return fitting[:end] if end or len(cluster) < _LONGEST_CHARACTER else fitting
        end += len(cluster)
    return fitting


def _whole_words(kept: str, text: str) -> str:
    """What was kept, ending at a space when one is near and the cut would halve a word."""
    following = text[len(kept) : len(kept) + 1]
    if not following or following.isspace():
        return kept.rstrip()
    near = max((at for at, character in enumerate(kept[-_WORD_REACH:]) if character.isspace()), default=-1)
    if near < 0:
        return kept
    at_word = kept[: max(len(kept) - _WORD_REACH, 0) + near].rstrip()
    return at_word or kept
