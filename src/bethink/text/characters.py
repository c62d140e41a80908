r"""Classes of characters that the other modules of this folder share, as bodies for a regular expression's ``[...]``.

Python's ``\w`` knows letters and digits but not the marks that belong to them (vowel signs of Hindi and Thai, Hebrew
points, combining accents), so a word is ``[\w + MARKS]``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from bethink.domain.invisible import SELECTORS, TAGS, ZERO_WIDTH

_MARK_BLOCKS = (
    (0x0300, 0x1100),
    (0x1300, 0x1400),
    (0x1700, 0x1E00),
    (0x2000, 0x2100),
    (0x2C00, 0x2E00),
    (0x3000, 0x3100),
    (0xA600, 0xAC00),
    (0xFB00, 0xFF00),
    (0x10100, 0x12000),
    (0x13400, 0x13500),
    (0x16A00, 0x17000),
    (0x1BC00, 0x1E500),
    (0x1E800, 0x1EA00),
    (0xE0100, 0xE0200),
)
"""Where marks live. Asking only here costs 3 ms at import; asking for all of Unicode would cost 150."""

LINE_BREAKS = "\n\r\v\f\x85\u2028\u2029"
"""What a renderer may treat as the end of a line."""

CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
"""C0 and C1 controls that are neither a tab nor a line break."""

HAN = "\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
KANA = "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001b000-\U0001b16f"
UNSPACED = (
    HAN
    + KANA
    + "\u3105-\u312f\u31a0-\u31bf"  # Bopomofo
    + "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    + "\u0e81-\u0ece\u0edc-\u0edf"  # Lao
    + "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"  # Myanmar
    + "\u1780-\u17d3\u17dc\u17dd"  # Khmer
)
"""Scripts written without spaces between words (digits and punctuation of these scripts excepted)."""


def _ranges(points: Iterable[int]) -> str:
    """Ascending code points as the body of a character class."""
    spans: list[list[int]] = []
    for point in points:
        if spans and spans[-1][1] == point - 1:
            spans[-1][1] = point
        else:
            spans.append([point, point])
    return "".join(f"{chr(first)}-{chr(last)}" if last > first else chr(first) for first, last in spans)


MARKS = _ranges(
    point for first, end in _MARK_BLOCKS for point in range(first, end) if unicodedata.category(chr(point))[0] == "M"
)
"""Combining marks of the running Python's Unicode."""

_EXTENDING = MARKS + ZERO_WIDTH + SELECTORS + TAGS
_VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2"
_CLUSTER = re.compile(
    f"(?:[\U0001f1e6-\U0001f1ff]{{2}}|[\u1100-\u115e]+[\u1161-\u11a7]*[\u11a8-\u11ff]*|[^{_EXTENDING}])[{_EXTENDING}]*"
    f"(?:(?:(?<=\u200d)[\u2190-\u2bff\U0001f000-\U0001faff]|[\U0001f3fb-\U0001f3ff]"
    f"|(?<=[{_VIRAMAS}])[\u0900-\u0dff\u1000-\u109f\u1780-\u17b3])[{_EXTENDING}]*)*|.",
    re.DOTALL,
)


def clusters(text: str) -> list[str]:
    """What a reader takes for single characters: letters with their marks, conjuncts, joined emoji, flags.

    Joined they are the text. A practical subset of Unicode's extended grapheme clusters (UAX 29).
    """
    return list(text) if text.isascii() else _CLUSTER.findall(text)
