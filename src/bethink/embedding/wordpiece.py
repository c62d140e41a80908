"""BERT's uncased WordPiece in pure Python: the ids the model's own ``tokenizer.json`` gives, for any string.

Normalise each character, split into words, cut each word greedily into the longest pieces the vocabulary holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from bethink.embedding.charclasses import is_ideograph, is_punctuation, is_silent

CLS: Final = "[CLS]"
SEP: Final = "[SEP]"
UNKNOWN: Final = "[UNK]"
# The tokenizer reads these as themselves wherever they stand in a text, before anything is normalised.
SPECIAL: Final = ("[PAD]", UNKNOWN, CLS, SEP, "[MASK]")
LONGEST_WORD: Final = 100
"""Characters; a longer word is one unknown token, as the model was trained."""

_SPECIAL_PATTERN: Final = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")
# A bound on memory, not on text: hostile input could otherwise fill both memos with every code point and word.
_MEMO_ENTRIES: Final = 32_768


class _Characters(dict[int, str]):
    """For `str.translate`: what each code point becomes, worked out the first time it is met."""

    def __missing__(self, code: int) -> str:
        """Work out one code point; keep it while there is room."""
        becomes = _normalised(code)
        if len(self) < _MEMO_ENTRIES:
            self[code] = becomes
        return becomes


def _normalised(code: int) -> str:
    """One character cleaned, decomposed, without accents, in lower case; spaced out if it is a word of its own."""
    if is_silent(code):
        return ""
    character = chr(code)
    if character.isspace():
        return " "
    base = "".join(part for part in unicodedata.normalize("NFD", character) if not is_silent(ord(part)))
    # One character at a time: lower-casing a whole word would bend its final sigma, which the model never saw bent.
    lowered = base.lower()
    if is_ideograph(code):
        return f" {lowered} "
    return "".join(f" {part} " if is_punctuation(ord(part)) else part for part in lowered)


_CHARACTERS: Final = _Characters()


class WordPiece:
    """Token ids of texts over one vocabulary, whose order gives the ids. Safe to share between threads."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._longest = max(len(piece) for piece in self._ids)
        self._unknown = (self._ids[UNKNOWN],)
        self._first, self._last = self._ids[CLS], self._ids[SEP]
        self._words: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """The ids of `text` between the two ids that frame every text; never cut, so as many as the text needs."""
        ids = [self._first]
        for part in _SPECIAL_PATTERN.split(text):
            if part in SPECIAL:
                ids.append(self._ids[part])
            else:
                for word in part.translate(_CHARACTERS).split():
                    ids += self._pieces(word)
        ids.append(self._last)
        return ids

    def _pieces(self, word: str) -> tuple[int, ...]:
        known = self._words.get(word)
        if known is None:
            known = self._cut(word)
            if len(self._words) < _MEMO_ENTRIES and len(word) <= LONGEST_WORD:
                self._words[word] = known
        return known

    def _cut(self, word: str) -> tuple[int, ...]:
        """The longest piece first, then the longest continuation, and so on; unknown as a whole if one is missing."""
        if len(word) > LONGEST_WORD:
            return self._unknown
        pieces: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._ids.get(mark + word[start:end])
                if piece is not None:
                    break
            else:
                return self._unknown
            pieces.append(piece)
            start, mark = end, "##"
        return tuple(pieces)
