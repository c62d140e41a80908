"""Planning: what an answer to a turn depends on and the turn does not say. Rules that read English, and no model.

A turn that resembles a memory need not need it, and one that needs it may resemble nothing: "Book us a table" says no
word of the allergy that decides it. So each sentence is read for what it leaves open, and most leave nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from bethink.operations.gaps import Gap, GapKind
from bethink.recall.forming.clauses import clauses
from bethink.recall.forming.events import asks_events
from bethink.recall.forming.profile import asks_owned, profile_types
from bethink.recall.query import names

MOST = 3
"""Gaps of one turn that are asked."""

LIMIT = 4_000
"""Characters of a turn that are read; what is longer is a document and not a request."""

_SENTENCE = re.compile(r"[^.?!;\n]+(?:[.?!;]+(?!\s|$)[^.?!;\n]+)*[?!]?")
_OURS = re.compile(r"\b(?:i|i'm|i've|me|my|mine|we|we're|we've|us|our|ours|you)\b")
_BY_RULE: tuple[tuple[GapKind, str, re.Pattern[str]], ...] = (
    (
        "prior_decision",
        "it speaks of what was decided",
        re.compile(
            r"\b(?:(?:did|have|had) (?:we|i|you) (?:\w+ )?(?:decid|agree|settle|choos|chose|pick|rule)\w*"
            r"|(?:we|i|you) (?:\w+ )?(?:decided|agreed|settled|chose|picked|ruled)"
            r"|(?:our|my|the|that) (?:\w+ )?(?:decision|agreement|choice|approach)\b|as (?:agreed|decided))"
        ),
    ),
    (
        "constraint",
        "it asks what is allowed",
        re.compile(
            r"\b(?:(?:am i|are we|is it) allowed|(?:may|can|could) (?:i|we) (?:still )?(?:use|deploy|ship|merge|spend"
            r"|share|eat|drink|take)|(?:our|my|the) (?:\w+ )?(?:rules?|polic(?:y|ies)|limits?|budget|deadlines?"
            r"|constraints?|restrictions?|allerg(?:y|ies)|requirements?))\b"
        ),
    ),
    (
        "task_state",
        "it goes on where something stopped",
        re.compile(
            r"\b(?:where (?:were|did) (?:we|i)|continue|carry on|go on with|resume|pick up where"
            r"|what(?:'s| is) (?:left|next|still open)|next steps?|(?:status|state) of"
            r"|as (?:usual|always|before)|like (?:last time|before)|same (?:as|way)|the usual|again)\b"
        ),
    ),
)
_ON_BEHALF = re.compile(
    r"\b(?:book|order|buy|reserve|plan|schedule|pick|choose|recommend|suggest|find|cook|prepare|arrange|organi[sz]e|draft"
    r"|write|reply|send)\b[^.?!]*\b(?:me|my|us|our|myself|ourselves)\b"
)
_OF_TYPES: dict[str, GapKind] = {"preference": "preference", "relationship": "relationship_or_event"}


def planned(text: str, known: Collection[str] = (), language: str = "english") -> tuple[Gap, ...]:
    """The gaps of a turn, in the order of its sentences, one a sentence and at most three; usually none.

    Args:
        text: the turn.
        known: folded names of what memory knows, of those the turn says.
        language: the language of the store; for one that the rules do not read, a host has to find the gaps.
    """
    found = []
    for match in _SENTENCE.finditer(text[:LIMIT]):
        sentence = " ".join(match[0].split())
        seen = _seen(sentence, frozenset(names(sentence, language)) & frozenset(known)) if sentence else None
        if seen is not None:
            kind, reason = seen
            found.append(Gap(kind, sentence, reason))
    return tuple(found[:MOST])


def _seen(sentence: str, named: Collection[str]) -> tuple[GapKind, str] | None:
    """What a sentence leaves open, by the first rule that sees something."""
    said = sentence.replace("\u2019", "'").casefold()
    parts = clauses(sentence)
    if types := profile_types(parts):
        return _OF_TYPES.get(types[0], "personal"), "it asks about the user"
    for kind, reason, pattern in _BY_RULE:
        if pattern.search(said):
            return kind, reason
    if asks_owned(parts, deliberate=False):
        return "personal", "it speaks of a thing of the user's"
    if asks_events(sentence) and (named or _OURS.search(said)):
        return "relationship_or_event", "it asks what happened"
    if _ON_BEHALF.search(said):
        return "preference", "it asks for something done for the user"
    return ("relationship_or_event", "it names what memory knows") if named else None
