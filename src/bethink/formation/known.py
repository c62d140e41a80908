"""Known: a statement that is stored already, in other words. It reinforces what is there and stands not beside it."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.record import Record, attribute_key, fold
from bethink.operations.extraction import Suggestion
from bethink.text.entailment import entails
from bethink.text.entailment_words import ADVERBS, is_word, sentences


def as_known(suggestion: Suggestion, known: Sequence[Record], user: str) -> str:
    """The words to store: those of a live record of the fact that says the same, else the suggestion's own.

    The same words meet their record in the decision and reinforce it. A text that is merely like another one is not
    the same: each has to say what the other says.
    """
    same = (
        record.content.text
        for record in known
        if record.content.type == suggestion.type
        and record.content.polarity == suggestion.polarity
        and same_statement(record.content.text, suggestion.content, user)
    )
    return next(same, suggestion.content)


def already_said(suggestion: Suggestion, records: Sequence[Record], user: str) -> bool:
    """Whether a record that quotes the same turn says this already, or gives the same fact from it.

    So what an agent wrote during the session is not written again after it, and what was forgotten since stays so.
    """
    subject, attribute = fold(suggestion.subject or user), attribute_key(suggestion.attribute)
    return any(
        (attribute and (record.content.subject_key, record.content.attribute_key) == (subject, attribute))
        or same_statement(record.content.text, suggestion.content, user)
        for record in records
    )


def same_statement(one: str, other: str, user: str) -> bool:
    """Whether two statements say each what the other says, by words alone."""
    if _plain(one, user) == _plain(other, user):
        return True
    return entails(one, other, user).entailed and entails(other, one, user).entailed


def _plain(text: str, user: str) -> list[str]:
    """The words that carry a statement, the user called the user."""
    words = [word for sentence in sentences(text) for word in sentence.words if is_word(word) and word not in ADVERBS]
    names = {fold(user): "user", f"{fold(user)}'s": "user's"}
    return [names.get(word, word) for word in words]
