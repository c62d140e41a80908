"""Whether a text gives a standing instruction: how something is to be done from now on, whatever is asked then.

Such a sentence says in passing what it is for, if at all ("Always cite your sources"), and the questions it is meant
for share hardly a word with it. It is told by how it begins, in English by a wish too. A statement that begins like
one ("Never been there") is taken for one, which costs little: it is only judged by what it means. What a text quotes
is somebody else's word and instructs nobody.
"""

from __future__ import annotations

import re

_NEVER = r"mai(?= (?:pi\u00f9 )?\w{2,}[aeiou]r(?:e|mi|ti|si|ci|vi|l[oaie]|ne)\b)"
"""Italian, before an infinitive: alone the word is a name too, and a month in German."""
_BEGINNINGS = (
    *("always", r"never(?! mind)", "whenever", "every time", "each time", "from now on", "going forward"),
    *("do not ever", r"don['\u2019]t ever", "when i ask", "if i ask"),
    *("immer", "nie", "niemals", "jedes mal", "ab jetzt", "ab sofort", "von nun an"),
    *("siempre", "nunca", "cada vez", "a partir de ahora", "de ahora en adelante"),
    *("toujours", "jamais", "chaque fois", "désormais", "dorénavant", "à partir de maintenant"),
    *("sempre", _NEVER, "ogni volta", r"d['\u2019]ora in poi", "toda vez", "a partir de agora"),
    *("altijd", "nooit", "elke keer", "vanaf nu"),
    *("всегда", "никогда", "каждый раз", "отныне"),
)
_WISHES = (
    r"(?:want|need|like|ask|expect) you to (?:always|never)",
    r"you (?:should|must) (?:always|never)",
    r"(?:make sure|be sure|remember)(?: that| to| you){0,2} (?:always|never)",
)
_INSTRUCTING = re.compile(
    rf"(?:^|[.!?\n])[\s'*-]*(?:(?:please|and|also|but|so|ok|okay|bitte|por favor),? )*(?:{'|'.join(_BEGINNINGS)})\b"
    rf"|\b(?:{'|'.join(_WISHES)})\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"^[ \t]*>[^\n]*$|(?:```|~~~).*?(?:```|~~~|\Z)"
    r"|(?<!\w)\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\u00ab[^\u00bb\n]*\u00bb|\u201e[^\u201c\u201d\n]*[\u201c\u201d]",
    re.MULTILINE | re.DOTALL,
)
_QUOTES = frozenset('>`~"\u201c\u00ab\u201e')
_ENDS = (".", "!", "?", "`", "~")
_LOOKED_AT = 2_000
"""Characters from the beginning of a text: an instruction stands before what it is to be done with."""


def instructs(text: str) -> bool:
    """Whether a sentence near the beginning of a text is a standing instruction."""
    told = text[:_LOOKED_AT]
    if not _QUOTES.isdisjoint(told):
        told = _QUOTED.sub(_left_out, told)
    return _INSTRUCTING.search(told) is not None


def _left_out(quote: re.Match[str]) -> str:
    """What stands for a quote: something that is no word, and the end of a sentence where one ended in it."""
    return "\u2026." if quote[0].rstrip('"\u201c\u201d\u00bb').endswith(_ENDS) else "\u2026"
