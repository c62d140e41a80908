"""Use feeds back: what was used becomes more useful, what was shown in vain less, and nothing surer by it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.domain import feedback
from bethink.domain.record import Usage
from bethink.domain.trace import TracedBelief
from bethink.domain.types import Portability
from bethink.errors import NotFound
from bethink.feedback.citations import cited
from bethink.memory import BoundMemory
from tests.behaviour.house import MARCH, House, counted, know, record, stored
from tests.behaviour.requirements import requirement
from tests.databases import traces_held

USAGES = st.builds(
    Usage,
    confidence=st.floats(0, 1),
    evidence_count=st.integers(0, 20),
    last_evidence_at=st.none() | st.just(MARCH),
    last_used_at=st.none() | st.just(MARCH + timedelta(days=9)),
    utility=st.floats(-1, 1),
)


def furnish(maya: BoundMemory) -> list[str]:
    """Three beliefs about a kiln."""
    return [know(maya, f"The blue kiln stands on leg number {number}", subject=f"leg {number}") for number in range(3)]


def usage(maya: BoundMemory, item: str) -> Usage:
    return record(maya, item).usage


@requirement("A130", "A132")
def test_what_was_cited_gains_a_tenth_and_a_last_use_and_what_was_not_loses_half_as_much(house):
    maya = house.bind()
    one, two, three = furnish(maya)
    result = maya.recall("blue kiln")
    short = next(item.short_id for item in result.items if item.id == two)
    house.clock.advance(days=2)
    told = maya.used(result.trace_id, (one, f"[{short}]", "m:00000000", "nobody"))

    assert told.cited == tuple(item.id for item in result.items if item.id in {one, two})
    assert set(told.credited) == {one, two}
    assert told.passed_over == (three,)
    assert told.unknown == ("m:00000000", "nobody")
    assert [usage(maya, item).utility for item in (one, two, three)] == pytest.approx([0.1, 0.1, -0.05], abs=0.001)
    assert [usage(maya, item).last_used_at for item in (one, two, three)] == [house.clock.now()] * 2 + [None]


@requirement("A130")
def test_an_answer_cites_by_short_id_and_uses_what_it_says_word_for_word(house):
    maya = house.bind()
    one, two, _ = furnish(maya)
    result = maya.recall("blue kiln")
    texts = {item.id: item for item in result.items}
    answer = f"As [{texts[one].short_id}] says. Also, the  BLUE kiln stands on leg number 1, and a blue kiln stands."
    told = maya.used(result.trace_id, answer=answer)

    assert set(told.cited) == {one}
    said = f"{answer} {texts[two].text.upper()}"
    assert set(maya.used(result.trace_id, answer=said).cited) == {one, two}


@requirement("A131")
def test_use_renews_no_evidence_raises_no_confidence_and_leaves_every_other_byte_alone(house):
    maya = house.bind()
    one, *_ = furnish(maya)
    result = maya.recall("blue kiln")
    before, events = record(maya, one), counted(maya, "event")
    house.clock.advance(days=2)
    for _ in range(20):
        again = maya.recall("blue kiln")
        maya.used(again.trace_id, (one,))
    after = record(maya, one)

    assert after.usage.utility == 1.0
    names = ("confidence", "evidence_count", "last_evidence_at", "review_flagged_at")
    assert [getattr(after.usage, name) for name in names] == [getattr(before.usage, name) for name in names]
    assert (after.content, after.version, after.status, after.history) == (
        before.content,
        before.version,
        before.status,
        before.history,
    )
    assert counted(maya, "event") == events
    assert maya.recall("blue kiln").rendered.splitlines()[0] == result.rendered.splitlines()[0]


@requirement("A131")
@given(USAGES)
def test_neither_direction_touches_what_evidence_moves_and_both_stay_within_bounds(before):
    for after in (feedback.used(before, MARCH), feedback.passed_over(before)):
        assert -1 <= after.utility <= 1
        assert (after.confidence, after.evidence_count, after.last_evidence_at) == (
            before.confidence,
            before.evidence_count,
            before.last_evidence_at,
        )
    assert feedback.passed_over(before).last_used_at == before.last_used_at
    assert feedback.used(before, MARCH).last_used_at == max(filter(None, (before.last_used_at, MARCH)))


@requirement("A130", "A132")
def test_a_recall_is_settled_once_and_what_is_cited_later_is_credited_once_more(house):
    maya = house.bind()
    one, two, three = furnish(maya)
    trace = maya.recall("blue kiln").trace_id
    maya.used(trace, (one,))
    repeat = maya.used(trace, (one,))
    late = maya.used(trace, (two,))
    again = maya.used(trace, (one, two))

    assert (repeat.credited, repeat.passed_over, repeat.cited) == ((), (), (one,))
    assert (late.credited, late.passed_over) == ((two,), ())
    assert (again.credited, again.passed_over, set(again.cited)) == ((), (), {one, two})
    assert [usage(maya, item).utility for item in (one, two, three)] == pytest.approx([0.1, 0.05, -0.05], abs=0.001)


@requirement("A130")
def test_usefulness_counts_when_records_are_ranked(house):
    house.embedder = None
    maya = house.bind()
    one, two, three = furnish(maya)
    for _ in range(4):
        maya.used(maya.recall("blue kiln").trace_id, (three,))
    result = maya.recall("blue kiln")
    parts = {item.id: item.explanation.parts["utility"] for item in result.items}

    assert result.items[0].id == three
    assert parts == pytest.approx({three: 0.05 * 0.4, one: 0.0, two: 0.0}, abs=0.001)


@requirement("A134", "A56")
def test_the_trace_says_what_was_used_and_which_of_it_was_carried_in(house):
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    away, local = (
        know(there, "The blue kiln burns gas"),
        know(there, "Port 9090", subject="kiln", portability=Portability.LOCAL),
    )
    home = know(here, "The blue kiln stands by the oven")
    result = here.recall("blue kiln", subjects=("kiln",))
    before = here.trace(result.trace_id)
    told = here.used(result.trace_id, (away, local))
    after = here.trace(result.trace_id)

    assert before.trace.carried_used == before.trace.cited == ()
    assert set(told.carried) == set(after.trace.carried_used) == set(after.trace.cited) == {away, local}
    assert {item.id: item.used for item in after.trace.beliefs} == {away: True, local: True, home: False}
    assert (after.verification, after.reproduced) == ("verified", True)
    assert set(told.credited) == {away, local}
    assert after.trace.pool == before.trace.pool


def test_only_the_trace_of_ones_own_recall_can_be_told_and_only_what_one_may_write_moves(house):
    maya, bob = house.bind(), house.bind("bob", "bert")
    furnish(maya)
    trace = maya.recall("blue kiln").trace_id
    with pytest.raises(NotFound) as foreign:
        bob.used(trace)
    with pytest.raises(NotFound) as absent:
        bob.used("00000000-0000-7000-8000-000000000000")
    assert str(foreign.value) == str(absent.value)

    house.opened[0].grant("maya", "reader", "user:maya", read=True, write=False)
    reader = house.bind("maya", "reader")
    result = reader.recall("blue kiln")
    told = reader.used(result.trace_id, (result.items[0].id,))
    assert (told.cited, told.credited, told.passed_over) == ((result.items[0].id,), (), ())
    assert usage(maya, result.items[0].id).utility == 0.0


def test_turns_have_no_counters_and_an_erased_recall_nothing_to_be_told(house):
    maya = house.bind()
    one, *_ = furnish(maya)
    with maya.session("talk") as talk:
        talk.turn("The blue kiln is lit")
    result = maya.recall("blue kiln")
    turn = next(item.id for item in result.items if item.type == "turn")
    told = maya.used(result.trace_id, (turn,))

    assert (told.cited, told.credited) == ((turn,), ())
    assert one in told.passed_over
    maya.forget(one, mode="erase")
    with pytest.raises(NotFound):
        maya.used(result.trace_id, (turn,))


def test_a_trace_that_cannot_be_written_is_told_by_a_repeat_which_credits_nobody_twice(house: House):
    maya = house.bind()
    one, *_ = furnish(maya)
    trace = maya.recall("blue kiln").trace_id
    with traces_held(maya._parts.store):
        failed = maya.used(trace, (one,))
    repeat = maya.used(trace, (one,))

    assert (failed.trace, failed.credited) == ("failed", (one,))
    assert failed.trace_reason
    assert (repeat.trace, repeat.credited) == ("stored", ())
    assert maya.trace(trace).trace.cited == (one,)
    assert usage(maya, one).utility == pytest.approx(0.1)
    with stored(maya) as work:
        assert work.position == work._writing.position


def belief(number: int, short: str, statement: str) -> TracedBelief:
    return TracedBelief(f"id{number}", short, None, statement, MARCH, None, False, "user", None, "high")


def test_an_ambiguous_short_id_credits_nothing_and_a_blocked_item_is_quoted_by_nobody():
    items = [
        belief(1, "m:12345678a", "The kiln is blue and old"),
        belief(2, "m:12345678b", "Rain"),
        belief(3, "m:0000000c", "A telling statement of length"),
    ]
    both = cited(items, (), ("m:12345678",), "see m:12345678")
    assert (both.ids, both.unknown) == ((), ("m:12345678",))
    assert cited(items, (), ("m:12345678a",), "").ids == ("id1",)
    assert cited(items, (), (), "Rain. The kiln is  blue and OLD, yes").ids == ("id1",)
    assert cited(items, ("id1",), (), "the kiln is blue and old").ids == ()
    assert cited(items, (), ("m:0000000c",), "").ids == ("id3",)
