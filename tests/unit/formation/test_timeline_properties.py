"""Rules that hold for every sequence of statements about one fact, whatever their sources, times and order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.formation.facts import AGENT, TOOL, USER, Ledger, day, says

from bethink.domain.record import LIVE, Content, Record, Status
from bethink.domain.source import RANK, SourceKind

DAYS = st.integers(0, 12).map(day)


@dataclass(frozen=True)
class Told:
    """One statement of a sequence: its content and who supports it."""

    content: Content
    support: str

    def __repr__(self) -> str:
        """Short, so that a failing sequence can be read."""
        content = self.content
        times = [time and f"{time:%d}" for time in (content.event_at, content.valid_from)]
        flags = "".join(sorted(content.flags))
        return f"<{content.text} {content.polarity} {content.source.kind} {times} {content.source.creator} {flags}>"


@st.composite
def told(draw: st.DrawFn) -> Told:
    """Any statement about where Ana lives."""
    source = draw(st.sampled_from([USER, USER, TOOL, AGENT]))
    creator = draw(st.sampled_from(["one", "two"]))
    flags = draw(st.sampled_from([(), (), (), (), ("temporary",), ("quarantined",)]))
    content = says(
        draw(st.sampled_from("ABC")),
        source,
        creator=creator,
        event_at=draw(st.none() | DAYS),
        valid_from=draw(st.none() | st.none() | DAYS),
        polarity=draw(st.sampled_from(["assert"] * 5 + ["retract"])),
        flags=frozenset(flags),
    )
    return Told(content, draw(st.sampled_from(["s1", "s2", "s3"])))


def replay(sequence: Sequence[Told]) -> Ledger:
    """The ledger after a sequence, one statement each half day from day 4, so that some speak of what is to come."""
    ledger = Ledger()
    for number, item in enumerate(sequence):
        ledger.tell(item.content, day(4 + number / 2), support=item.support)
    return ledger


def tracked(records: Sequence[Record]) -> Counter[tuple[int, bool]]:
    """How many records of each rank, passing and standing apart, held-back ones left out."""
    return Counter(
        (record.content.source.rank, "temporary" in record.content.flags)
        for record in records
        if "quarantined" not in record.content.flags
    )


SEQUENCES = st.lists(told(), max_size=9)
INSTANTS = [day(n / 2) for n in range(30)]


@settings(max_examples=60, deadline=None)
@given(SEQUENCES)
def test_at_most_one_record_of_a_rank_speaks_for_an_instant(sequence: list[Told]) -> None:
    ledger = replay(sequence)
    for instant in INSTANTS:
        crowded = {key: count for key, count in tracked(ledger.shown(instant)).items() if count > 1}
        assert not crowded, (instant, crowded)


@settings(max_examples=60, deadline=None)
@given(SEQUENCES)
def test_at_most_one_live_head_and_every_other_live_value_is_a_linked_conflict(sequence: list[Told]) -> None:
    ledger = replay(sequence)
    now = day(4 + len(sequence) / 2)
    for passing in (False, True):
        live = [
            record
            for record in ledger.shown(now, LIVE)
            if ("temporary" in record.content.flags) is passing and "quarantined" not in record.content.flags
        ]
        live.sort(key=lambda record: -record.content.source.rank)
        for head, other in pairwise(live):
            assert head.content.source.rank > other.content.source.rank
            assert other.status is Status.PROVISIONAL or other.created_at < head.created_at


@settings(max_examples=60, deadline=None)
@given(SEQUENCES)
def test_no_record_is_ended_by_one_of_lower_rank(sequence: list[Told]) -> None:
    ledger = replay(sequence)
    for record in ledger.records.values():
        successor = ledger.records.get(record.superseded_by or "")
        if successor is not None:
            assert successor.content.source.rank >= record.content.source.rank
            assert ("temporary" in successor.content.flags) == ("temporary" in record.content.flags)


@settings(max_examples=60, deadline=None)
@given(SEQUENCES, told())
def test_the_users_latest_word_is_the_head(sequence: list[Told], last: Told) -> None:
    ledger = replay(sequence)
    now = day(20)
    word = says("the last word", last.content.source.kind)
    decision = ledger.tell(word, now, support="last")
    best = max((RANK[item.content.source.kind] for item in sequence), default=0)
    if RANK[word.source.kind] == RANK[USER]:
        standing = [r for r in ledger.shown(now, LIVE) if "temporary" not in r.content.flags]
        assert [r.id for r in standing if "quarantined" not in r.content.flags] == [decision.id]
    else:
        assert decision.outcome in {"created", "superseded", "conflict"}
        assert decision.outcome != "conflict" or best > RANK[word.source.kind]


@settings(max_examples=60, deadline=None)
@given(SEQUENCES)
def test_saying_it_again_from_the_same_source_changes_nothing(sequence: list[Told]) -> None:
    ledger = replay([item for item in sequence if item.content.polarity == "assert"])
    now = day(20)
    live = {r.id: r for r in ledger.shown(now, LIVE)}
    head = max(live.values(), key=lambda record: record.content.source.rank, default=None)
    if head is None or head.content.flags:
        return
    before = dict(ledger.records)
    again = says(head.content.text, head.content.source.kind, creator=head.content.source.creator)
    support = min(ledger.supports[head.id])
    decision = ledger.tell(again, now, support=support)
    assert decision.outcome == "already_reinforced"
    assert ledger.records == before


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(5)), st.sampled_from([USER, TOOL, AGENT]))
def test_history_reads_the_same_in_whatever_order_it_was_told(order: list[int], source: SourceKind) -> None:
    ledger = Ledger()
    for number, place in enumerate(order):
        ledger.tell(says(f"value {place}", source, event_at=day(place)), day(10 + number / 10))

    def texts(instant: datetime) -> list[str]:
        return [record.content.text for record in ledger.shown(instant)]

    assert [texts(day(place + 0.5)) for place in range(5)] == [[f"value {place}"] for place in range(5)]
    assert ledger.live(day(12)) == ["value 4"]
