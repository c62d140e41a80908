"""Whether a text gives a standing instruction: how something is to be done from now on, whatever is asked then.

Such a sentence says in passing what it is for, if at all ("Always cite your sources"), and the questions it is meant
for share hardly a word with it. It is told by how it begins, in English by a wish too. A statement that begins like
one ("Never been there") is taken for one, which costs little: it is only judged by what it means.
"""

from __future__ import annotations

import re

_BEGINNINGS = (
    *("always", r"never(?! mind)", "whenever", "every time", "each time", "from now on", "going forward"),
    *("do not ever", r"don['\u2019]t ever", "when i ask", "if i ask"),
    *("immer", "nie", "niemals", "jedes mal", "ab jetzt", "ab sofort", "von nun an"),
    *("siempre", "nunca", "cada vez", "a partir de ahora", "de ahora en adelante"),
    *("toujours", "jamais", "chaque fois", "désormais", "dorénavant", "à partir de maintenant"),
    *("sempre", "mai", "ogni volta", r"d['\u2019]ora in poi", "toda vez", "a partir de agora"),
    *("altijd", "nooit", "elke keer", "vanaf nu"),
    *("всегда", "никогда", "каждый раз", "отныне"),
)
_WISHES = (
    r"(?:want|need|like|ask|expect) you to (?:always|never)",
    r"you (?:should|must) (?:always|never)",
    r"(?:make sure|be sure|remember)(?: that| to| you){0,2} (?:always|never)",
)
_INSTRUCTING = re.compile(
    rf"(?:^|[.!?\n])[\s\"'*>-]*(?:(?:please|and|also|but|so|ok|okay|bitte|por favor),? )*(?:{'|'.join(_BEGINNINGS)})\b"
    rf"|\b(?:{'|'.join(_WISHES)})\b",
    re.IGNORECASE,
)
_LOOKED_AT = 2_000
"""Characters from the beginning of a text: an instruction stands before what it is to be done with."""


def instructs(text: str) -> bool:
    """Whether a sentence near the beginning of a text is a standing instruction."""
    return _INSTRUCTING.search(text[:_LOOKED_AT]) is not None
