"""Play the workload: every session is said, closed and read, by the rules and by a script; integers come out.

The script suggests every labelled statement and every trap, as an eager model would; what keeps the traps out are the
rules of formation alone. Nothing is left to chance: the clock is fixed, ids count, and no encoder is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from bethink.domain.record import Record, Status
from bethink.domain.transcript import Transcript
from bethink.evaluation.formation_corpus import Label, Spoken
from bethink.formation.extract_rules import RulesExtractor
from bethink.formation.review import RulesReviewer
from bethink.memory import BoundMemory, Memory
from bethink.opening import open_memory
from bethink.operations.extraction import Suggested, Suggestion
from bethink.operations.remember import RememberResult
from bethink.ports.models import Extractor, Readers
from bethink.testing.fakes import CountingIds, ManualClock
from bethink.text.echo import own_words

ALIKE = 0.6
"""The share of a label's words that a record has to hold to be the one that was meant."""

_WORD = re.compile(r"[^\W_]+")
_PLAIN = frozenset(
    "the a an user users is are was has have their they them in on at of to for with and as be by it its s i my".split()
)
_TIMES = frozenset("last next week month year tomorrow friday tuesday yesterday april march may".split())


@dataclass(frozen=True, slots=True)
class Tally:
    """What a reader made of the workload, in integers.

    `labelled` statements were worth keeping, `formed` of them were formed; `stored` beliefs were stored in all, `junk`
    of them match no label. `unfounded` have evidence that is not where it says. Of the `corrections` whose both sides
    were formed, `superseded` took the place of the old statement. `repeats` were to reinforce, `reinforced` did.
    `invalidated` are facts that ended though nothing corrected them. `summaries` are sessions with exactly one.
    """

    sessions: int = 0
    labelled: int = 0
    formed: int = 0
    stored: int = 0
    junk: int = 0
    unfounded: int = 0
    corrections: int = 0
    superseded: int = 0
    repeats: int = 0
    reinforced: int = 0
    invalidated: int = 0
    summaries: int = 0
    traps: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)

    @property
    def precision(self) -> float:
        """Stored beliefs that were worth it."""
        return (self.stored - self.junk) / self.stored if self.stored else 1.0

    @property
    def recall(self) -> float:
        """Statements worth keeping that were formed."""
        return self.formed / self.labelled if self.labelled else 1.0


@dataclass(frozen=True, slots=True)
class Gates:
    """What a reader's tally has to hold: how much it forms; everything else must be right to the last."""

    recall: float

    def failures(self, tally: Tally) -> tuple[str, ...]:
        """What is not held, in words."""
        checks = (
            (tally.junk == 0, f"{tally.junk} stored beliefs are junk"),
            (tally.unfounded == 0, f"{tally.unfounded} records have no evidence where they say"),
            (tally.superseded == tally.corrections, f"{tally.corrections - tally.superseded} corrections did not"),
            (tally.invalidated == 0, f"{tally.invalidated} unrelated facts were invalidated"),
            (tally.summaries == tally.sessions, f"{tally.sessions - tally.summaries} sessions lack their one summary"),
            (tally.recall >= self.recall, f"{tally.formed} of {tally.labelled} is less than {self.recall:.0%}"),
        )
        return tuple(words for holds, words in checks if not holds)


READERS: Mapping[str, Gates] = {"rules": Gates(0.60), "scripted": Gates(0.95)}
"""The readers that are measured, and what each has to hold."""


@dataclass
class Script:
    """Suggests all that is labelled in a session, and every trap."""

    sessions: Mapping[str, Spoken]
    labels: Mapping[str, Label]
    name: str = "scripted"

    def suggest(self, transcript: Transcript) -> Suggested:
        """Every label, every repeat, every trap of the session."""
        spoken = self.sessions[transcript.session.id]
        own = [_suggested(label, label.quote) for label in spoken.labels]
        again = [_suggested(self.labels[name], quote) for name, quote in spoken.again]
        traps = [Suggestion(trap.content, trap.quote) for trap in spoken.traps]
        return Suggested((*traps, *own, *again))


@dataclass
class Played:
    """What was stored, as the sessions were read."""

    beliefs: dict[str, list[RememberResult]] = field(default_factory=dict)
    summaries: int = 0
    dropped: Counter[str] = field(default_factory=Counter)


def measured(workload: Sequence[Spoken], reader: str) -> Tally:
    """Play the workload with one reader and count."""
    labels = {label.name: label for spoken in workload for label in spoken.labels}
    script = Script({spoken.id: spoken for spoken in workload}, labels)
    extractor: Extractor = RulesExtractor() if reader == "rules" else script
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    with TemporaryDirectory() as folder:
        place = Path(folder) / "formation.db"
        readers = Readers(extractor, RulesReviewer())
        with open_memory(place, clock=clock, ids=CountingIds(), embedder=None, readers=readers) as memory:
            played = _play(workload, memory, clock)
            return _counted(workload, played, memory)


def as_row(tally: Tally) -> dict[str, object]:
    """A tally with its two shares, rounded to a thousandth."""
    return {**asdict(tally), "precision": round(tally.precision, 3), "recall": round(tally.recall, 3)}


def _play(workload: Sequence[Spoken], memory: Memory, clock: ManualClock) -> Played:
    """Say, close and read every session, on its day."""
    played = Played()
    for spoken in sorted(workload, key=lambda one: (one.day, one.user)):
        bound = _bound(memory, spoken)
        clock.set(datetime.fromisoformat(f"{spoken.day}T10:00:00+00:00"))
        with bound.session(spoken.id) as talk:
            for line in spoken.lines:
                clock.advance(minutes=1)
                talk.turn(line.text, role=line.role, speaker=line.speaker, said_at=clock.now())
        clock.set(clock.now() + timedelta(minutes=30))
        result = bound.extract(spoken.id)
        played.beliefs[spoken.id] = list(result.beliefs)
        played.dropped.update(result.dropped)
        played.summaries += result.summary_id is not None and _is_summary(bound, result.summary_id)
    return played


def _counted(workload: Sequence[Spoken], played: Played, memory: Memory) -> Tally:
    """The integers of a play."""
    counts: Counter[str] = Counter()
    labels = {label.name: label for spoken in workload for label in spoken.labels}
    held: dict[str, str] = {}
    records: dict[str, Record] = {}
    for spoken in workload:
        bound = _bound(memory, spoken)
        items = {item.id: _record(bound, item.id) for item in played.beliefs[spoken.id]}
        records |= items
        late = [labels[name] for name, _ in spoken.again if name not in held]
        named = _matched([*spoken.labels, *late], items)
        repeated = {held[name] for name, _ in spoken.again if name in held}
        held |= named
        counts["junk"] += len(items.keys() - set(named.values()) - repeated)
        counts["reinforced"] += len(repeated & items.keys())
        counts["repeats"] += len(repeated)
        counts["unfounded"] += sum(not _founded(bound, record) for record in items.values())
    corrected = [label for spoken in workload for label in spoken.labels if label.replaces]
    due = [label for label in corrected if label.name in held and label.replaces in held]
    done = [label for label in due if records[held[label.replaces or ""]].status is Status.SUPERSEDED]
    meant = {held[label.replaces] for label in corrected if label.replaces in held}
    ended = {item for item, record in records.items() if record.status is Status.SUPERSEDED}
    return Tally(
        sessions=len(workload),
        labelled=sum(len(spoken.labels) for spoken in workload),
        formed=len(held),
        stored=sum(len(items) for items in played.beliefs.values()),
        junk=counts["junk"],
        unfounded=counts["unfounded"],
        corrections=len(due),
        superseded=len(done),
        repeats=counts["repeats"],
        reinforced=counts["reinforced"],
        invalidated=len(ended - meant),
        summaries=played.summaries,
        traps=sum(len(spoken.traps) for spoken in workload),
        dropped=dict(sorted(played.dropped.items())),
    )


def _matched(labels: Sequence[Label], items: Mapping[str, Record]) -> dict[str, str]:
    """Which record is which label's: the one that holds most of its words, each record once."""
    pairs = sorted(
        (
            (_share(label.content, record.content.text), label.name, item)
            for label in labels
            for item, record in items.items()
        ),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    named: dict[str, str] = {}
    for share, name, item in pairs:
        if share >= ALIKE and name not in named and item not in named.values():
            named[name] = item
    return named


def _share(wanted: str, text: str) -> float:
    """The share of a statement's telling words that a text holds."""
    telling = _words(wanted) - _PLAIN - _TIMES
    return len(telling & _words(text)) / len(telling) if telling else 0.0


def _words(text: str) -> set[str]:
    """The words of a text, in small letters, without a verb's s."""
    return {word.casefold().removesuffix("s") for word in _WORD.findall(text)}


def _founded(bound: BoundMemory, record: Record) -> bool:
    """Whether a record's evidence stands where it says, in its speaker's own words."""
    quote = record.content.source.evidence
    turn = bound.get(quote.turn_id).turn if quote is not None and quote.turn_id is not None else None
    if turn is None or quote is None:
        return False
    place = slice(quote.start, quote.end)
    return turn.text[place] == quote.quote == own_words(turn.text)[place]


def _record(bound: BoundMemory, item: str) -> Record:
    """A belief as it stands at the end."""
    found = bound.get(item).record
    if found is None:
        msg = f"{item} was stored and is no record."
        raise AssertionError(msg)
    return found


def _is_summary(bound: BoundMemory, item: str) -> bool:
    """Whether an id names a live summary."""
    record = _record(bound, item)
    return record.content.type == "session_summary" and record.status is Status.ACTIVE


def _bound(memory: Memory, spoken: Spoken) -> BoundMemory:
    """The memory as whoever holds a session sees it."""
    return memory.bind(spoken.user, "aria", spoken.project, voice="user")


def _suggested(label: Label, quote: str) -> Suggestion:
    """A label as a model would suggest it."""
    return Suggestion(label.content, quote, None, label.type, label.subject, label.attribute)
