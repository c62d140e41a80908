"""Validate suggestions before anything else looks at them: where the quote stands, and what repeats or is too much.

A quote that stands nowhere in what may be read is no evidence, whoever quotes it. A time that the quote does not name
is no time.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.record import content_digest, fold
from bethink.domain.scope import ScopeKind
from bethink.domain.transcript import Passage, Transcript
from bethink.domain.types import TYPES, Kind, type_rule
from bethink.formation.entities import subject_of
from bethink.operations.extraction import Dropped, Suggestion
from bethink.text.entailment_words import HYPOTHETICAL, sentences
from bethink.text.language import spoken_in
from bethink.text.spans import Span, locate, long_enough
from bethink.text.when import TimeExpression, dated, expressions

MOST = 32
MOST_OF_A_TURN = 6
"""Suggestions of one reading, and of one turn."""

_NAMES = ("event_at", "valid_from", "valid_until", "review_at")
_AHEAD = HYPOTHETICAL | {
    "flying",
    "travelling",
    "traveling",
    "moving",
    "starting",
    "meeting",
    "visiting",
    "getting",
    "am",
}
"""Words of a statement that looks ahead: its bare weekday is the next one."""


@dataclass(frozen=True, slots=True)
class Founded:
    """A suggestion whose quote was found: the passage it stands in, and where."""

    suggestion: Suggestion
    passage: Passage
    span: Span

    @property
    def quote(self) -> str:
        """The quote as it stands in the turn."""
        return self.passage.turn.text[self.span.start : self.span.end]


def founded(suggestions: Sequence[Suggestion], transcript: Transcript, dropped: Counter[Dropped]) -> list[Founded]:
    """The suggestions whose quotes stand in an unread passage, in the order in which they were said, each once.

    Args:
        suggestions: as they were made.
        transcript: what may be read.
        dropped: counts the others by why they were dropped.
    """
    found: list[Founded] = []
    for suggestion in suggestions:
        place = _place(suggestion, transcript)
        if isinstance(place, Founded):
            found.append(place)
        else:
            dropped[place] += 1
    found.sort(key=lambda item: (item.passage.turn.seq, item.span.start))
    return _capped(_distinct(found, dropped), dropped)


def timed(found: Founded) -> Suggestion:
    """The suggestion with the times its own words name, told from when they were said, and no others.

    Its content then names dates instead of `tomorrow`. A time that was suggested counts only where the quote names it.
    """
    said_at, suggestion = found.passage.turn.said_at, found.suggestion
    ahead = looks_ahead(found.quote)
    named = [
        item
        for item in expressions(suggestion.content, said_at, ahead=ahead)
        if fold(suggestion.content[item.start : item.end]) in fold(found.quote)
    ]
    own = _times(named, said_at, event=suggestion.type == "event")
    spoken = expressions(found.quote, said_at, ahead=ahead)
    for name in _NAMES:
        wanted: datetime | None = getattr(suggestion, name)
        if own.get(name) is None and wanted is not None and _names(spoken, wanted):
            own[name] = wanted
    content = dated(suggestion.content, said_at, ahead=ahead) if named else suggestion.content
    return replace(
        suggestion,
        content=content,
        event_at=own.get("event_at"),
        valid_from=own.get("valid_from"),
        valid_until=own.get("valid_until"),
        review_at=own.get("review_at"),
    )


def looks_ahead(text: str) -> bool:
    """Whether a statement speaks of what is still to come."""
    words = {word for sentence in sentences(text) for word in sentence.words}
    return bool(words & _AHEAD)


def same_language(content: str, quote: str) -> bool:
    """Whether a statement is in the script and, where both are clear, in the language of its quote, untranslated."""
    ours, theirs = _scripts(content), _scripts(quote)
    if ours and theirs and max(ours, key=ours.__getitem__) not in theirs:
        return False
    told, said = spoken_in(content), spoken_in(quote)
    return not told or not said or told == said


def _place(suggestion: Suggestion, transcript: Transcript) -> Founded | Dropped:
    """Where a quote stands, or why it counts for nothing."""
    if suggestion.type in TYPES and type_rule(suggestion.type).kind is Kind.PROCEDURAL:
        return "not_allowed"
    if (
        transcript.session.scope.kind is not ScopeKind.USER
        and subject_of(suggestion.subject, suggestion.mentions) is None
    ):
        return "no_subject"
    for passage in transcript.unread:
        if suggestion.turn not in {None, passage.turn.id}:
            continue
        span = locate(suggestion.quote, passage.text)
        if span is None:
            continue
        if not long_enough(suggestion.quote, passage.turn.text):
            return "quote_too_short"
        if not same_language(suggestion.content, suggestion.quote):
            return "language_changed"
        return Founded(suggestion, passage, span)
    return "quote_not_found"


def _distinct(found: Sequence[Founded], dropped: Counter[Dropped]) -> list[Founded]:
    """Each statement once: the first time it is made."""
    kept: dict[tuple[str, str], Founded] = {}
    for item in found:
        key = (content_digest(fold(item.suggestion.content).rstrip(".")), item.suggestion.polarity)
        if key in kept:
            dropped["repeated"] += 1
        else:
            kept[key] = item
    return list(kept.values())


def _capped(found: Sequence[Founded], dropped: Counter[Dropped]) -> list[Founded]:
    """No more than fit, of a turn and in all."""
    of_turn: Counter[str] = Counter()
    kept: list[Founded] = []
    for item in found:
        of_turn[item.passage.turn.id] += 1
        if of_turn[item.passage.turn.id] > MOST_OF_A_TURN or len(kept) == MOST:
            dropped["over_the_cap"] += 1
        else:
            kept.append(item)
    return kept


def _times(named: Sequence[TimeExpression], said_at: datetime, *, event: bool) -> dict[str, datetime | None]:
    """What the expressions of a statement say about when it holds, happens and should be looked at again."""
    times: dict[str, datetime | None] = {}
    for item in named:
        start, end = item.window
        if item.lead == "until":
            times["valid_until"] = times["review_at"] = end
        elif item.lead == "before":
            times["valid_until"] = times["review_at"] = start
        elif item.lead == "since":
            times["valid_from"], times["event_at"] = start, said_at
        elif item.lead == "by":
            times["review_at"] = end
        elif end > said_at:
            times["event_at"], times["review_at"] = max(start, said_at), end
        elif event:
            times["event_at"] = start
    begins, ends = times.get("valid_from"), times.get("valid_until")
    if begins is not None and ends is not None and begins >= ends:
        return {}
    review_at = times.get("review_at")
    if review_at is not None and review_at <= said_at:
        del times["review_at"]
    return times


def _names(spoken: Sequence[TimeExpression], wanted: datetime) -> bool:
    """Whether some expression names an instant: within its window, or where it ends."""
    return any(item.window.start <= wanted <= item.window.end for item in spoken)


def _scripts(text: str) -> Mapping[str, int]:
    """How many letters of each script a text holds."""
    return Counter(unicodedata.name(letter, "?").split(" ")[0] for letter in text if letter.isalpha())
