"""The analyser: text to terms, the same for documents and queries, for every database.

A regular expression finds the chunks (words, identifiers, runs of letters); `chunks` says what terms each gives, once,
and a bounded memory keeps it. So a turn costs one scan and one look-up per word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice

import Stemmer

from bethink.domain.invisible import INVISIBLE
from bethink.text.characters import MARKS
from bethink.text.chunks import MAX_TERM, chunk_terms, names_one_thing
from bethink.text.language import LANGUAGES, Language, language_named

MAX_DISTINCT = 4096
"""Distinct terms taken from one text; the list ends before the next new one. `terms_cut` says what that cost."""

MAX_TERMS = 16 * MAX_DISTINCT
"""Terms taken from one text, repetitions included."""

MAX_QUERY_TERMS = 32
"""Terms a query searches with; `select_terms` keeps the most selective."""

ANALYSER_ID = (
    f"terms/3 languages={','.join(LANGUAGES)} unicode={unicodedata.unidata_version}"
    f" snowball=PyStemmer-{Stemmer.version()}"
)
"""What made the terms. An index made under another value is rebuilt."""

_CACHED_CHUNKS = 65_536
_WORD = rf"[\w{MARKS}]"
_CHUNK = re.compile(
    r"[hH][tT][tT][pP][sS]?://[^\s<>\"]+"
    rf"|\#?{_WORD}+(?:(?:[.\-/:@'&\\·\u05f3\u05f4]|::|->|(?<=\d),(?=\d\d\d(?!\d))){_WORD}+)*(?:(?:\+\+?|\#)(?![A-Za-z0-9_]))?"
)
_BEFORE = 16
_OPENING = " \t\"'(*_\u201c\u2018\u00ab"
"""Characters before a word that are looked at, and those that may stand between it and the word before."""
_HIDDEN = re.compile(f"[{INVISIBLE}]")
_VARIANTS = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u200b": " "})


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """A query's distinct terms in order.

    `terms` are searched; `dropped` are its function words and words of saying; `identifiers` are the terms that name
    one thing exactly.
    """

    terms: tuple[str, ...]
    dropped: tuple[str, ...]
    identifiers: frozenset[str]

    @property
    def function_words_only(self) -> bool:
        """Whether the query said nothing but function words, and so matches nothing by its words."""
        return bool(self.dropped) and not self.terms


def analyser_id(language: str) -> str:
    """`ANALYSER_ID` with the language an index was built for.

    Raises:
        InvalidInput: no such language.
    """
    return f"{ANALYSER_ID} language={language}/{language_named(language).stemmer or 'none'}"


def analyse(text: str, language: str = "english") -> list[str]:
    """A document's terms in order, repetitions included, each at most `MAX_TERM` characters.

    At most `MAX_DISTINCT` different ones and `MAX_TERMS` in all are taken, from the beginning; `terms_cut` counts the
    rest.

    Raises:
        InvalidInput: no such language.
    """
    terms = _terms(text, language)
    return terms if len(terms) <= MAX_DISTINCT else terms[: _end(terms)]


def terms_cut(text: str, language: str = "english") -> int:
    """How many terms `analyse` left out of this text: 0 for all but very long ones."""
    terms = _terms(text, language)
    return len(terms) - _end(terms)


def analyse_query(text: str, language: str = "english") -> QueryTerms:
    """A query's terms, function words apart, and words of saying where others are left.

    A function word written as a name or acronym is one (``Will`` inside a sentence, ``US``, ``IT``) and stays. In a
    memory of conversations everything was said: "What did she mention about Rome?" asks for Rome. A word of saying that
    is written as a name or as code stays (``Said`` inside a sentence, ``say()``).

    Raises:
        InvalidInput: no such language.
    """
    spoken = language_named(language)
    prepared = _prepared(text)
    shouted = prepared.isupper()
    terms: dict[str, None] = {}
    dropped: dict[str, None] = {}
    saying: dict[str, None] = {}
    identifiers = set()
    for position, place in enumerate(_CHUNK.finditer(prepared)):
        chunk = place[0]
        found = chunk_terms(chunk, spoken, document=False)
        if found and names_one_thing(chunk):
            identifiers.add(found[0])
        named = not shouted and _reads_as_name(chunk, position)
        kept = terms
        if chunk.strip("_").casefold() in spoken.saying:
            apart = named or _called(place) or (not shouted and _is_titled(place))
            kept = terms if apart else saying
        for term in found:
            (dropped if term in spoken.function_words and not named else kept)[term] = None
    terms, dropped = (terms, dropped | saying) if terms else (saying, dropped)
    return QueryTerms(tuple(terms), tuple(dropped), frozenset(identifiers))


def written_as(term: str, language: str = "english") -> tuple[str, ...]:
    """The irregular forms that a term also stands for, which need not begin as it does: ``bought`` for ``buy``.

    Raises:
        InvalidInput: no such language.
    """
    return _irregular(language).get(term, ())


def select_terms(
    terms: Sequence[str], document_frequency: Mapping[str, int], cap: int = MAX_QUERY_TERMS
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The `cap` most selective of distinct terms, and what was cut; both in the query's order.

    The rarest are kept, ties by order. A term in no document selects nothing and is cut before any other.

    Args:
        terms: distinct terms in the query's order.
        document_frequency: how many documents hold a term; absent means none.
        cap: how many may stay.
    """
    if len(terms) <= cap:
        return tuple(terms), ()
    frequency = [document_frequency.get(term, 0) for term in terms]
    order = sorted(range(len(terms)), key=lambda at: (frequency[at] == 0, frequency[at], at))
    kept = set(order[: max(cap, 0)])
    return (
        tuple(term for at, term in enumerate(terms) if at in kept),
        tuple(term for at, term in enumerate(terms) if at not in kept),
    )


def _terms(text: str, language: str) -> list[str]:
    """Every term of a document, bounded in number only."""
    known = _known(language)
    found = chain.from_iterable(map(known.__getitem__, _CHUNK.findall(_prepared(text))))
    return list(islice(found, MAX_TERMS + 1))


@cache
def _irregular(language: str) -> Mapping[str, tuple[str, ...]]:
    """The irregular forms of a language by the term they give."""
    spoken = language_named(language)
    found: dict[str, tuple[str, ...]] = {}
    for form in spoken.irregular:
        (term,) = chunk_terms(form, spoken, document=False)
        found[term] = (*found.get(term, ()), form)
    return found


def _end(terms: Sequence[str]) -> int:
    """Where a list of terms exceeds its bounds."""
    seen = set()
    for at, term in enumerate(islice(terms, MAX_TERMS)):
        seen.add(term)
        if len(seen) > MAX_DISTINCT:
            return at
    return min(len(terms), MAX_TERMS)


def _prepared(text: str) -> str:
    """Compatibility forms resolved, invisible characters gone (a zero-width space parts words); case kept."""
    if text.isascii():
        return text
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text).translate(_VARIANTS))


def _reads_as_name(word: str, position: int) -> bool:
    """Whether capitals set a function word apart: an acronym (US, IT, WHO), or Will inside a sentence."""
    return (len(word) > 1 and word.isalpha() and word.isupper()) or (position > 0 and word == "Will")


def _called(place: re.Match[str]) -> bool:
    """Whether a word is written as code: called, or before a backtick."""
    return place.string[place.end() : place.end() + 1] in {"(", "`"}


def _is_titled(place: re.Match[str]) -> bool:
    """Whether a word has a capital inside a sentence, as a name or title has."""
    text, start = place.string, place.start()
    before = text[max(0, start - _BEFORE) : start].rstrip(_OPENING)
    return text[start].isupper() and before[-1:].isalnum()


class _Known(dict[str, tuple[str, ...]]):
    """A document's chunks and their terms, each worked out once; emptied when full, so bounded."""

    def __init__(self, spoken: Language) -> None:
        super().__init__()
        self.spoken = spoken

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        terms = chunk_terms(chunk, self.spoken, document=True)
        if len(chunk) <= MAX_TERM:
            if len(self) >= _CACHED_CHUNKS:
                self.clear()
            self[chunk] = terms
        return terms


@cache
def _known(language: str) -> _Known:
    """The memory of one language, kept for the process."""
    return _Known(language_named(language))
