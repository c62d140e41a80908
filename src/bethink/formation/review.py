"""Review: a second look at each suggestion before anything is stored. It can take away and never add.

A reviewer's word is checked like anybody's: it covers each suggestion once, and what it narrows says less in the words
that are there. It has no way to name a source, a quote, a scope or a subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bethink.errors import ModelError
from bethink.operations.extraction import Assessment, Suggestion
from bethink.ports.models import Case
from bethink.text.entailment import entails
from bethink.text.entailment_words import NEGATIONS, sentences

LONGEST = 400
"""Characters of a statement that is still one fact."""

_PLACEHOLDER = re.compile(
    r"\[[^\]\n]{1,40}\]|\{[^}\n]{1,40}\}|<[^>\n]{1,40}>|\b(?:john doe|jane doe|lorem ipsum|foo bar)\b", re.IGNORECASE
)
_ABOUT_USER = re.compile(r"\busers?\b", re.IGNORECASE)
_UNFOUNDED = {"question", "hypothetical", "reported", "negation", "number", "name", "empty"}
"""What a quote says less than: an inference from it would be an invention."""


class RulesReviewer:
    """The deterministic reviewer: accepts what the quote says, and a paraphrase of what the user asserts."""

    def review(self, cases: Sequence[Case]) -> tuple[Assessment, ...]:
        """One word on each case."""
        return tuple(Assessment(place, "accept" if _holds(case) else "reject") for place, case in enumerate(cases))


def ruled(assessments: Sequence[Assessment], count: int) -> tuple[Assessment, ...]:
    """The assessments by place, when there is exactly one of each.

    Raises:
        ModelError: the review is not complete, or names what was not asked: nothing of it can be trusted.
    """
    by_place = {assessment.place: assessment for assessment in assessments}
    if len(assessments) != count or by_place.keys() != set(range(count)):
        raise ModelError(f"The review covers {len(by_place)} of {count} suggestions.")
    if any(assessment.ruling not in {"accept", "reject", "narrow"} for assessment in assessments):
        raise ModelError("The review holds a ruling that does not exist.")
    return tuple(by_place[place] for place in range(count))


def narrowed(suggestion: Suggestion, word: Assessment, quote: str) -> Suggestion | None:
    """The suggestion as a reviewer narrowed it; None when that would say something else, or more.

    New content begins like the old, denies what it denied, and holds words of the old content only, or says no more
    than the quote in it. New times lie within the old ones.
    """
    content = suggestion.content if word.content is None else word.content
    if content != suggestion.content and not _says_less(content, suggestion.content, quote):
        return None
    start, end = word.valid_from or suggestion.valid_from, word.valid_until or suggestion.valid_until
    early = suggestion.valid_from is not None and start is not None and start < suggestion.valid_from
    late = suggestion.valid_until is not None and end is not None and end > suggestion.valid_until
    if early or late:
        return None
    review = word.review_at or suggestion.review_at
    return replace(suggestion, content=content, valid_from=start, valid_until=end, review_at=review)


def _holds(case: Case) -> bool:
    """Whether the rules accept a case."""
    suggestion, turn = case.suggestion, case.passage.turn
    if len(suggestion.content) > LONGEST or _PLACEHOLDER.search(suggestion.content):
        return False
    names = (turn.speaker, "user", "the user") if turn.role == "user" else (turn.speaker,)
    verdict = entails(" ".join(suggestion.quote.split()), suggestion.content, names)
    told = _ABOUT_USER.search(suggestion.quote) is not None  # who says "the user" is not speaking of themselves
    return verdict.entailed or (turn.role == "user" and not told and verdict.reason not in _UNFOUNDED)


def _says_less(new: str, old: str, quote: str) -> bool:
    """Whether a statement says no more than another one, or than the quote behind both."""
    ours, theirs = _words(new), _words(old)
    if not ours or ours[:2] != theirs[:2] or _denials(ours) != _denials(theirs):
        return False
    spoken = set(theirs) | set(_words(quote))
    return _within(ours, theirs) or (entails(quote, new).entailed and set(ours) <= spoken | set(theirs[:2]))


def _words(text: str) -> list[str]:
    """The words of a text as they are compared."""
    return [word for sentence in sentences(text) for word in sentence.words]


def _denials(words: Sequence[str]) -> int:
    """How many words deny."""
    return sum(word in NEGATIONS for word in words)


def _within(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether the words stand in the others in their order."""
    rest = iter(theirs)
    return all(word in rest for word in ours)
