"""Rules that hold on the real store for every sequence of writes, by several voices, about several facts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.databases import Database
from tests.unit.desks import World

from bethink.domain.record import Record, Status
from bethink.errors import InvalidInput
from bethink.formation.explicit import remember
from bethink.operations.remember import RememberRequest
from bethink.store.index import SearchIndex
from bethink.testing.fakes import CountingIds, ManualClock

FACTS = (("ana", "city"), ("ana", "employer"), ("bo", "city"))


@dataclass(frozen=True)
class Act:
    """One thing somebody does about one fact."""

    fact: int
    voice: str
    value: str
    polarity: str
    days_ago: int | None
    undo: bool


ACTS = st.builds(
    Act,
    fact=st.integers(0, 2),
    voice=st.sampled_from(["user", "user", "bot", "aide"]),
    value=st.sampled_from("ABC"),
    polarity=st.sampled_from(["assert", "assert", "assert", "retract"]),
    days_ago=st.none() | st.integers(0, 9),
    undo=st.sampled_from([False, False, False, True]),
)


@pytest.fixture(scope="module")
def shared(database: Database) -> Iterator[World]:
    clock, ids = ManualClock(), CountingIds()
    with database.passing() as place:
        store = database.store(place, (clock, ids, SearchIndex("english")))
        traces = database.traces(store, clock)
        yield World(store, traces, clock, ids, tenant="first")
        traces.close()
        store.close()


def fresh(shared: World) -> World:
    """The same store, as a tenant of its own."""
    return World(shared.store, shared.traces, shared.clock, shared.ids, tenant=shared.ids.new(shared.clock.now()))


def act(world: World, one: Act, written: list[str]) -> None:
    """Do one thing; an undo hides or brings back the last record written."""
    world.clock.advance(minutes=1)
    if one.undo and written:
        hidden = world.record(written[-1]).status.value == "deleted"
        world.forget(written[-1], "restore" if hidden else "stop")
        return
    subject, attribute = FACTS[one.fact]
    event_at = None if one.days_ago is None else world.clock.now() - timedelta(days=one.days_ago)
    request = RememberRequest(
        f"{subject} {attribute} {one.value}",
        subject=subject,
        attribute=attribute,
        event_at=event_at,
        polarity=one.polarity,
    )
    desk = world.desk("user") if one.voice == "user" else world.desk(agent=one.voice)
    written.append(remember(request, desk).id)


def records(world: World, fact: tuple[str, str], **parts: object) -> tuple[Record, ...]:
    """Records of a fact, live now unless told otherwise."""
    with world.store.snapshot(world.tenant) as snapshot:
        return snapshot.records.same_fact(world.fence(**parts), *fact)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ACTS, max_size=10))
def test_each_fact_has_at_most_one_head_and_its_rivals_are_linked_to_it(shared: World, acts: list[Act]) -> None:
    world, written = fresh(shared), []
    for one in acts:
        before = {fact: records(world, fact) for fact in FACTS}
        act(world, one, written)
        for fact in FACTS:
            live = sorted(records(world, fact), key=lambda record: -record.content.source.rank)
            ranks = [record.content.source.rank for record in live]
            assert len(set(ranks)) == len(ranks)
            assert all(record.content.polarity == "assert" for record in live)
            assert all(live[0].id in record.conflicts for record in live[1:])
            if fact != FACTS[one.fact] and not one.undo:
                assert records(world, fact) == before[fact]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ACTS, max_size=8))
def test_no_words_are_ever_lost(shared: World, acts: list[Act]) -> None:
    world, said = fresh(shared), set()
    for one in acts:
        if one.undo:
            continue
        act(world, one, [])
        said.add((*FACTS[one.fact], one.value, one.polarity))
    kept = {
        (record.content.subject, record.content.attribute, record.content.text[-1], record.content.polarity)
        for fact in FACTS
        for record in records(world, fact, statuses=frozenset(Status), timeless=True)
    }
    assert said <= kept


def test_writers_at_the_same_time_leave_one_head(world: World) -> None:
    problems: list[BaseException] = []

    def write(name: str) -> None:
        try:
            for number in range(5):
                request = RememberRequest(f"Ana lives in {name}{number}.", subject="Ana", attribute="city")
                remember(request, world.desk("user"))
        except BaseException as error:  # noqa: BLE001 - whatever a thread meets is the test's to show
            problems.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in "ABCD"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(world.fact("ana", "city")) == 1
    assert world.store.check().counts["records"] == 20


def test_a_retraction_of_nothing_leaves_nothing(world: World) -> None:
    with pytest.raises(InvalidInput):
        world.told("Ana likes tea.", polarity="retract")
    assert world.store.check().counts["records"] == 0
