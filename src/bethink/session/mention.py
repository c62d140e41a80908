"""Mentions: `@memory:query` in an agent's words, answered in place. What an answer holds is not read for mentions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bethink.errors import InvalidInput
from bethink.operations.common import Notice
from bethink.operations.mention import Answered, MentionRequest, MentionResult
from bethink.operations.recall import RecallRequest, RecallResult

MOST = 5
"""Mentions of one text that are answered."""

TEXT_LIMIT = 100_000
"""Characters of a text that is read for mentions."""

QUERY = 500
"""Characters of a query; what is longer is no mention."""

NOTHING = "(memory: nothing found)"
"""What stands in the place of a mention without an answer."""

_MENTION = re.compile(r'(?<![\w@])@memory:(?:"(?P<quoted>[^"\n]+)"|(?P<word>[^\s"]*[^\s".,;:!?)\]}]))')


@dataclass(frozen=True, slots=True)
class Asking:
    """One mention: where it stands in the text, and what it asks."""

    start: int
    end: int
    query: str


def mentions(text: str) -> tuple[Asking, ...]:
    """The mentions of a text, in order. Blanks alone ask nothing, and punctuation behind a word is not the word's."""
    found = ((match, match["quoted"] or match["word"] or "") for match in _MENTION.finditer(text))
    return tuple(
        Asking(match.start(), match.end(), query) for match, query in found if query.strip() and len(query) <= QUERY
    )


def answered(request: MentionRequest, ask: Callable[[RecallRequest], RecallResult]) -> MentionResult:
    """The text with its first five mentions answered in place.

    Raises:
        InvalidInput: no text, or too long a one.
    """
    if not isinstance(request.text, str):
        raise InvalidInput(f"text must be text, not {type(request.text).__name__}.")
    if len(request.text) > TEXT_LIMIT:
        raise InvalidInput(f"text has {len(request.text):,} characters; at most {TEXT_LIMIT:,} are read for mentions.")
    text, found = request.text, mentions(request.text)
    told: list[str] = []
    answers: list[Answered] = []
    end = 0
    for one in found[:MOST]:
        result = ask(RecallRequest(one.query, profile="mention", moment="mention", session=request.session))
        told += [text[end : one.start], result.rendered or NOTHING]
        answers.append(Answered(one.query, result))
        end = one.end
    left = len(found) - len(answers)
    notices = (Notice("mentions_left", f"{left} more mentions were left as they are."),) if left > 0 else ()
    return MentionResult("".join((*told, text[end:])), tuple(answers), notices)
