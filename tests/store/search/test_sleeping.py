"""The int8 rows of a large scope are not waited for: until they are read, the truth answers, to the same bits."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.store.index import SearchIndex
from bethink.store.segments import Place, loose_count, loose_keys
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.test_dense import asked, chosen, clustered, put, remove
from tests.store.search.world import ANN, World

ROWS = clustered(60)
PLACE = Place(TENANT, "sp", ANN.key)


@pytest.fixture(autouse=True)
def small(monkeypatch) -> None:
    """Segments of eight; an open scope reads the int8 rows of two with each look, and bits nominate."""
    for name, size in (("segments.SEALED", 8), ("index.SEALED", 8), ("vector_feed.WOKEN", 2), ("vectors.EXACT", 20)):
        monkeypatch.setattr(f"bethink.store.{name}", size)


@pytest.fixture
def world(new_world) -> World:
    made = new_world()
    put(made, made.fill(60, DAYS[0]), ROWS)
    assert made.connection.do("select count(*) from vector_segment") == [(7,)]
    return made


def opened(world: World) -> World:
    """The same store as a program sees it that opens it now."""
    return World(world.connection, SearchIndex("english"), position=world.position)


def sleeping(reader: World) -> int:
    """How many segments the reader has not read whole."""
    return len(reader.index._cache(TENANT, ANN.key).vectors["sp"]._asleep)


def told(reader: World, query: int) -> tuple[bytes, bytes, bool, dict[int, float]]:
    """All that the dense arm says of a question."""
    found = asked(reader, ROWS[query], depth=30)
    keys = found.keys.tolist()
    return found.keys.tobytes(), found.scores.tobytes(), found.nominated, chosen(reader, ROWS[query], keys[::3])


def test_sleeping_segments_answer_as_those_that_were_read_whole(world, monkeypatch):
    monkeypatch.setattr("bethink.store.vector_feed.WOKEN", 100)
    whole = [told(opened(world), query) for query in range(0, 60, 7)]
    monkeypatch.setattr("bethink.store.vector_feed.WOKEN", 0)
    reader = opened(world)

    assert [told(reader, query) for query in range(0, 60, 7)] == whole
    assert sleeping(reader) == 7


def test_each_look_wakes_some_until_none_sleeps(world):
    reader, left = opened(world), []
    for _ in range(5):
        answer = asked(reader, ROWS[3], depth=30)
        left.append(sleeping(reader))
        assert answer.scores.tobytes() == asked(opened(world), ROWS[3], depth=30).scores.tobytes()
    assert left == [7, 5, 3, 1, 0]


def test_what_is_written_meanwhile_is_seen_and_what_woke_stays_awake(world):
    reader = opened(world)
    asked(reader, ROWS[0], depth=30)
    more = world.fill(12, DAYS[0])
    put(world, more, clustered(12, seed=3))
    reader.position = world.position

    assert told(reader, 5) == told(opened(world), 5)
    assert sleeping(reader) == 9 - 2
    remove(world, more[:1])
    assert told(reader, 5) == told(opened(world), 5)
    assert asked(reader, ROWS[0], depth=30).total == 71


def test_a_vector_that_an_older_snapshot_does_not_hold_counts_as_the_least_alike_while_it_sleeps(new_world, beside):
    world = new_world()
    keys = world.fill(24, DAYS[0])
    put(world, keys[:16], ROWS[:16])
    reader = beside(world)
    reader.connection.begin_read()
    asked(reader, ROWS[0])
    put(world, keys[16:], ROWS[16:24])
    other = beside(world, reader.index)
    reader.index._cache(TENANT, ANN.key).vectors.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bethink.store.vector_feed.WOKEN", 0)
        asked(other, ROWS[0], depth=30)
        found = asked(reader, ROWS[0], depth=30)
        scores = dict(zip(found.keys.tolist(), found.scores.tolist(), strict=True))

    assert [scores[key] for key in keys[16:]] == [-1.0] * 8
    assert scores[keys[0]] == 1.0
    assert min(scores[key] for key in keys[:16]) > -1.0
    assert asked(other, ROWS[20], depth=30).scores.max() == 1.0


@given(order=st.randoms(use_true_random=False), count=st.integers(0, 60), gone=st.integers(0, 20))
@settings(deadline=None, max_examples=40)
def test_loose_vectors_are_found_wherever_they_lie(new_world, order: random.Random, count: int, gone: int):
    with pytest.MonkeyPatch.context() as patch:
        for name in ("segments.SEALED", "index.SEALED"):
            patch.setattr(f"bethink.store.{name}", 3)
        world = new_world()
        keys = world.fill(60, DAYS[0])
        stored = order.sample(keys, count)
        for at in range(0, count, 7):
            some = stored[at : at + 7]
            put(world, some, ROWS[: len(some)])
        dropped = order.sample(stored, min(gone, count))
        remove(world, dropped)
        sealed = [
            np.frombuffer(bytes(held), dtype="<i8").tolist()
            for (held,) in world.connection.do("select keys from vector_segment")
        ]
        want = set(stored) - set(dropped) - {key for held in sealed for key in held}

        assert loose_keys(world.connection, PLACE).tolist() == sorted(want)
        assert loose_count(world.connection, PLACE) == len(want)
