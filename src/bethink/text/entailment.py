"""Whether a quote says what a claim says, decided by words alone, and rather a no too many than a wrong yes.

A claim follows when its words are the words of one clause of the evidence, in order, with no more changed than the
person: "I moved to Berlin" says that the user moved to Berlin. Words may be missing from the claim only where that
cannot change the meaning: articles and adverbs such as *really*, an opening such as *well* or *last week*, an ending
that names the time of a past event or starts another clause. What makes a sentence less than an assertion vetoes it:
a negation, a condition, a wish, a question, hearsay, a joke, a retraction.

The person is resolved in English. In other languages a claim follows when it is a whole sentence of the evidence.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from bethink.text.entailment_words import (
    ADVERBS,
    BETWEEN,
    CLAUSE_SUBJECTS,
    CONJUNCTIONS,
    FRAMES,
    HYPOTHETICAL,
    IN_THIRD_PERSON,
    LASTING,
    NEGATIONS,
    NO_PAST,
    OPENINGS,
    OURS,
    OWN,
    PAUSE,
    QUALIFYING,
    QUOTE,
    REPORTED,
    RETRACTIONS,
    SELF,
    SPEAKER,
    THIRD_PERSON,
    TIME,
    Sentence,
    sentences,
)
from bethink.text.identifiers import is_identifier
from bethink.text.irregular import PAST

Reason = Literal[
    "entailed", "empty", "question", "hypothetical", "reported", "negation", "number", "name", "uncovered", "changed"
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision, true when the claim follows, and why.

    ``entailed``; or ``empty``: a side without words; ``question``, ``hypothetical``, ``reported``: the evidence asserts
    nothing; ``negation``: one side denies or restricts; ``number``, ``name``: the claim has one the evidence lacks;
    ``uncovered``: other words are missing; ``changed``: the words are there, but not as this statement.
    """

    entailed: bool
    reason: Reason

    def __bool__(self) -> bool:
        return self.entailed


_SHORTEST_CONTRAST, _LONGEST_CONTRAST = 3, 4
"""Words of a contrast, from the pause on; and behind its `not`."""

_SKIPPED = {*ADVERBS, QUOTE}
_BEFORE_VERB = BETWEEN | {"first"}
_PRESENT = frozenset({"am", "is", "are", "has", "have"})


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A word of the claim, and what stands for it in the speaker's mouth when it names the speaker."""

    word: str
    mark: str = ""


def entails(evidence: str, claim: str, speaker: str | Sequence[str] = "user") -> Verdict:
    """Whether the evidence says what the claim says.

    Args:
        evidence: a verbatim quote.
        claim: a statement; of several sentences each must follow.
        speaker: who says the evidence: the name, or names, by which the claim may call them ("user", "Caroline").
    """
    said, claimed = sentences(evidence), sentences(claim)
    if not said or not claimed:
        return Verdict(entailed=False, reason="empty")
    if any(sentence.asks for sentence in claimed):
        return Verdict(entailed=False, reason="question")
    if said == claimed:
        return Verdict(entailed=True, reason="entailed")
    names = [speaker] if isinstance(speaker, str) else speaker
    reasons: list[Reason] = [
        _supported(said, _named([word for word in one.words if word != QUOTE], names), claim) for one in claimed
    ]
    reason: Reason = next((reason for reason in reasons if reason != "entailed"), "entailed")
    return Verdict(entailed=reason == "entailed", reason=reason)


def _supported(said: Sequence[Sentence], wanted: Sequence[_Wanted], claim: str) -> Reason:
    """Whether some sentence says the one wanted, and why not."""
    vetoes: list[Reason] = []
    for at, sentence in enumerate(said):
        matched = _match(sentence.words, wanted)
        if matched is None:
            continue
        veto = _veto(said, at, matched)
        if veto is None:
            return "entailed"
        vetoes.append(veto)
    return vetoes[0] if vetoes else _shortfall(said, wanted, claim)


def _named(words: list[str], names: Sequence[str]) -> list[_Wanted]:
    """The claim's words with the speaker's names marked, the longest name first."""
    spelled = sorted((name.casefold().split() for name in names if name.strip()), key=len, reverse=True)
    wanted = []
    at = 0
    while at < len(words):
        for name in spelled:
            here = words[at : at + len(name)]
            if here and [*here[:-1], here[-1].removesuffix("'s")] == name:
                wanted.append(_Wanted(" ".join(here), OWN if here[-1].endswith("'s") else SPEAKER))
                at += len(name)
                break
        else:
            wanted.append(_Wanted(words[at]))
            at += 1
    return wanted


def _match(words: Sequence[str], wanted: Sequence[_Wanted]) -> list[int] | None:
    """Where the claim's words stand in a sentence as one clause, or None."""
    for start, word in enumerate(words):
        if word in {wanted[0].word, wanted[0].mark} and _opens(words, start):
            places = _follow(words, wanted, start)
            if places is not None and _closes(words, places, past=_tells_past(words, places, wanted)):
                return places
    return None


def _follow(words: Sequence[str], wanted: Sequence[_Wanted], start: int) -> list[int] | None:
    """The places of the claim's words from `start` on, skipping adverbs only."""
    personal = words[start] in {SPEAKER, OWN}
    agrees = words[start] == SPEAKER and wanted[0].word != SPEAKER
    places = [start]
    at = start + 1
    for want in wanted[1:]:
        while at < len(words) and not _says(words[at], want, personal=personal) and words[at] in _SKIPPED:
            at += 1
        if at == len(words):
            return None
        if not _says(words[at], want, personal=personal) and not (agrees and _third_person(words[at]) == want.word):
            return None
        agrees = agrees and words[at] in BETWEEN
        places.append(at)
        at += 1
    return places


def _says(word: str, want: _Wanted, *, personal: bool) -> bool:
    """Whether a word of the evidence is the word wanted, the person resolved."""
    if personal and want.word in IN_THIRD_PERSON:
        return word == IN_THIRD_PERSON[want.word] or (want.word == "her" and word == SELF)
    return word == want.word or (bool(want.mark) and word in {want.mark, SELF if want.mark == SPEAKER else OWN})


def _third_person(verb: str) -> str:
    """A verb after he or she."""
    if verb in THIRD_PERSON:
        return THIRD_PERSON[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else f"{verb}s"


def _opens(words: Sequence[str], start: int) -> bool:
    """Whether a clause may begin at `start`: nothing but openings before it, or for the speaker a new clause."""
    at = start
    while at and _before_clause(words[at - 1]) and words[at - 1] not in CONJUNCTIONS:
        at -= 1
    if at == 0:
        return True
    if words[start] in {SPEAKER, OWN}:
        return words[at - 1] == PAUSE or words[at - 1] in CONJUNCTIONS
    return all(word == PAUSE or _before_clause(word) for word in words[:at])


def _tells_past(words: Sequence[str], places: Sequence[int], wanted: Sequence[_Wanted]) -> bool:
    """Whether a clause tells of the past: by the verb behind its speaker, else by any word that is hardly another."""
    said = [words[place] for place in places]
    if not _PRESENT.isdisjoint(said):
        return False
    if said[0] != SPEAKER:
        return any(_past(word) and word not in NO_PAST for word in said)
    verb = next((at for at, word in enumerate(said) if at and word not in _BEFORE_VERB and not word.endswith("ly")), 0)
    return _past(said[verb]) and said[verb] == wanted[verb].word


def _past(word: str) -> bool:
    """Whether a word has the form of a verb in the past."""
    return word in PAST or (word.endswith("ed") and word not in NO_PAST)


def _closes(words: Sequence[str], places: Sequence[int], *, past: bool) -> bool:
    """Whether what follows the claim's last word leaves its meaning alone."""
    rest = list(words[places[-1] + 1 :])
    timed = next((at for at, word in enumerate(rest) if not _tells_time(word)), len(rest))
    said = {words[place] for place in places}
    if timed and not past and rest[0] not in LASTING:
        return False
    after = [word for word in rest[timed:] if word != QUOTE]
    if not after or _contrast(after, said):
        return True
    paused = after[0] == PAUSE
    after = after[paused:]
    if not after or after[0] == "because":
        return True
    joined = after[0] in CONJUNCTIONS
    return (paused or joined) and after[joined : joined + 1] != [] and after[joined] in CLAUSE_SUBJECTS


def _contrast(after: Sequence[str], said: Collection[str]) -> bool:
    """Whether the end of a sentence only says what is not meant instead: `in Porto, not Lisbon`.

    What tells how far the claim goes (`not really`, `not at home`, `not every day`) is no contrast: that ends in an
    adverb, or leads to another place, time or clause than the claim names.
    """
    if len(after) < _SHORTEST_CONTRAST or after[0] != PAUSE or after[1] != "not":
        return False
    instead = after[2:]
    if len(instead) > _LONGEST_CONTRAST or any(word == PAUSE or word in CLAUSE_SUBJECTS for word in instead):
        return False
    first, others = instead[0], instead[1:]
    if first[0].isdigit():
        return all(_tells_time(word) or word == "may" for word in others)
    if first in said and others:
        first, others = others[0], others[1:]
    return not any(word in QUALIFYING or word in said or word.endswith("ly") for word in (first, *others))


def _untimed(rest: Sequence[str]) -> list[str]:
    """What ends a sentence, without the time it may begin with."""
    words = [word for word in rest if word != QUOTE]
    start = next((at for at, word in enumerate(words) if word not in LASTING), len(words))
    return words[start:]


def _before_clause(word: str) -> bool:
    """Whether a word may stand before the clause without changing it."""
    return word in OPENINGS or word == OURS or _tells_time(word)


def _tells_time(word: str) -> bool:
    return word in TIME or word[0].isdigit()


def _veto(said: Sequence[Sentence], at: int, matched: Sequence[int]) -> Reason | None:
    """What about the sentence, or those around it, keeps a matching clause from being an assertion."""
    words = said[at].words
    ends = words[matched[-1] + 1 :]
    contrasted = _contrast(_untimed(ends), {words[place] for place in matched})
    left = words[: matched[-1] + 1] if contrasted else words
    rest = {word for place, word in enumerate(left) if place not in set(matched)}
    others = {word for place, sentence in enumerate(said) if place != at for word in sentence.words}
    following = said[at + 1].words[0] if at + 1 < len(said) else ""
    if said[at].asks:
        return "question"
    if rest & NEGATIONS or following in RETRACTIONS:
        return "negation"
    if rest & HYPOTHETICAL or (rest | others) & FRAMES:
        return "hypothetical"
    return "reported" if rest & REPORTED else None


def _shortfall(said: Sequence[Sentence], wanted: Sequence[_Wanted], claim: str) -> Reason:
    """Why no sentence says it, the most telling first."""
    spoken = {word for sentence in said for word in sentence.words}
    heard = spoken | {_third_person(word) for word in spoken}
    missing = {want.word for want in wanted if not want.mark and want.word not in heard}
    first, *others = claim.split()
    named = [word for word in others if word[:1].isupper() or is_identifier(word)] + [first] * is_identifier(first)
    capitals = {word.strip(".,;:!?\"'()").casefold() for word in named}
    denies = any(want.word in NEGATIONS for want in wanted)
    reasons: list[tuple[Reason, bool]] = [
        ("number", any(character.isdigit() for word in missing for character in word)),
        ("name", bool(missing & capitals)),
        ("negation", bool(spoken & NEGATIONS) != denies),
        ("question", all(sentence.asks for sentence in said)),
        ("hypothetical", bool(spoken & (HYPOTHETICAL | FRAMES))),
        ("reported", bool(spoken & REPORTED)),
        ("uncovered", any(word not in IN_THIRD_PERSON for word in missing)),
    ]
    return next((reason for reason, holds in reasons if holds), "changed")
