"""The fence over columns is the fence of the domain, whatever was written between two looks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.fence import Entry, Fence
from bethink.domain.record import LIVE, Status, StatusSpan
from bethink.domain.scope import Sensitivity
from bethink.domain.types import Portability
from bethink.store.column_segments import flaws_of_columns
from bethink.store.index import SearchIndex
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS, entries, fences, maybe_instants
from tests.store.search.world import ANN, BOB, World

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ALL = Fence(TENANT, (ANN,), Sensitivity.SECRET, LIVE, NOW)


def admitted(world: World, fence: Fence, position: int) -> set[int]:
    """Keys the columns admit."""
    found: set[int] = set()
    for scope in fence.scopes:
        columns = world.index.columns(world.connection, TENANT, scope.key, position)
        found |= set(columns.key[columns.mask(fence, position)].tolist())
    return found


def expected(known: dict[int, Entry], fence: Fence) -> set[int]:
    return {key for key, entry in known.items() if fence.admits(entry)}


def fresh(world: World) -> World:
    """The same store as a program sees it that opens it now."""
    return World(world.connection, SearchIndex("english"), position=world.position)


@pytest.fixture(autouse=True, scope="module")
def small_segments() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bethink.store.column_segments.SEALED", 2)
        yield


@given(data=st.data())
@settings(deadline=None)
def test_columns_admit_what_the_fence_admits_after_any_history(new_world, data: st.DataObject):
    world = new_world()
    looked: list[tuple[int, dict[int, Entry]]] = []
    gone: set[int] = set()
    for at in sorted(data.draw(st.lists(st.sampled_from(DAYS), min_size=1, max_size=9))):
        change = data.draw(st.sampled_from(["add", "add", "version", "status", "retire", "erase", "seal"]))
        keys = sorted(key for key, entry in world.entries.items() if entry.retired_at is None)
        if change == "add" or not keys:
            world.add(data.draw(entries(at, f"r{world.position}")))
        else:
            key = data.draw(st.sampled_from(keys))
            if change == "version":
                world.retire(key, at)
                entry = data.draw(entries(at, world.entries[key].record))
                world.add(replace(entry, scope=world.entries[key].scope))
            elif change == "status":
                status = data.draw(st.sampled_from(Status))
                world.set_status(key, StatusSpan(status, at, ends_at=data.draw(maybe_instants)))
            elif change == "retire":
                world.retire(key, at)
            elif change == "seal":
                world.seal(world.entries[key].scope)
            else:
                gone |= world.erase(key, at)
        if data.draw(st.booleans()):
            fence = data.draw(fences())
            assert admitted(world, fence, world.position) == expected(world.entries, fence)
            looked.append((world.position, dict(world.entries)))
    fence = data.draw(fences())
    for reader in (world, fresh(world)):
        assert admitted(reader, fence, world.position) == expected(world.entries, fence)
        for position, known in looked:
            assert admitted(reader, fence, position) == expected(known, fence) - gone
    assert all(flaws_of_columns(world.connection, (TENANT, scope.key)) == [] for scope in (ANN, BOB))


def test_a_fresh_reader_sees_what_a_reader_that_followed_sees(new_world):
    followed = new_world()
    keys = [followed.say("hello", DAYS[0], seq=seq) for seq in range(5)]
    admitted(followed, ALL, followed.position)
    followed.set_status(keys[1], StatusSpan(Status.ARCHIVED, DAYS[1]))
    followed.erase(keys[2], DAYS[1])
    late = followed.say("hello", DAYS[2], seq=5)

    there = admitted(followed, ALL, followed.position)
    followed.index.forget_caches()

    assert there == admitted(followed, ALL, followed.position) == {keys[0], keys[3], keys[4], late}


def test_a_write_of_another_connection_is_seen_by_the_next_look_and_not_by_an_older_snapshot(new_world, beside):
    writer = new_world()
    first = writer.say("hello", DAYS[0])
    reader = beside(writer)
    reader.connection.begin_read()
    assert admitted(reader, ALL, writer.position) == {first}
    old = writer.position

    second = writer.say("hello", DAYS[0], seq=1)
    other = beside(writer, reader.index)
    assert admitted(other, ALL, writer.position) == {first, second}
    assert admitted(reader, ALL, old) == {first}
    writer.set_status(first, StatusSpan(Status.DELETED, DAYS[1]))
    assert admitted(other, ALL, writer.position) == {second}
    assert admitted(reader, ALL, old) == {first}


def test_an_older_snapshot_still_has_the_version_that_was_replaced_after_it(new_world):
    world = new_world()
    key = world.say("hello", DAYS[0])
    old = world.position
    world.retire(key, DAYS[1])

    assert admitted(world, ALL, world.position) == set()
    assert admitted(world, ALL, old) == {key}


def test_other_projects_are_behind_a_wall_or_keep_only_what_is_local_to_them(new_world):
    world = new_world()
    home = world.say("a", DAYS[0], project="apollo", portability=Portability.LOCAL)
    nowhere = world.say("b", DAYS[0], seq=1, portability=Portability.LOCAL)
    carried = world.say("c", DAYS[0], seq=2, project="gemini", portability=Portability.CONTEXTUAL)
    local = world.say("d", DAYS[0], seq=3, project="gemini", portability=Portability.LOCAL, subject_key="rex")
    here = replace(ALL, project="apollo")

    assert admitted(world, here, world.position) == {home, nowhere, carried}
    assert admitted(world, replace(here, isolate=True), world.position) == {home, nowhere}
    assert admitted(world, replace(here, named_subjects=frozenset({"rex"})), world.position) == set(world.entries)
    assert admitted(world, ALL, world.position) == {nowhere, carried}
    assert admitted(world, replace(ALL, project="gemini"), world.position) == {nowhere, carried, local}


def test_a_published_value_never_changes(new_world):
    world = new_world()
    keys = [world.say("hello", DAYS[0], seq=seq) for seq in range(3)]
    columns = world.index.columns(world.connection, TENANT, ANN.key, world.position)
    before = {
        name: getattr(columns, name).copy() for name in columns.__slots__ if name not in {"position", "names", "bounds"}
    }

    world.set_status(keys[0], StatusSpan(Status.DELETED, DAYS[1]))
    world.retire(keys[1], DAYS[1])
    world.erase(keys[2], DAYS[1])
    for seq in range(3, 900):
        world.say("hello", DAYS[1], seq=seq)
    world.index.columns(world.connection, TENANT, ANN.key, world.position)

    assert all(np.array_equal(getattr(columns, name), value) for name, value in before.items())


def test_turns_know_their_neighbours_in_whatever_order_they_arrive(new_world):
    places = [("a", 0), ("b", 0), ("a", 2), ("a", 1), ("b", 2), ("a", 4), ("b", 1)]
    for looks in (set(), set(range(7))):
        world = new_world()
        for number, (session, seq) in enumerate(places):
            world.say("hello", DAYS[0], session=session, seq=seq)
            if number in looks:
                world.index.columns(world.connection, TENANT, ANN.key, world.position)
        columns = world.index.columns(world.connection, TENANT, ANN.key, world.position)

        assert columns.previous.tolist() == [-1, -1, 3, 0, 6, -1, 1]
        assert columns.following.tolist() == [3, 6, -1, 2, -1, -1, 4]


def test_many_turns_at_once_find_the_same_neighbours_as_one_by_one(new_world):
    world = new_world()
    for number in range(200):
        world.say("hello", DAYS[0], session=f"s{number % 3}", seq=number // 3)
    columns = world.index.columns(world.connection, TENANT, ANN.key, world.position)

    assert columns.previous.tolist() == [-1] * 3 + list(range(197))
    assert columns.following.tolist() == list(range(3, 200)) + [-1] * 3


def test_a_belief_learned_in_a_session_is_no_neighbour_of_its_turns(new_world):
    world = new_world()
    world.say("hello", DAYS[0], seq=0)
    world.say("a fact", DAYS[0], seq=1, type="fact")
    columns = world.index.columns(world.connection, TENANT, ANN.key, world.position)

    assert columns.following.tolist() == [-1, -1]


def test_a_test_that_no_row_can_fail_is_made_again_as_soon_as_one_row_can(new_world):
    for change in (
        {"valid_from": NOW + timedelta(microseconds=1)},
        {"valid_from": DAYS[0], "valid_until": NOW},
        {"sensitivity": Sensitivity.SECRET},
        {"project": "gemini", "portability": Portability.LOCAL},
    ):
        world = new_world()
        plain = world.say("a", DAYS[0])
        fence = replace(ALL, ceiling=Sensitivity.NORMAL)
        assert admitted(world, fence, world.position) == {plain}
        world.say("b", DAYS[0], seq=1, **change)
        assert admitted(world, fence, world.position) == {plain}
        world.set_status(plain, StatusSpan(Status.ACTIVE, DAYS[1], ends_at=NOW))
        assert admitted(world, fence, world.position) == set()


@pytest.mark.parametrize("change", ["status", "retire"])
def test_no_later_segment_keeps_what_became_of_an_erased_entry(new_world, change):
    world = new_world()
    keys = [world.say("hello", DAYS[0], seq=seq) for seq in range(2)]
    assert world.seal() == 1
    if change == "status":
        world.set_status(keys[0], StatusSpan(Status.ARCHIVED, DAYS[1]))
    else:
        world.retire(keys[0], DAYS[1])
    late = [world.say("hello", DAYS[2], seq=2 + seq) for seq in range(2)]
    assert world.seal() == 1
    world.erase(keys[0], DAYS[2])

    assert flaws_of_columns(world.connection, (TENANT, ANN.key)) == []
    assert admitted(fresh(world), ALL, world.position) == {keys[1], *late}
