"""Views: the ways a text may be read, so that a disguise does not hide an instruction from the screen.

The plain view is case-folded, in compatibility form, without accents and invisible characters. Others undo look-alike
letters, letters spelled apart, digits for letters, hidden characters, the usual encodings, escapes, rot13 and reversal.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import string
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import unquote

from bethink.domain.invisible import INVISIBLE, SELECTORS, TAGS


@dataclass(frozen=True, slots=True)
class View:
    """One reading of a text.

    Args:
        text: the reading, folded.
        start, end: the part of the original it reads.
        lengths: how many characters each character of that part became; None when each became one, or when no
            finer place than the whole part can be named (`whole`).
        whole: whether every place in it stands for the whole part.
    """

    text: str
    start: int
    end: int
    lengths: tuple[int, ...] | None = None
    whole: bool = False

    def places(self, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The places in the original of half-open spans of this view."""
        if self.whole:
            return [(self.start, self.end) for _ in spans]
        if self.lengths is None:
            return [(self.start + begin, self.start + end) for begin, end in spans]
        begins = [0, *accumulate(self.lengths)]
        return [
            (self.start + bisect_right(begins, begin) - 1, self.start + bisect_right(begins, max(end - 1, begin)))
            for begin, end in spans
        ]


class _Folding(dict[int, str]):
    """Each character's plain form: compatibility, lower case, no accent on a Latin letter, nothing if invisible."""

    def __missing__(self, point: int) -> str:
        character = chr(point)
        if _INVISIBLE.match(character) or "\u0300" <= character <= "\u036f":
            plain = ""
        elif character in _LOOKALIKES:
            plain = _LOOKALIKES[character]
        else:
            plain = unicodedata.normalize("NFKC", character).casefold()
            apart = unicodedata.normalize("NFD", plain)
            if apart[:1].isascii():
                plain = "".join(mark for mark in apart if not "\u0300" <= mark <= "\u036f")
        if len(self) < _MAX_FOLDED:
            self[point] = plain
        return plain


_MAX_FOLDED = 65_536
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ"  # noqa: RUF001 - other scripts are the subject
_LOOKALIKES = {
    **dict(zip(_SMALL_CAPITALS, "abcdefghijklmnopqrstuvwxyz", strict=True)),
    **{chr(first + at): chr(0x61 + at) for first in (0x1F150, 0x1F170, 0x1F1E6) for at in range(26)},
    **dict(zip("ıłøđħŧ\u2018\u2019\u02bc", "ilodht'''", strict=True)),
}
"""Letters that compatibility forms leave alone and that are read as Latin ones."""

_CONFUSABLE = str.maketrans(
    "авекмнорстухіјѕһԁԛԝѵгьαβεηκνορτυχωισγօոսցհզ", "abekmhopctyxijshdqwvrbabenkvoptuxwisyonughq"
)
"""Cyrillic, Greek and Armenian letters inside words that are otherwise Latin."""

_MIXED = re.compile("[a-z][\u0370-\u052f\u0561-\u0587]|[\u0370-\u052f\u0561-\u0587][a-z]")
_SPELLED = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .\-_*|/,·]{1,3}){3,400}[^\W\d_](?![^\W_])")
_APART = re.compile(r"([^\W\d_])([ .\-_*|/,·]{0,3})")
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"[a-z][013457@$]{1,2}[a-z]")
_TAG_RUN = re.compile(f"[{TAGS}]{{3,}}")
_SELECTOR_RUN = re.compile(f"[{SELECTORS}]{{3,}}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_\-]{20,}={0,2}")
_HEX = re.compile(r"[0-9A-Fa-f]{2}(?:[ :,]?(?:0x)?[0-9A-Fa-f]{2}){11,}")
_BINARY = re.compile(r"[01]{8}(?:[ ,]?[01]{8}){7,}")
_DECIMAL = re.compile(r"[0-9]{2,3}(?:[ ,]{1,2}[0-9]{2,3}){11,}")
_BASE32 = re.compile(r"[A-Z2-7]{24,}={0,6}")
_BASE85 = re.compile(r"<~([!-u]{20,})~>|(?<!\S)([!-~]{40,})(?!\S)")
_MORSE = re.compile(r"[.\-]{1,5}(?:[ /|]{1,3}[.\-]{1,5}){11,}")
_MORSE_CODES = (
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--",
    "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
)  # fmt: skip
_MORSE_LETTERS = dict(zip(_MORSE_CODES, string.ascii_lowercase, strict=True))
_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|&#?[0-9a-zA-Z]{2,8};|%[0-9a-fA-F]{2}")
_ENCODED = re.compile(
    r"[!-~]{20}|[0-9A-Fa-f]{2,8}(?:[ ,:]{1,2}[0-9A-Fa-fx]{2,8}){5}|[.\-]{1,5}(?:[ /|]{1,3}[.\-]{1,5}){5}"
)
_TELLING = ("instruction", "ignore", "prompt", "password", "system", "secret", "disregard", "previous")
_TURNED = tuple(codecs.encode(word, "rot13") for word in _TELLING)
_REVERSED = tuple(word[::-1] for word in _TELLING)
_FOLDING = _Folding()


def fold(text: str, start: int = 0, end: int | None = None) -> View:
    """The plain view of ``text[start:end]``."""
    part = text[start:end]
    stop = start + len(part)
    if part.isascii():
        return View(part.lower(), start, stop)
    plain = part.translate(_FOLDING)
    lengths = tuple(len(_FOLDING[ord(character)]) for character in part) if len(plain) != len(part) else None
    return View(plain, start, stop, lengths)


def disguises(text: str, plain: View) -> Iterator[View]:
    """Other readings of the part of the text that `plain` reads; only those the text gives a reason for."""
    yield from _relettered(plain)
    part = text[plain.start : plain.end]
    if len(_ESCAPE.findall(part)) > 1:
        yield View(_unescaped(part).translate(_FOLDING), plain.start, plain.end, whole=True)
    for run, decode in _encodings(part):
        for match in run.finditer(part):
            decoded = decode(match[0])
            if _reads_as_text(decoded):
                yield View(
                    decoded.translate(_FOLDING), plain.start + match.start(), plain.start + match.end(), whole=True
                )


def _encodings(part: str) -> Sequence[tuple[re.Pattern[str], Callable[[str], str]]]:
    """The encodings worth looking for: none in plain prose."""
    plain = _PLAIN_ENCODINGS if _ENCODED.search(part) else ()
    return plain if part.isascii() else (*_HIDDEN_ENCODINGS, *plain)


def _relettered(plain: View) -> Iterator[View]:
    """Readings of the plain view with letters exchanged, joined or turned round."""
    if not plain.text.isascii() and _MIXED.search(plain.text):
        yield View(plain.text.translate(_CONFUSABLE), plain.start, plain.end, plain.lengths)
    if len(_LEET_WORD.findall(plain.text)) > 1:
        yield View(plain.text.translate(_LEET), plain.start, plain.end, plain.lengths)
    if _SPELLED.search(plain.text):
        joined = _SPELLED.sub(lambda match: _joined(match[0]), plain.text)
        yield View(joined, plain.start, plain.end, whole=True)
    if any(word in plain.text for word in _TURNED):
        yield View(codecs.encode(plain.text, "rot13"), plain.start, plain.end, plain.lengths)
    if any(word in plain.text for word in _REVERSED):
        yield View(plain.text[::-1], plain.start, plain.end, whole=True)


def _joined(spelled: str) -> str:
    """``i g n o r e  a l l`` as ``ignore all``: the usual gap joins, a wider or other one parts words."""
    letters = _APART.findall(spelled)
    usual = max((gap for _, gap in letters[:-1]), key=[gap for _, gap in letters].count)
    return "".join(letter if gap in (usual, "") else f"{letter} " for letter, gap in letters)


def _from_tags(run: str) -> str:
    return "".join(chr(ord(character) - 0xE0000) for character in run if 0xE0020 <= ord(character) <= 0xE007E)


def _from_selectors(run: str) -> str:
    values = (ord(character) for character in run)
    return bytes(value - 0xFE00 if value < 0xFE10 else value - 0xE0100 + 16 for value in values).decode(
        "utf-8", "ignore"
    )


def _from_base64(run: str) -> str:
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain[: len(plain) - (len(plain) % 4 == 1)] + "=" * (-len(plain) % 4)).decode(
            "utf-8", "ignore"
        )
    except (binascii.Error, ValueError):
        return ""


def _from_hex(run: str) -> str:
    digits = re.sub("0x|[^0-9A-Fa-f]", "", run)
    return bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-8", "ignore")


def _from_base32(run: str) -> str:
    plain = run.rstrip("=")
    plain = plain[: len(plain) - (len(plain) % 8 in {1, 3, 6})]
    return base64.b32decode(plain + "=" * (-len(plain) % 8)).decode("utf-8", "ignore")


def _from_base85(run: str) -> str:
    framed = run.startswith("<~")
    try:
        return (base64.a85decode(run, adobe=True) if framed else base64.b85decode(run)).decode("utf-8", "ignore")
    except ValueError:
        return ""


def _from_binary(run: str) -> str:
    bits = re.sub("[^01]", "", run)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) // 8 * 8, 8)).decode("utf-8", "ignore")


def _from_decimal(run: str) -> str:
    return "".join(chr(int(number)) for number in re.findall("[0-9]+", run))


def _from_morse(run: str) -> str:
    words = re.split(r" ?[/|] ?|  +", run)
    return " ".join("".join(_MORSE_LETTERS.get(code, "?") for code in word.split()) for word in words)


def _unescaped(text: str) -> str:
    """The text with percent, backslash and HTML escapes resolved."""
    resolved = html.unescape(unquote(text))
    return re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))", lambda match: chr(int(match[1] or match[2], 16)), resolved
    )


_PLAIN_ENCODINGS = (
    (_BASE64, _from_base64),
    (_BASE32, _from_base32),
    (_BASE85, _from_base85),
    (_HEX, _from_hex),
    (_BINARY, _from_binary),
    (_DECIMAL, _from_decimal),
    (_MORSE, _from_morse),
)
_HIDDEN_ENCODINGS = ((_TAG_RUN, _from_tags), (_SELECTOR_RUN, _from_selectors))


def _reads_as_text(decoded: str) -> bool:
    """Whether a decoding gave words: long enough, and nearly all of it printable."""
    if len(decoded) < 8:
        return False
    printable = sum(map(str.isprintable, decoded)) + decoded.count("\n")
    return printable >= 0.9 * len(decoded) and sum(map(str.isalpha, decoded)) >= 0.5 * len(decoded)
