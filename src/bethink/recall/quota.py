"""Quota: how much of one recall may come from a source that nobody vouches for.

Text from outside can be written to match: by the hundred, in one wording, or full of the question's own words. So one
source gets a tenth of the items and half of the budget, of nearly equal texts one stays, and what echoes the question
ranks lower. What an agent concluded by itself gets half of the items, and more where nothing else would take them.
Nothing turns this off, and each cut names its number. Turns of a conversation are left alone: they are what was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from bethink.domain.hit import Body, Candidate, Scored
from bethink.domain.source import CONFIRMED, UNTRUSTED, SourceKind
from bethink.domain.trace import Cut
from bethink.recall.rank import in_order
from bethink.recall.reader import Asked
from bethink.text.analyse import analyse
from bethink.text.tokens import estimate_tokens

SHARE, TOKENS, CONCLUDED = 0.1, 0.5, 0.5
"""The share of the items and of the budget for one source from outside; of the items for an agent's conclusions."""

CONCLUDED_BY = frozenset(SourceKind) - CONFIRMED - UNTRUSTED
"""The sources of conclusions: what an agent inferred, or summed up."""

SAME = 0.8
"""Term Jaccard at which two texts from outside say the same."""

ECHO = 0.2
"""What a text that echoes the question loses of its score at least: what its match brought it, if that is more."""

RUN = 5
"""So many words of the question, or all of a shorter one, in its order are an echo."""

MANY, TIMES, DENSE, LEAST = 6, 2, 0.1, 12
"""A text is stuffed when of at least 12 terms 6 and a tenth are the question's, each of those twice on average."""

CRAM, CRAMMED = 12, 3
"""A stuffed text that holds so many, each so often, is cut: where nothing else was admitted it stays."""

COVERED, WORDS, FEWEST = 0.6, 2, 3
"""An agent's conclusion is read for echoes when it holds this share, and number, of the question's terms. A question of
fewer than three words cannot be echoed."""

_Said = dict[str, list[tuple[str, int]]]
"""By term what said it: ids with how many terms they hold. A record is no twin of the turn it was quoted from."""


@dataclass(frozen=True, slots=True)
class Rationed:
    """What stays, in order, and what its source has no more room for."""

    kept: tuple[Scored, ...]
    cuts: tuple[Cut, ...] = ()


def suspects(kept: Sequence[Scored]) -> tuple[int, ...]:
    """The keys of what has to be read: what came from outside, and conclusions that hold much of the question."""
    return tuple(
        item.found.candidate.key
        for item in kept
        if (candidate := item.found.candidate).source not in CONFIRMED and (_outside(candidate) or _covering(item))
    )


def unread(tried: Sequence[Scored], read: Mapping[int, Body]) -> list[int]:
    """The keys of what may be shown and was not read yet."""
    return [item.found.candidate.key for item in tried if item.found.candidate.key not in read]


def ration(kept: Sequence[Scored], read: Mapping[int, Body], asked: Asked, language: str) -> Rationed:
    """Penalise echoes, then give each source its share, best first.

    Args:
        kept: what was admitted, in order.
        read: the texts of the suspects, by key.
        asked: the question, the count and the budget.
        language: what the index's terms were made for.
    """
    if not read and not any(_concluded(item.found.candidate) for item in kept):
        return Rationed(tuple(kept))
    terms = {key: analyse(body.text, language) for key, body in read.items()}
    question = _words(asked.query.text)
    stuffed = {key: _stuffing(asked.query.terms, found) for key, found in terms.items()}
    echoing = {key for key, body in read.items() if stuffed[key] or _repeats(question, body.text)}
    ordered = in_order(_lowered(item) if item.candidate.key in echoing else item for item in kept)
    ledger = _Ledger(ordered, read, {key: frozenset(found) for key, found in terms.items()}, asked)
    crammed = {key for key, hits in stuffed.items() if hits >= CRAM and len(kept) > 1}
    verdicts = [
        (item, _crammed(item, stuffed) if item.candidate.key in crammed else ledger.cut(item.candidate))
        for item in ordered
    ]
    return Rationed(
        tuple(item for item, cut in verdicts if cut is None), tuple(cut for _, cut in verdicts if cut is not None)
    )


class _Ledger:
    """What each source has taken so far of one recall."""

    def __init__(
        self, kept: Sequence[Scored], read: Mapping[int, Body], terms: Mapping[int, frozenset[str]], asked: Asked
    ) -> None:
        self._read, self._terms = read, terms
        self._items: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        self._beliefs: _Said = {}
        self._turns: _Said = {}
        self._each, self._room = max(1, ceil(SHARE * asked.limit)), float(int(TOKENS * asked.budget))
        concluded = sum(_concluded(item.candidate) for item in kept)
        self._concluded = max(ceil(CONCLUDED * asked.limit), asked.limit - (len(kept) - concluded))
        self._alone = len(kept) == 1

    def cut(self, candidate: Candidate) -> Cut | None:
        """Why there is no room for a candidate, None when it takes its place."""
        if _outside(candidate):
            return self._from_outside(candidate)
        return self._counted(candidate, "agent", self._concluded) if _concluded(candidate) else None

    def _from_outside(self, candidate: Candidate) -> Cut | None:
        """The cut of a candidate from outside: its wording, its source's count, its source's share of the budget."""
        body = self._read.get(candidate.key)
        if body is None:
            return None
        terms = self._terms[candidate.key]
        said = self._turns if candidate.type == "turn" else self._beliefs
        if twin := _twin(terms, said):
            return Cut("quota", candidate.id, f"nearly says what {twin[0]} says", twin[1], SAME)
        source = _source(candidate, body)
        need = self._tokens[source] + estimate_tokens(body.text)
        if need > self._room and not self._alone:
            return Cut("quota", candidate.id, "its source's share of the budget", float(need), self._room)
        cut = self._counted(candidate, source, self._each)
        if cut is None:
            self._tokens[source] = need
            for term in terms:
                said.setdefault(term, []).append((candidate.id, len(terms)))
        return cut

    def _counted(self, candidate: Candidate, source: str, most: int) -> Cut | None:
        """Count one more item of a source, or cut it."""
        if self._items[source] >= most:
            return Cut("quota", candidate.id, "enough of its source", bound=float(most))
        self._items[source] += 1
        return None


def _twin(terms: frozenset[str], said: _Said) -> tuple[str, float] | None:
    """What already says nearly these terms, with how alike the two are."""
    shared = Counter(other for term in terms for other in said.get(term, ()))
    alike = ((id_, count / (len(terms) + size - count)) for (id_, size), count in shared.items())
    return next((pair for pair in alike if pair[1] >= SAME), None)


def _outside(candidate: Candidate) -> bool:
    """Whether it came from outside and is no turn of a conversation; what a tool said is no conversation."""
    kind = candidate.source
    return kind in UNTRUSTED and (kind is SourceKind.TOOL_RESULT or candidate.type != "turn")


def _concluded(candidate: Candidate) -> bool:
    """Whether it is what an agent made of things by itself."""
    return candidate.source in CONCLUDED_BY and candidate.type != "turn"


def _covering(item: Scored) -> bool:
    """Whether a conclusion holds so much of the question that it may be an echo."""
    found = item.found
    return found.coverage >= COVERED and found.matched >= WORDS and _concluded(found.candidate)


def _source(candidate: Candidate, body: Body) -> str:
    """What counts as one source: a reference; for the turns of a tool, the tool within its session."""
    if candidate.type == "turn":
        return f"{candidate.session}/{candidate.subject_key}"
    return f"{candidate.source}:{body.source_ref}"


def _words(text: str) -> list[str]:
    """Words without case and punctuation."""
    return "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()


def _repeats(question: Sequence[str], text: str) -> bool:
    """Whether a text holds a run of the question's words."""
    run = min(RUN, len(question))
    if run < FEWEST:
        return False
    said = f" {' '.join(_words(text))} "
    return any(f" {' '.join(question[at : at + run])} " in said for at in range(len(question) - run + 1))


def _stuffing(asked: Sequence[str], terms: Sequence[str]) -> int:
    """How many of a text's terms are the question's, where it is stuffed with them; else 0."""
    if len(terms) < LEAST:
        return 0
    own = set(asked)
    hits = [term for term in terms if term in own]
    distinct = len(set(hits))
    stuffed = len(hits) >= max(MANY, TIMES * distinct, DENSE * len(terms))
    return min(len(hits), CRAM - 1) if stuffed and len(hits) < CRAMMED * distinct else len(hits) * stuffed


def _crammed(item: Scored, stuffed: Mapping[int, int]) -> Cut:
    """The cut of a stuffed text."""
    hits = float(stuffed[item.candidate.key])
    return Cut("quota", item.candidate.id, "stuffed with the question's words", hits, float(CRAM))


def _lowered(item: Scored) -> Scored:
    """The item with the penalty for an echo."""
    cost = min(max(ECHO, item.parts.get("match", 0.0)), max(0.0, item.score))
    return Scored(item.found, round(item.score - cost, 9), {**item.parts, "echo": -cost})
