"""Barred: what an erase keeps from being read again out of turns that stay, by keyed hashes and never by words.

A record that is erased without its sources leaves the turn it was quoted from. Reading that turn anew, by another
reader and in other words, must not bring the record back. So an erase bars the sentence the quote stood in, and the
fact, in every turn that supported it.
"""

from __future__ import annotations

from bethink.domain.record import Content, attribute_key, content_digest, fold
from bethink.domain.session import Turn
from bethink.domain.transcript import Transcript
from bethink.formation.validate import Founded
from bethink.operations.extraction import Suggestion
from bethink.ports.store import Snapshot
from bethink.text.spans import sentence_around


def bars(content: Content, turns: tuple[Turn, ...]) -> tuple[str, ...]:
    """What to remember of an erased record, before hashing, for the turns that keep the words it was made from."""
    quote = content.source.evidence
    found = []
    for turn in turns:
        if quote is not None and quote.turn_id == turn.id:
            found.append(_sentence(turn, quote.start, quote.end))
        if content.attribute_key:
            found.append(_fact(turn.id, content.subject_key, content.attribute_key))
    return tuple(found)


def barred(source: Snapshot, found: Founded, suggestion: Suggestion, transcript: Transcript) -> bool:
    """Whether something that was erased was made from these words, or said this of the same thing from this turn."""
    turn = found.passage.turn
    subject, attribute = fold(suggestion.subject or transcript.user), attribute_key(suggestion.attribute)
    wanted = [_sentence(turn, found.span.start, found.span.end)]
    if attribute:
        wanted.append(_fact(turn.id, subject, attribute))
    return any(source.is_erased(item) for item in wanted)


def _sentence(turn: Turn, start: int | None, end: int | None) -> str:
    """The sentence that a quote stands in."""
    whole = sentence_around(turn.text, start or 0, len(turn.text) if end is None else end)
    return content_digest(f"sentence\n{turn.id}\n{fold(whole)}")


def _fact(turn: str, subject: str, attribute: str) -> str:
    """A fact that a turn states."""
    return content_digest(f"fact\n{turn}\n{subject}\n{attribute}")
