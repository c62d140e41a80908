"""Owning: whether a statement says that the user has or uses a thing now.

It begins with the user ("User", "The user", or "I" in the user's own words) and one of has, owns, drives and uses, and
goes on to a thing: a negation, a past use, a perfect tense or a necessity after the verb says something else.
"""

from __future__ import annotations

import re

from bethink.domain.record import fold

OWNING_TYPES = ("user_attribute", "resource", "project_fact")
"""The types such a statement may be of: an attribute of the user, or what it is of a thing or a project."""

OPENING = 160
"""Characters of a statement that the rule reads."""

_USER = frozenset({"user", "the user", "i"})
_VERB = r"(?P<verb>has|have|owns?|drives?|uses?) (?P<rest>.+)"
_SAID = re.compile(rf"(?:(?:the )?user|i) {_VERB}")
_CLAUSE = re.compile(_VERB)
_DENIED = re.compile(
    r"(?:no|not|none|nothing|never|neither|nor|hardly|barely|rarely|seldom|zero|to|(?:once|previously|formerly)\b.*)"
    r"(?: |$)"
)
_BETWEEN = r"(?:(?:only|just|also|already|since|recently|often|long|now) )*"
_PERFECT = re.compile(
    rf"{_BETWEEN}(?:been|had|gone|lost|sold|left|given|quit|begun|become|made|taken|seen|met|bought|broken|thrown"
    r"|driven|done|kept|written|built|read|got to|(?!(?:red|bed|weed|seed|need|feed|speed|shed|sled)\b)[a-z]+ed)"
    r"(?: |$)"
)


def says_owning(subject: str | None, text: str, polarity: str = "assert") -> bool:
    """Whether a belief is a direct, affirmative statement of owning or using, as of now.

    Args:
        subject: what it is about; where that is the user, the text may begin with the verb.
        text: the statement, of which its first `OPENING` characters count.
        polarity: a retraction states nothing that is so.
    """
    if polarity != "assert":
        return False
    said = fold(text[:OPENING])
    found = _SAID.match(said) or (_CLAUSE.match(said) if fold(subject or "") in _USER else None)
    if found is None or _DENIED.match(found["rest"]) is not None:
        return False
    return not (found["verb"] in {"has", "have"} and _PERFECT.match(found["rest"]))
