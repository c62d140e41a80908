"""Lists held in memory answer as the stored ones do, however the store moved on since they were read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bethink.domain.fence import Fence
from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import LIVE
from bethink.domain.scope import Sensitivity
from bethink.ports.search import NamedEntity
from bethink.store import posting_feed
from bethink.store.index import SearchIndex
from bethink.store.posting_feed import HELD, PostingFeed
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.world import ANN, World

ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, datetime(2026, 5, 1, tzinfo=UTC))
WORDS = ["boat", "sail", "rope", "storm"]
moves = st.one_of(
    st.tuples(st.just("say"), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)),
    st.tuples(st.just("erase"), st.integers(0, 9)),
    st.tuples(st.just("ask"), st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True)),
)


def found(world: World, *terms: str, index: SearchIndex | None = None) -> list[tuple[int, float, int]]:
    search = (index or world.index).search(world.connection, TENANT, world.position)
    matches = search.lexical(ALL, Query(" ".join(terms), terms), FieldWeights())
    return list(zip(matches.keys.tolist(), matches.scores.tolist(), matches.matched.tolist(), strict=True))


@given(st.lists(moves, max_size=30))
def test_a_reader_that_follows_finds_what_a_fresh_reader_finds(new_world, history):
    world = new_world()
    for seq, (move, what) in enumerate([*history, ("ask", WORDS)]):
        if move == "say":
            world.say(what, DAYS[0], seq=seq)
        elif move == "erase" and world.entries:
            world.erase(sorted(world.entries)[what % len(world.entries)], DAYS[1])
        elif move == "ask":
            assert found(world, *what) == found(world, *what, index=SearchIndex("english"))


ENTITIES = ["E1", "E2"]
linking = st.one_of(
    st.tuples(st.just("remember"), st.lists(st.sampled_from(ENTITIES), max_size=2, unique=True)),
    st.tuples(st.just("change"), st.integers(0, 9)),
    st.tuples(st.just("erase"), st.integers(0, 9)),
    st.tuples(st.just("ask"), st.lists(st.sampled_from(ENTITIES), min_size=1, max_size=2, unique=True)),
)


def linked(world: World, *entities: str, index: SearchIndex | None = None, position: int | None = None) -> list[int]:
    at = world.position if position is None else position
    search = (index or world.index).search(world.connection, TENANT, at)
    return [hit.key for hit in search.entity(ALL, [NamedEntity(entity, "a", ANN.key) for entity in entities], 100)]


def change(world: World, key: int) -> int:
    """A new version of a record, the old one closed; its links are the record's."""
    world.retire(key, DAYS[1])
    return world.add(replace(world.entries[key], recorded_at=DAYS[1], retired_at=None))


@given(st.lists(linking, max_size=20))
def test_a_reader_that_follows_finds_the_links_a_fresh_reader_finds(new_world, history):
    """Of new records, whose links come with them, and of new versions, to which their record's links reach."""
    world = new_world()
    for move, what in [*history, ("ask", ENTITIES)]:
        live = sorted(key for key, entry in world.entries.items() if entry.retired_at is None)
        if move == "remember":
            key = world.say("x", DAYS[0], type="fact")
            for entity in what:
                world.link(entity, key)
        elif move == "change" and live:
            change(world, live[what % len(live)])
        elif move == "erase" and live:
            world.erase(live[what % len(live)], DAYS[1])
        elif move == "ask":
            assert linked(world, *what) == linked(world, *what, index=SearchIndex("english"))


def test_links_of_new_records_and_versions_are_seen_by_the_next_search_and_by_no_older_one(new_world):
    world = new_world()
    first = world.say("x", DAYS[0], type="fact")
    world.link("E1", first)
    assert linked(world, "E1") == [first]
    before = world.position
    second = world.say("x", DAYS[0], type="fact")
    world.link("E1", second)
    changed = change(world, first)

    assert sorted(linked(world, "E1")) == [second, changed]
    assert linked(world, "E1", "E2") == linked(world, "E1")
    assert linked(world, "E1", position=before) == [first]


def test_an_older_snapshot_does_not_see_what_another_thread_read_later(new_world):
    world = new_world()
    first, before = world.say("boat", DAYS[0]), world.position
    columns = world.index.columns(world.connection, TENANT, ANN.key, before)
    world.say("boat", DAYS[0], seq=1)
    assert len(found(world, "boat")) == 2

    older = world.index.search(world.connection, TENANT, before).lexical(ALL, Query("boat", ("boat",)), FieldWeights())

    assert (older.keys.tolist(), len(columns.key)) == ([first], 1)


def test_words_built_anew_by_another_process_are_read_anew(new_world):
    world = new_world()
    key = world.say("boat", DAYS[0])
    with world.connection.writing():
        world.connection.run("delete_postings", tenant=TENANT, scope=ANN.key, keys=f"[{key}]")
    assert found(world, "boat") == []

    with world.connection.writing():
        SearchIndex("english").rebuild(world.connection, TENANT, [world.said[key].card])

    assert [row[0] for row in found(world, "boat")] == [key]


def test_lists_are_held_up_to_a_bound_and_the_latest_asked_for_stay(new_world, monkeypatch):
    monkeypatch.setattr(posting_feed, "HELD_ANYWAY", 0)
    world = new_world()
    for seq in range(3):
        world.say(" ".join(WORDS), DAYS[0], seq=seq)
    columns = world.index.columns(world.connection, TENANT, ANN.key, world.position)
    feed, state = PostingFeed(TENANT, ANN.key), (world.position, "")
    assert len(WORDS) == HELD
    feed.at(world.connection, WORDS, columns, state)
    world.connection.do("delete from posting")

    assert [len(held.rows) for held in feed.at(world.connection, WORDS, columns, state)] == [3, 3, 3, 3]

    world.connection.run("insert_posting", tenant=TENANT, scope=ANN.key, term="calm", key=1, packed=1)
    feed.at(world.connection, ["calm"], columns, state)

    assert [len(held.rows) for held in feed.at(world.connection, WORDS, columns, state)] == [0, 3, 3, 3]


def test_the_lists_of_a_small_scope_all_stay(new_world):
    world, words = new_world(), ("boat", "calm", "deep", "east", "fair", "gale")
    assert len(words) > HELD
    world.say(" ".join(words), DAYS[0])
    columns = world.index.columns(world.connection, TENANT, ANN.key, world.position)
    feed, state = PostingFeed(TENANT, ANN.key), (world.position, "")
    feed.at(world.connection, words, columns, state)
    world.connection.do("delete from posting")

    assert [len(held.rows) for held in feed.at(world.connection, words, columns, state)] == [1] * len(words)
