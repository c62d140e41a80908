"""Form the query: from a request to what the arms are asked, by rules alone and without any model.

The message is one signal among several. With an objective or open questions beside it, it is never searched alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bethink.domain.invisible import INVISIBLE
from bethink.domain.query import Query
from bethink.domain.record import fold
from bethink.domain.types import type_rule
from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest
from bethink.recall.forming.clauses import clauses
from bethink.recall.forming.events import asks_events
from bethink.recall.forming.profile import asks_owned, profile_types
from bethink.recall.profiles import UNASKED
from bethink.text.analyse import QueryTerms, analyse_query, select_terms
from bethink.text.characters import MARKS
from bethink.text.door import blank, check_text
from bethink.text.language import language_named

MAX_NAME_WORDS = 4
MAX_NAMES = 256
TELLING = 2
"""Words of content from which on a message may be embedded alone where nobody asked."""
READ = ("english", "none")
"""Languages of a store in whose questions the rules of `forming` are looked for; they read English."""
QUERY_LIMIT = 16_000
"""Characters a question may have, as much as a record."""

_WORD = re.compile(rf"[^\W_][{MARKS}]*+(?:[\w{MARKS}'\u2018\u2019\u02bc\u2010\u2011.\-]*[^\W_][{MARKS}]*+)?")
_POSSESSIVE = re.compile(r"'s?$")
_HIDDEN = re.compile(f"[{INVISIBLE}]")


@dataclass(frozen=True, slots=True)
class TextFormer:
    """The default `QueryFormer`: deterministic, for texts of one language."""

    language: str = "english"

    def form(self, request: RecallRequest) -> Query:
        """Form the query.

        Raises:
            InvalidInput: the request asks nothing (blank text, no subject, no type), holds text that no store can
                hold, or names an unknown type.
        """
        text, cut_text = intent(request)
        asked = tuple(dict.fromkeys((*request.type_hints, *request.types)))
        for name in asked:
            type_rule(name)
        anchored, owned = _anchors(request, self.language)
        types = tuple(dict.fromkeys((*asked, *anchored)))
        subjects = _folded(request.subjects)
        sweep = request.after_position is not None and not (text or subjects or types)
        if not text and not subjects and not types and not sweep:
            msg = "A recall with blank text asks nothing."
            raise InvalidInput(msg, remedy="Pass a question as text, or name subjects or types to look up.")
        analysed = analyse_query(text, self.language)
        terms, cut = _selective(analysed)
        known = tuple(dict.fromkeys((*subjects, *_folded(request.entities), *names(text, self.language))))
        return Query(
            text=text,
            terms=terms,
            identifiers=analysed.identifiers,
            dropped_terms=analysed.dropped,
            cut_terms=cut,
            cut_text=cut_text,
            names=known[:MAX_NAMES],
            cut_names=max(0, len(known) - MAX_NAMES),
            subjects=subjects,
            types=types,
            owned=owned,
            events=asks_events(text),
            function_words_only=analysed.function_words_only,
            vague=_vague(request, analysed, self.language) and not sweep,
            sweep=sweep,
        )


def intent(request: RecallRequest) -> tuple[str, int]:
    """The text query: objective, open questions, then the message; empty when all are blank.

    Where they are too long together the message stays whole. With it comes how many characters of the rest were cut.

    Raises:
        InvalidInput: a part holds NUL, a lone surrogate or too many characters.
    """
    parts = [("objective", request.objective or ""), *(("open question", text) for text in request.open_questions)]
    told = [check_text(text, what, QUERY_LIMIT) for what, text in parts if not _blank(text)]
    message = "" if _blank(request.text) else check_text(request.text, "text", QUERY_LIMIT)
    around = "\n".join(told)
    kept = around[: max(0, QUERY_LIMIT - len(message) - 1)] if message else around[:QUERY_LIMIT]
    return "\n".join(filter(None, (kept, message))), len(around) - len(kept)


def _anchors(request: RecallRequest, language: str) -> tuple[tuple[str, ...], bool]:
    """The types that the question asks for about the user, and whether it asks for the user's things.

    A snapshot has no question. What the request says of owned resources goes before what its words say.
    """
    given = request.include_owned_resources
    if request.moment == "snapshot" or language not in READ:
        return (), bool(given) and request.moment != "snapshot"
    deliberate = request.moment == "tool"
    told = (request.objective or "", *request.open_questions, request.text)
    parts = [part for text in told for part in clauses(text, deliberate=deliberate)]
    return profile_types(parts), asks_owned(parts, deliberate=deliberate) if given is None else given


def _vague(request: RecallRequest, analysed: QueryTerms, language: str) -> bool:
    """Whether a message that asks nothing of memory stands alone with hardly a word of content ("Can you redo that?").

    What it would be near to is chance; its words are searched all the same. A word of saying is one of content here:
    "Tell me about Rome" asks for something.
    """
    given = request.objective or request.open_questions or request.entities or request.subjects
    content = {*analysed.terms, *analysed.dropped} - language_named(language).function_words
    return request.moment in UNASKED and not given and len(content) < TELLING and not analysed.identifiers


def _folded(given: Sequence[str]) -> tuple[str, ...]:
    """Names in their one form, each once."""
    return tuple(dict.fromkeys(folded for name in given if (folded := fold(name))))


def _blank(text: object) -> bool:
    """Whether a part of the question was left open."""
    return isinstance(text, str) and blank(text)


def names(text: str, language: str = "english") -> Iterator[str]:
    """Runs of 1 to 4 words that may name an entity or a speaker, folded, capitalised ones first.

    A run neither begins nor ends with a function word in small letters.
    """
    empty = language_named(language).function_words
    if not text.isascii():
        text = _HIDDEN.sub("", text.replace("\u200b", " "))
    words = [(_POSSESSIVE.sub("", fold(word)), word[0].isupper()) for word in _WORD.findall(text)]
    edge = [bool(word) and (capital or word not in empty) for word, capital in words]
    runs = [
        (not words[start][1], length, " ".join(word for word, _ in words[start : start + length]))
        for length in range(1, MAX_NAME_WORDS + 1)
        for start in range(len(words) - length + 1)
        if edge[start] and edge[start + length - 1]
    ]
    runs.sort(key=lambda run: run[:2])
    return (name for _, _, name in runs)


def _selective(analysed: QueryTerms) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The terms to search with and those the cap cut: identifiers first, then longer words, which are rarer."""
    return select_terms(analysed.terms, _rarity(analysed.terms, analysed.identifiers))


def _rarity(terms: Sequence[str], identifiers: frozenset[str]) -> dict[str, int]:
    """A stand-in for document frequencies, which are not known before the fence is."""
    return {term: 1 if term in identifiers else 2 + max(0, 16 - len(term)) for term in terms}
