"""The rules extractor: what users say of themselves in plain first person, read without any model.

It reads the users' own turns alone, and says nothing rather than something wrong: no question, no condition, no wish,
no hearsay. What it suggests is the clause itself with the person changed, so that the quote entails it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bethink.domain.record import fold
from bethink.domain.session import names_of
from bethink.domain.transcript import Passage, Transcript
from bethink.formation.extract_patterns import SHAPES, VAGUE, Shape
from bethink.formation.validate import looks_ahead
from bethink.operations.extraction import Suggested, Suggestion
from bethink.text.entailment import entails
from bethink.text.entailment_words import THIRD_PERSON
from bethink.text.spans import long_enough
from bethink.text.when import expressions

_ABBREVIATED = r"(?<=\b[DMS][rst])\.|(?<=\bMrs)\.|(?<=\bProf)\.|(?<=\bvs)\."
_SENTENCE = re.compile(rf"(?:[^.!?;\n\u2026]|\.(?=\w)|{_ABBREVIATED})+[.!?;\u2026]*")
_CLAUSE = re.compile(r",?\s+(?:and|but|so|then|plus)\s+(?=(?:I|my|we|our)\b)|,\s+(?=(?:I|my|we|our)\b)", re.IGNORECASE)
_OPENINGS = (
    "well|yes|yeah|yep|ok|okay|oh|hey|hi|hello|so|and|but|honestly|btw|by the way|fyi|anyway|also|actually|no|nope"
    "|sorry|wait|correction|right|note that|just so you know|for the record|(?:please )?remember that|please note that"
    "|quick update|update|as of (?:today|now|this week|this month)|these days|nowadays|in general"
)
_OPENING = re.compile(rf"^(?:(?:{_OPENINGS})\b[\s,:!-]*)+", re.IGNORECASE)
_ASIDE = (
    r",? (?:by the way|btw|too|as well|now|these days|nowadays|at the moment|right now|honestly|to be honest|:\))"
    r"|, as you know\b.*"
)
"""What may end a sentence and says nothing more."""

_TAIL = re.compile(
    r"(?:,? (?:because|since it|as it|which|although|though|even though|while|so that|but|in case you)\b.*"
    r"|,? so (?:keep|please|no|not|do not|don't|remember|that)\b.*"
    r"|,? and (?:he|she|it|they|this|that)\b.*"
    r"|, (?:not|rather than|instead of)\b.*"
    rf"|{_ASIDE})$",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"(?:{_ASIDE}|,? so (?:keep|please|no|not|do not|don't|remember)\b.*|,? in case you\b.*)$", re.IGNORECASE
)
"""What may end a sentence and changes nothing about what comes before it."""

_CONTRACTED = (
    (re.compile(r"\bcan['\u2019]t\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['\u2019]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"n['\u2019]t\b", re.IGNORECASE), " not"),
    (re.compile(r"\bi['\u2019]m\b", re.IGNORECASE), "I am"),
    (re.compile(r"['\u2019]ve\b", re.IGNORECASE), " have"),
    (re.compile(r"['\u2019]ll\b", re.IGNORECASE), " will"),
    (re.compile(r"['\u2019]re\b", re.IGNORECASE), " are"),
)
_ADVERB = re.compile(
    r"^((?:I|we)(?: have| am)?) (?:(?:really|just|also|recently|finally|definitely|truly|absolutely) )+", re.IGNORECASE
)
_PERSON = {"my": "their", "me": "them", "myself": "themself", "mine": "theirs", "i": "they"}
_BETWEEN = frozenset("never always usually still now currently also often mostly mainly no longer".split())
"""What may stand between the person and the verb."""

_UNCHANGED = frozenset(
    "will can was had did would grew chose went got bought sold left quit met saw made took became gave found built"
    " wrote drove ran".split()
)
"""Verbs that are the same in the first and the third person, beside those that end in ``ed``."""

_ARTICLES = re.compile(r"^(?:the|an?|my|our|this|that|some)\s+", re.IGNORECASE)
_GONE = re.compile(r"\bno longer |\s+any ?more$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a sentence in the first person, contractions written out, and the words around it that quote it.

    `after` is the sentence behind it, which may take it back. `alone` are its own words as they stand, without what
    fills the end, where every clause of the sentence is a plain statement, so that none of them can take back another.
    """

    words: str
    quote: str
    alone: str = ""
    after: str = ""


class RulesExtractor:
    """Suggests what users say of themselves."""

    name = "rules"

    def suggest(self, transcript: Transcript) -> Suggested:
        """What the unread turns of the user state plainly."""
        found: list[Suggestion] = []
        for passage in transcript.unread:
            if passage.turn.role == "user":
                found += (_about_whom(one, transcript) for one in _of(passage, transcript.user))
        return Suggested(tuple(found))


def _about_whom(suggestion: Suggestion, transcript: Transcript) -> Suggestion:
    """The suggestion with its subject: the user, or the project that `we` and `our` speak of."""
    ours = suggestion.type in {"project_fact", "decision"} and not suggestion.content.startswith("The user ")
    return replace(suggestion, subject=(ours and transcript.session.project) or transcript.user)


def _of(passage: Passage, user: str) -> Iterator[Suggestion]:
    """The suggestions of one turn."""
    names = names_of(passage.turn, user)
    for clause in _clauses(passage.text):
        suggestion = _read(clause, passage)
        if suggestion is None:
            continue
        quotes = (clause.quote, clause.alone) if clause.alone else (clause.quote,)
        said = next((one for one in quotes if _holds(one, clause.after, suggestion.content, names)), None)
        if said is not None:
            yield replace(suggestion, quote=said)


def _holds(quote: str, after: str, content: str, names: Sequence[str]) -> bool:
    """Whether a quote says a statement, by itself and with what was said right after it."""
    said = " ".join(quote.split())
    return entails(said, content, names).entailed and (
        not after or entails(f"{said}\n{after}", content, names).entailed
    )


def _clauses(text: str) -> Iterator[Clause]:
    """The clauses of a text whose sentences assert something, with a quote long enough for each."""
    sentences = [match for match in _SENTENCE.finditer(text) if match[0].strip()]
    for at, match in enumerate(sentences):
        if "?" in match[0]:
            continue
        quote = match[0].strip()
        if not long_enough(quote, text):
            first, last = sentences[max(0, at - 1)], sentences[min(at + 1, len(sentences) - 1)]
            joined = (text[match.start() : last.end()].strip(), text[first.start() : match.end()].strip())
            quote = next(
                (one for one in joined if long_enough(one, text) and "?" not in one and "  " not in one), quote
            )
        clauses = [words.strip() for words in _CLAUSE.split(match[0].strip().rstrip(".!;\u2026"))]
        plain = [_plain(words) for words in clauses]
        apart = len(plain) > 1 and all(any(shape.pattern.match(words) for shape in SHAPES) for words in plain)
        for own, words in zip(clauses, plain, strict=True):
            bare = _FILLER.sub("", own)
            alone = apart or (len(plain) == 1 and bare != own)
            after = sentences[at + 1][0].strip() if at + 1 < len(sentences) else ""
            yield Clause(words, quote, bare if alone and long_enough(bare) else "", after)


def _plain(words: str) -> str:
    """A clause without its opening, its tail and its contractions."""
    plain = _OPENING.sub("", words.strip())
    for contraction, written_out in _CONTRACTED:
        plain = contraction.sub(written_out, plain)
    before = ""
    while plain != before:
        before, plain = plain, _TAIL.sub("", plain).strip(" ,-\"'")
    plain = _ADVERB.sub(r"\1 ", plain)
    head = plain[:2]
    return "I" + plain[1:] if head.casefold() == "i " else plain[:1].lower() + plain[1:] if _lowers(plain) else plain


def _lowers(plain: str) -> bool:
    """Whether the clause begins with a possessive or a plural whose capital is the sentence's."""
    return plain.partition(" ")[0].casefold() in {"my", "we", "our", "people", "everyone", "friends", "everybody"}


def _read(clause: Clause, passage: Passage) -> Suggestion | None:
    """The suggestion of the first shape that fits a clause."""
    for shape in SHAPES:
        found = shape.pattern.match(clause.words)
        if found is None:
            continue
        if shape.ahead and not _names_time_ahead(clause.words, passage):
            continue
        about = _about(shape, found, passage)
        if VAGUE.match(found.groupdict().get("x") or "") or VAGUE.match(found.groupdict().get("noun") or ""):
            return None
        return Suggestion(
            content=_stated(clause.words),
            quote=clause.quote,
            turn=passage.turn.id,
            type=shape.type,
            attribute=about,
        )
    return None


def _names_time_ahead(words: str, passage: Passage) -> bool:
    """Whether a clause names a time that was still to come when it was said."""
    said_at = passage.turn.said_at
    return any(item.window.end > said_at for item in expressions(words, said_at, ahead=True))


def _about(shape: Shape, found: re.Match[str], passage: Passage) -> str:
    """The attribute a clause gives, as short as it can be told apart."""
    groups = {name: _bare(value or "", passage) for name, value in found.groupdict().items()}
    groups["last"] = groups.get("x", "").rpartition(" ")[2]
    groups["pair"] = " or ".join(sorted((groups.get("x", ""), groups.get("other", ""))))
    return " ".join(shape.about.format(**groups).split())[:200]


def _bare(value: str, passage: Passage) -> str:
    """What a group names, without its article and the time it is told for."""
    said_at = passage.turn.said_at
    for item in reversed(expressions(value, said_at, ahead=looks_ahead(value))):
        value = value[: item.start] + value[item.end :]
    return fold(_GONE.sub("", _ARTICLES.sub("", value.strip()))).strip(" ,.")


def _stated(words: str) -> str:
    """A clause of the first person as a statement about the user."""
    tokens = words.split()
    first = tokens[0].casefold()
    if first == "my":
        stated = ["The user's", *_others(tokens[1:])]
    elif first == "i":
        stated = ["The user", *_agreeing(tokens[1:])]
    elif first == "our":
        stated = ["The", *_others(tokens[1:])]
    elif first == "we":
        stated = ["We", *tokens[1:]]
    else:
        stated = [tokens[0], *("the user's" if word == "my" else word for word in _kept(tokens[1:]))]
    return " ".join(stated).rstrip(".,;") + "."


def _kept(tokens: list[str]) -> list[str]:
    """Words of a clause about somebody else, the user's own part marked."""
    return ["them" if word == "me" else word for word in tokens]


def _agreeing(tokens: list[str]) -> list[str]:
    """The words after `I`, the verb in the third person."""
    at = next((place for place, token in enumerate(tokens) if token.casefold() not in _BETWEEN), len(tokens) - 1)
    return [*tokens[:at], _third_person(tokens[at]), *_others(tokens[at + 1 :])]


def _others(tokens: list[str]) -> list[str]:
    """Further words, referring back to the user."""
    return [_PERSON.get(token.casefold(), token) for token in tokens]


def _third_person(verb: str) -> str:
    """A verb after `the user`."""
    low = verb.casefold()
    if low in THIRD_PERSON:
        return THIRD_PERSON[low]
    if low.endswith("ed") or low in _UNCHANGED:
        return verb
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if low.endswith("y") and low[-2:-1] not in "aeiou" else f"{verb}s"
