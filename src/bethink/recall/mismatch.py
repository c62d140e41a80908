"""Mismatch: whether what was found speaks of whom, and when, the question names.

A question may credit one person with what another said, or put it into the wrong month. Its words then lead to the
right turns under the wrong name, and nothing about their scores is weak. So two readings are made of the texts at
hand, without a model: how many of the question's other words do the turns of the one named say, and how many do those
of somebody else; and the same for the time named and any other. What is shown is weighed against all that was tried.
Nothing is cut and nothing moves for it.

A turn speaks for its speaker with the sentences that neither ask nor address somebody; a sentence that names the one
asked about speaks of that one, whoever says it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta
from functools import cache, lru_cache

from bethink.domain.hit import Body, Candidate, Scored
from bethink.domain.query import TimeSpan
from bethink.domain.trace import Mismatch
from bethink.domain.types import Kind
from bethink.recall.budget import Placed
from bethink.recall.dates import VERBS
from bethink.recall.reader import Asked
from bethink.recall.safety import shown_name
from bethink.text.analyse import analyse, written_as
from bethink.text.language import language_named
from bethink.text.template import day_words
from bethink.text.when import expressions

AFTERWARDS = timedelta(days=7)
"""What happened at a time is still told of in the week after it."""

READ = 600
"""Characters of a text that are read: more says little about one answer, and would cost more than all the rest."""

_SENTENCE = re.compile(r"[^.!?\u2026\u3002\uff01\uff1f\n]+[.!?\u2026\u3002\uff01\uff1f]*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ASKING = ("?", "\uff1f", "\u061f")
_APOSTROPHE = "['\u2018\u2019\u02bc]"
_NOBODY = frozenset({"assistant", "tool", "system"})
"""Roles whose turns speak for nobody who could be confused with another."""

_SHORT = 3
"""Letters of a term that stands whole in its words; of a longer one a stemmer may have changed the last."""

_DAY, _LONGEST_MONTH = timedelta(days=1), timedelta(days=31)


@dataclass(frozen=True, slots=True)
class Found:
    """What a mismatch is read from.

    `pool` are all candidates in order, `tried` the items that were tried for the block and `bodies` their texts by key,
    `placed` what is shown.
    """

    pool: Sequence[Scored]
    tried: Sequence[Scored]
    bodies: Mapping[int, Body]
    placed: Sequence[Placed]


def mismatch(found: Found, asked: Asked, language: str) -> Mismatch | None:
    """The stronger of the two readings; None where neither can be made, or nothing of another one is shown."""
    keys = frozenset(item.found.candidate.subject_key for item in found.pool)
    named = _whom(frozenset(asked.query.names), keys)
    if not named and not asked.query.spans:
        return None
    own = {name: frozenset(analyse(name, language)) for name in named}
    days = " ".join(day_words(day) for span in asked.query.spans for day in (span.start, span.end))
    said = _Said(found, frozenset(asked.query.terms), own, frozenset(analyse(days, language)), language)
    said.called = _called(named, keys)
    if not said.wanted:
        return None
    readings = (_person(said, named, asked), _period(said, asked))
    return max((one for one in readings if one is not None), key=lambda one: one.score, default=None)


def _whom(names: Collection[str], keys: Iterable[str]) -> frozenset[str]:
    """Which of these a question names: whole, or by the first word where nobody of that first word is named whole.

    "What did Ann Smith buy?" does not ask about Ann Jones.
    """
    first = {key: key.partition(" ")[0] for key in keys if key}
    whole = {key for key in first if key in names}
    taken = {first[key] for key in whole if key != first[key]}
    return frozenset(whole | {key for key, word in first.items() if word in names and word not in taken})


def _called(named: Collection[str], keys: Iterable[str]) -> tuple[str, ...]:
    """What those named are called: whole, and by the first word where it is nobody else's."""
    others = {key.partition(" ")[0] for key in keys if key not in named}
    return tuple(sorted({*named, *({name.partition(" ")[0] for name in named} - others)}))


@dataclass(slots=True)
class _Said:
    """How much of the question each item says, worked out when it is asked for."""

    found: Found
    terms: frozenset[str]
    own: Mapping[str, frozenset[str]]
    days: frozenset[str]
    language: str
    wanted: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    known: dict[int, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wanted = self.terms.difference(self.days, *self.own.values())
        stems = (term[:-1] if len(term) > _SHORT else term for term in self.wanted)
        forms = (form for term in self.wanted for form in written_as(term, self.language))
        self.beginnings = (*stems, *forms)

    def most(self, items: Iterable[Scored]) -> tuple[float, Scored | None]:
        """The item that says most of it by itself, and how much; the others are not read once they cannot say more."""
        ordered = sorted(items, key=self._at_most, reverse=True)
        best, which = 0.0, ordered[0] if ordered else None
        for item in ordered:
            if self._at_most(item) <= best:
                break
            share = self.of(item)[0]
            if share > best:
                best, which = share, item
        return best, which

    def most_of_the_named(self, items: Iterable[Scored], most: float) -> float:
        """How much of it an item says of somebody the question names; `most` where none says more.

        Read are those alone that hold a name and words enough to say more.
        """
        names = _naming(self.called)
        for item in items:
            body = self.found.bodies.get(item.found.candidate.key)
            if names is not None and body is not None and self._at_most(item) > most and names.search(body.text[:READ]):
                most = max(most, self.of(item)[1])
        return most

    def of(self, item: Scored) -> tuple[float, float]:
        """The shares of the wanted words that an item says of its own one, and of somebody the question names."""
        candidate = item.found.candidate
        if candidate.key not in self.known:
            body = self.found.bodies.get(candidate.key)
            own, named = ("", "") if body is None else self._split(candidate, body.text[:READ])
            self.known[candidate.key] = self._share(own), self._share(named)
        return self.known[candidate.key]

    def tells_of(self, item: Scored, spans: Sequence[TimeSpan]) -> bool:
        """Whether an event's own words name one of the times: `I bought it in March`, told in June."""
        body, at = self.found.bodies.get(item.found.candidate.key), _told_at(item.found.candidate)
        if body is None:
            return False
        text = body.text[:READ]
        named = [one.window for ahead in (False, True) for one in expressions(text, at, ahead=ahead)]
        words = frozenset(analyse(text, self.language))
        years = frozenset(filter(_YEAR.fullmatch, words))
        return any(
            any(start < span.end and span.start < end for start, end in named)
            or (
                (not years or str(span.start.year) in years)
                and words.issuperset(analyse(_calendar_words(span), self.language) or ("",))
            )
            for span in spans
        )

    def _at_most(self, item: Scored) -> float:
        """What an item can say at most: the words it holds, but for a name it bears."""
        bears = self.own.get(item.found.candidate.subject_key, frozenset())
        return (item.found.matched - len(bears & self.terms)) / len(self.wanted)

    def _share(self, text: str) -> float:
        return len(self.wanted.intersection(analyse(text, self.language))) / len(self.wanted) if text else 0.0

    def _split(self, candidate: Candidate, text: str) -> tuple[str, str]:
        """Of a text what speaks of its own one, and what of somebody the question names."""
        if candidate.subject_key in self.own:
            names: re.Pattern[str] | None = None
        else:
            names = _naming(self.called)
        if candidate.type != "turn":
            return ("", text) if names is not None and names.search(text) else (text, "")
        own, named = [], []
        addressing = _addressing(self.language)
        for sentence in _SENTENCE.findall(text):
            folded = sentence.casefold()
            if sentence.endswith(_ASKING) or not any(begin in folded for begin in self.beginnings):
                continue
            if names is not None and names.search(sentence):
                named.append(sentence)
            elif addressing is None or not addressing.search(sentence):
                own.append(sentence)
        return " ".join(own), " ".join(named)


def _person(said: _Said, named: frozenset[str], asked: Asked) -> Mismatch | None:
    """Somebody else's words against those of the ones the question names."""
    spoken = {item.found.candidate.type == "turn" for item in said.found.pool if _bears(item, named)}
    shown = {one.shown.item.found.candidate.key: one for one in said.found.placed if not one.shown.blocked}
    others = [
        one.shown.item
        for one in shown.values()
        if (candidate := one.shown.item.found.candidate).subject_key
        and candidate.subject_key not in named
        and (candidate.type == "turn") in spoken
        and one.shown.body.role not in _NOBODY
    ]
    theirs, which = said.most(others)
    if which is None:
        return None
    ours = said.most(item for item in said.found.tried if _bears(item, named))[0]
    ours = said.most_of_the_named(others, ours)
    one = shown[which.found.candidate.key]
    who = one.shown.speaker or shown_name(one.shown.body.subject or "")
    asked_for = ", ".join(name for name in asked.query.names if name in named or _opens(name, named, asked.query.names))
    how = "was said by" if which.found.candidate.type == "turn" else "is about"
    reason = f"The question names {asked_for}, but what matches its words best {how} {who} ({one.parts.short_id})."
    return Mismatch(_score(theirs, ours), "person", asked_for, who, which.found.candidate.id, reason)


def _period(said: _Said, asked: Asked) -> Mismatch | None:
    """What was said at another time against what was said at the one the question names."""
    spans = asked.query.spans
    if not spans or asked.query.time_only:
        return None
    events = [item for item in said.found.tried if item.found.candidate.kind is Kind.EPISODIC]
    inside = {item.found.candidate.key for item in events if _within(item.found.candidate, spans)}
    shown = {one.shown.item.found.candidate.key: one for one in said.found.placed if not one.shown.blocked}
    others = [item for item in events if item.found.candidate.key in shown.keys() - inside]
    theirs, which = said.most(others)
    if which is None:
        return None
    ours = said.most(item for item in events if item.found.candidate.key in inside)[0]
    if said.tells_of(which, spans):
        ours = max(ours, theirs)
    one, told = shown[which.found.candidate.key], " and ".join(map(_told, spans))
    day = one.parts.day
    reason = f"The question names {told}, but what matches its words best is of {day} ({one.parts.short_id})."
    return Mismatch(_score(theirs, ours), "period", told, day, which.found.candidate.id, reason)


def _score(theirs: float, ours: float) -> float:
    """One half where both say as much, 1 where the other one says everything and the one asked for nothing."""
    return round((1 + theirs - ours) / 2, 6)


def _bears(item: Scored, named: Collection[str]) -> bool:
    """Whether an item is of one of the named."""
    return item.found.candidate.subject_key in named


def _opens(name: str, named: Iterable[str], names: Collection[str]) -> bool:
    """Whether a name is the first word of one that the question does not name whole."""
    return any(other.partition(" ")[0] == name and other not in names for other in named)


def _within(candidate: Candidate, spans: Sequence[TimeSpan]) -> bool:
    """Whether an event is of one of the times, or of the week after."""
    at = _told_at(candidate)
    return any(start <= at and (at < end or at - end < AFTERWARDS) for start, end in spans)


def _told_at(candidate: Candidate) -> datetime:
    """When an event was, or was told."""
    return candidate.event_at or candidate.valid_from or candidate.recorded_at


def _calendar_words(span: TimeSpan) -> str:
    """What a day or a month is called in any year; empty for any other window, and for a month that is a verb too."""
    day, month, *_ = day_words(span.start).split()
    length = span.end - span.start
    if length <= _DAY:
        return f"{day} {month}"
    whole = span.start.day == 1 and length <= _LONGEST_MONTH and span.end.day == 1
    return month if whole and month.casefold() not in VERBS else ""


def _told(span: TimeSpan) -> str:
    """A window by its first and last day; an open end is left out."""
    last = span.end - _DAY if span.end - span.start >= _DAY else span.end
    first, last_day = _day(span.start), _day(last)
    return first if first == last_day else f"{first}/{last_day}"


def _day(instant: datetime) -> str:
    """A day, ``..`` for one before or after every other."""
    return ".." if instant.year in {MINYEAR, MAXYEAR} else instant.astimezone(UTC).date().isoformat()


@cache
def _addressing(language: str) -> re.Pattern[str] | None:
    """What finds a word by which somebody is addressed; None for a language without any."""
    words = sorted(language_named(language).addressing)
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE) if words else None


@lru_cache(maxsize=256)
def _naming(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """What finds one of the names."""
    words = (re.escape(name).replace("'", _APOSTROPHE) for name in names)
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE) if names else None
