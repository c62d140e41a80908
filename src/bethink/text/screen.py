"""The screen: which sentences look like orders to the model rather than memories of a person.

It labels or quarantines and never deletes, and it is not the defence: most poison reads like a plain fact. Provenance
is the defence; the screen spares reviewers the obvious. Every view of a text is read (`views`), by words that stand
together and by shapes (`screen_rules`), in time linear in its length.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Literal

from bethink.domain.invisible import SELECTORS
from bethink.text.screen_phrases import ADDRESS, phrase_table
from bethink.text.screen_rules import CLOSING, SHAPED, STRONG, TOGETHER, Together
from bethink.text.screen_words import Concept, concept_tables
from bethink.text.secrets import find_secrets, holds_any
from bethink.text.views import View, disguises, fold

CHUNK = 20_000
OVERLAP = 400
"""A long text is read in chunks of this many characters that share this many; the longest rule spans 200."""

Outcome = Literal["clean", "label", "quarantine"]

LABEL_ONLY = frozenset({"user_statement", "system"})
"""Channels whose texts are never withheld: the user may give orders to the user's own agent, the host wrote the rest.

All other channels, unknown ones included, are withheld on a strong rule; what an agent wrote may repeat what it was
told.
"""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_HIDDEN = re.compile(
    f"(?<!\U0001f3f4)[\U000e0020-\U000e007f]|\U000e0001|[{SELECTORS}]{{3,}}|[\U000e0100-\U000e01ef]{{2,}}|[\u202d\u202e]"
)
_BETWEEN_LETTERS = re.compile("(?<=[A-Za-z])[\u200b-\u200d\u2060-\u2064\ufeff](?=[A-Za-z])")
_NEGATED_WITHIN = 8
_LONGEST_WORD = 24
_EXACT, _PREFIX = concept_tables()
_PREFIX_LENGTHS = sorted(set(map(len, _PREFIX)))
_PHRASES = phrase_table()
_RULES = tuple(
    f"{name}.py"
    for name in (
        *("characters", "irregular", "language", "screen", "screen_phrases", "screen_rules", "screen_words"),
        *("secret_shapes", "secrets", "template", "views"),
    )
)
"""The files that decide what `screen` finds in what is shown."""

_BREAK = re.compile(r"\n[ \t]*\n|[{};][ \t]*\n")
_DISMISS, _FOLLOW, _NEGATION, _SINK = map(int, (Concept.DISMISS, Concept.FOLLOW, Concept.NEGATION, Concept.SINK))


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that applied, and the half-open place in the text it applied to."""

    rule: str
    start: int
    end: int

    @property
    def strong(self) -> bool:
        """Whether the rule is enough to withhold a text from an untrusted channel."""
        return self.rule in STRONG


def screen(text: str) -> list[Finding]:
    """What is suspicious about a text, in order of place; one finding per rule and place."""
    found = {Finding("secret", secret.start, secret.end) for secret in find_secrets(text)}
    for start in range(0, max(len(text), 1), CHUNK - OVERLAP):
        plain = fold(text, start, start + CHUNK)
        found.update(_hidden(text[start : start + CHUNK], start))
        for view in (plain, *disguises(text, plain)):
            found.update(_read(view))
        if start + CHUNK >= len(text):
            break
    return sorted(found, key=lambda finding: (finding.start, finding.end, finding.rule))


def clean_under(text: str) -> int:
    """The id of the rules under which a text is clean, 0 when one applies: what is kept beside a stored text."""
    return 0 if screen(text) else rules_id()


def still_clean(kept: int) -> bool:
    """Whether what is kept beside a stored text says that the rules of today find nothing in it."""
    return kept != 0 and kept == rules_id()


@cache
def rules_id() -> int:
    """Names the rules of this version, in 48 bits: another word, shape or view is another id.

    It is 0, the id of no rules, where the package came without its source: then every text is screened when recalled.
    """
    folder = resources.files("bethink.text")
    files = [folder / name for name in _RULES]
    if not all(item.is_file() for item in files):
        return 0
    parts = [unicodedata.unidata_version.encode(), *(item.read_bytes() for item in files)]
    return int.from_bytes(hashlib.sha256(b"\0".join(parts)).digest()[:6], "big")


def outcome(findings: Iterable[Finding], channel: str) -> Outcome:
    """What becomes of a text from a channel (a source kind): kept clean, kept with a label, or withheld for review."""
    found = list(findings)
    if not found:
        return "clean"
    return "quarantine" if channel not in LABEL_ONLY and any(finding.strong for finding in found) else "label"


def _hidden(part: str, start: int) -> Iterator[Finding]:
    """Characters that show nothing and say something."""
    if part.isascii():
        return
    for match in _HIDDEN.finditer(part):
        yield Finding("hidden_text", start + match.start(), start + match.end())
        break
    splits = _BETWEEN_LETTERS.findall(part)
    if len(splits) > 2:
        first = _BETWEEN_LETTERS.search(part)
        at = start + (first.start() if first else 0)
        yield Finding("zero_width", at, at + 1)


def _read(view: View) -> Iterator[Finding]:
    """Every rule over one view."""
    named: list[tuple[str, tuple[int, int]]] = [
        (rule.name, match.span())
        for rule in SHAPED
        if holds_any(view.text, rule.hints)
        for match in rule.pattern.finditer(view.text)
    ]
    named += _forged(view.text)
    if _fillable(_meant(view.text)):
        named += _together(_events(view.text))
    places = view.places([span for _, span in named])
    return (Finding(name, *place) for (name, _), place in zip(named, places, strict=True))


def _forged(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Closing tags that nothing before them opened."""
    opened: dict[str, int] = {}
    for match in CLOSING.finditer(text):
        name = match[1]
        if name not in opened:
            opened[name] = text.find(f"<{name}")
        if not 0 <= opened[name] < match.start():
            yield "forged_close", match.span()


def _meant(text: str) -> int:
    """The concepts that the words of a text can mean, wherever they stand: no fewer than `_events` finds."""
    meant = _SINK if "@" in text else 0
    for word in set(_WORD.findall(text)):
        meant |= _may_mean(word)
    return meant | _DISMISS if meant & _FOLLOW and meant & _NEGATION else meant


@lru_cache(maxsize=16_384)
def _may_mean(word: str) -> int:
    """The concepts of a folded word and of every phrase it may begin."""
    concepts = _concepts(word[:_LONGEST_WORD])
    for concept, _ in _PHRASES.get(word, ()):
        concepts |= concept
    return concepts


@lru_cache(maxsize=4096)
def _fillable(concepts: int) -> bool:
    """Whether some rule could find all it needs among these concepts."""
    return any(all(need.value & concepts for need in rule.needs) for rule in TOGETHER)


def _events(text: str) -> list[tuple[int, int, int]]:
    """Where concepts occur, in order of place: begin, end, concepts; none for a break that no rule reaches across."""
    events = [(*match.span(), 0) for match in _BREAK.finditer(text)]
    if "@" in text:
        events += [(*match.span(), _SINK) for match in ADDRESS.finditer(text)]
    negated = -_NEGATED_WITHIN - 1
    for match in _WORD.finditer(text):
        word = match[0]
        concepts = _concepts(word[:_LONGEST_WORD])
        phrases = _PHRASES.get(word, ())
        if not concepts and not phrases:
            continue
        begin, end = match.span()
        for concept, pattern in phrases:
            if phrase := pattern.match(text, begin):
                events.append((begin, phrase.end(), concept))
        if begin - negated <= _NEGATED_WITHIN:
            concepts = _denied(concepts)
        if concepts & _NEGATION:
            negated = end
        if concepts:
            events.append((begin, end, concepts))
    return sorted(events)


def _denied(concepts: int) -> int:
    """What a word means after *not* or *never*: not to ignore is no dismissal, not to follow is one."""
    if concepts & _DISMISS:
        return concepts & ~_DISMISS
    return concepts | _DISMISS if concepts & _FOLLOW else concepts


@lru_cache(maxsize=16_384)
def _concepts(word: str) -> int:
    """The concepts of a folded word."""
    concepts = _EXACT.get(word, 0)
    for length in _PREFIX_LENGTHS:
        concepts |= _PREFIX.get(word[:length], 0) if length <= len(word) else 0
    return concepts


@lru_cache(maxsize=4096)
def _waiting(concepts: int) -> tuple[tuple[int, int], ...]:
    """The rules, by number, and the slot of each that these concepts fill; later slots first."""
    return tuple(
        (at, slot)
        for at, rule in enumerate(TOGETHER)
        for slot in reversed(range(len(rule.needs)))
        if rule.needs[slot].value & concepts
    )


def _together(events: list[tuple[int, int, int]]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Places where all that a rule needs stands together. One pass; a match starts its rule afresh."""
    filled = _unfilled()
    fresh = True
    for begin, end, concepts in events:
        if not concepts:
            filled = filled if fresh else _unfilled()
        fresh = not concepts
        for at, slot in _waiting(concepts):
            rule, slots = TOGETHER[at], filled[at]
            if rule.ordered and slot:
                before = slots[slot - 1]
                if before is None or before[1] > begin or end - before[0] > rule.window:
                    continue
                slots[slot] = (before[0], end)
            else:
                slots[slot] = (begin, end)
            span = _span(rule, slots)
            if span is not None:
                yield rule.name, span
                filled[at] = [None] * len(rule.needs)


def _unfilled() -> list[list[tuple[int, int] | None]]:
    """For every rule, its slots, empty."""
    return [[None] * len(rule.needs) for rule in TOGETHER]


def _span(rule: Together, slots: list[tuple[int, int] | None]) -> tuple[int, int] | None:
    """What a rule covers once its slots are filled close enough together, each by another word."""
    if rule.ordered:
        return slots[-1]
    places = [place for place in slots if place is not None]
    if len(places) < len(slots) or len(set(places)) < len(slots):
        return None
    begin, end = min(places)[0], max(place[1] for place in places)
    return (begin, end) if end - begin <= rule.window else None
