"""The dense arm: exact cosines, sealed or loose, near or far, and never those of another space, scope or fence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Status, StatusSpan
from bethink.domain.scope import Scope, Sensitivity
from bethink.ports.search import Matches
from bethink.store import segments, vectors
from bethink.store.segments import encode
from bethink.store.vectors import cosines, query_signs
from tests.store.search.strategies import DAYS
from tests.store.search.world import ANN, BOB, TENANT, BareConnection, World

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, NOW)
MINUTE = timedelta(minutes=1)
DIMS = 96
Rows = NDArray[np.float32]


def clustered(count: int, seed: int = 7, dims: int = DIMS) -> Rows:
    """Unit vectors in clusters of uneven size, with a decaying spectrum and a common direction, as encoders give."""
    chance = np.random.default_rng(seed)
    spectrum = 1 / np.sqrt(np.arange(1, dims + 1))
    centres = chance.normal(size=(count // 25 + 1, dims)) * spectrum
    sizes = 1 / np.arange(1, len(centres) + 1) ** 0.8
    rows = centres[chance.choice(len(centres), size=count, p=sizes / sizes.sum())]
    rows = rows + chance.normal(size=(count, dims)) * spectrum * 0.6 + chance.normal(size=dims) * spectrum * 0.3
    turned, _ = np.linalg.qr(chance.normal(size=(dims, dims)))
    rows = rows @ turned
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def put(world: World, keys: list[int], rows: Rows, *, scope: Scope = ANN, space: str = "sp") -> None:
    world.connection.do("begin immediate")
    listed = [(TENANT, scope.key, key, row) for key, row in zip(keys, rows, strict=True)]
    for start in range(0, len(listed), 500):
        world.index.put_vectors(world.connection, space, listed[start : start + 500])
    world.connection.do("commit")


def asked(world: World, query: Rows, fence: Fence = ALL, depth: int = 100, space: str = "sp") -> Matches:
    return world.search().dense(fence, space, query, depth)


def exact(keys: list[int], rows: Rows, query: Rows) -> list[tuple[int, float]]:
    """Keys and cosines, best first, in double precision."""
    scores = rows.astype(np.float64) @ query.astype(np.float64)
    return sorted(zip(keys, scores.tolist(), strict=True), key=lambda found: (-found[1], found[0]))


def paired(got: Matches) -> list[tuple[int, float]]:
    return list(zip(got.keys.tolist(), got.scores.tolist(), strict=True))


def agrees(got: Matches, want: list[tuple[int, float]]) -> None:
    """The same keys with the same cosines to 1e-6, whatever order ties of rounding fall into."""
    assert set(got.keys.tolist()) == {key for key, _ in want}
    known = dict(want)
    assert all(
        abs(score - known[key]) < 2e-6 for key, score in zip(got.keys.tolist(), got.scores.tolist(), strict=True)
    )
    assert got.scores.tolist() == sorted(got.scores.tolist(), reverse=True)


@pytest.fixture(scope="module")
def rows() -> Rows:
    return clustered(12_000)


@pytest.fixture(scope="module")
def large(rows: Rows) -> tuple[World, list[int]]:
    """12,000 entries a minute apart, one segment sealed."""
    world = World()
    keys = world.fill(len(rows), DAYS[0], step=MINUTE)
    put(world, keys, rows)
    assert world.connection.do("select rows from vector_segment") == [(segments.SEALED,)]
    return world, keys


def test_few_vectors_are_all_scored_exactly(rows):
    world = World()
    keys = world.fill(300, DAYS[0])
    put(world, keys, rows[:300])
    got = asked(world, rows[5])

    agrees(got, exact(keys, rows[:300], rows[5]))
    assert (got.keys[0], got.scores[0], got.total, got.nominated) == (keys[5], 1.0, 300, False)


@pytest.mark.parametrize("share", [1.0, 0.75, 0.6, 0.4, 0.1, 0.02], ids=str)
def test_the_true_first_ten_inside_the_fence_are_found(large, rows, share):
    world, keys = large
    within = int(len(keys) * share)
    fence = replace(ALL, until=DAYS[0] + within * MINUTE)
    chance = np.random.default_rng(3)
    queries = rows[chance.integers(0, len(rows), 40)] + chance.normal(size=(40, DIMS)).astype(np.float32) * 0.02
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    cosine = rows[:within].astype(np.float64) @ queries.T
    hits = 0
    for at, query in enumerate(queries):
        got = asked(world, query, fence)
        places = np.searchsorted(keys, got.keys)
        assert got.total == within
        assert places.max() < within
        assert np.abs(got.scores - cosine[places, at]).max() < 2e-6
        hits += len(set(np.argsort(-cosine[:, at])[:10].tolist()) & set(places[:10].tolist()))
    assert hits / 400 >= 0.995


def test_bits_nominate_more_as_more_survive_and_the_depth_asked_for_is_scored(large, rows):
    world, _ = large
    assert len(asked(world, rows[0], depth=10).keys) == vectors.RESCORED
    assert len(asked(world, rows[0], depth=400).keys) == 400
    assert asked(world, rows[0]).nominated


def test_an_answer_is_the_same_whatever_is_sealed_and_however_often_it_is_asked(rows):
    loose, sealed = World(), World()
    keys = loose.fill(9_000, DAYS[0])
    assert sealed.fill(9_000, DAYS[0]) == keys
    put(loose, keys[:8_000], rows[:8_000])
    put(sealed, keys, rows[:9_000])
    fence = replace(ALL, since=DAYS[0], until=DAYS[1])
    gone = keys[8_000:]
    sealed.connection.do("begin immediate")
    sealed.index.remove_vectors(sealed.connection, TENANT, ANN.key, gone)
    sealed.connection.do("commit")

    assert sealed.connection.do("select count(*) from vector_segment") == [(0,)]
    one, two = asked(loose, rows[9], fence), asked(sealed, rows[9], fence)
    assert one.keys.tobytes() == two.keys.tobytes()
    assert one.scores.tobytes() == two.scores.tobytes() == asked(sealed, rows[9], fence).scores.tobytes()


@given(st.data())
@settings(deadline=None, max_examples=40)
def test_any_history_of_vectors_answers_as_an_exact_scan_does(data: st.DataObject):
    with pytest.MonkeyPatch.context() as patch:
        for module in ("segments", "index"):
            patch.setattr(f"bethink.store.{module}.SEALED", 8)
        patch.setattr("bethink.store.vectors.EXACT", 20)
        rows = clustered(60, dims=70)
        world = World()
        keys = [world.say("", DAYS[0], session=str(n)) for n in range(30)]
        held: dict[int, Rows] = {}
        for step in range(data.draw(st.integers(1, 6))):
            chosen = data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=12, unique=True))
            if data.draw(st.sampled_from(["put", "put", "remove"])) == "put":
                fresh = {key: rows[(key + 7 * step) % 60] for key in chosen}
                put(world, list(fresh), np.stack(list(fresh.values())))
                held |= fresh
            else:
                world.index.remove_vectors(world.connection, TENANT, ANN.key, chosen)
                held = {key: row for key, row in held.items() if key not in chosen}
            if data.draw(st.booleans()):
                got = asked(world, rows[step], depth=30)
                agrees(got, exact(list(held), np.stack(list(held.values())), rows[step]) if held else [])
        assert world.index.check(world.connection, TENANT, [said.card for said in world.said.values()]) == []
        world.index.forget_caches()
        got = asked(world, rows[0], depth=30)
        agrees(got, exact(list(held), np.stack(list(held.values())), rows[0]) if held else [])


def test_vectors_of_two_spaces_never_meet(rows):
    world = World()
    keys = world.fill(20, DAYS[0])
    put(world, keys, rows[:20])
    put(world, keys[:5], clustered(5, dims=32), space="other")

    assert asked(world, rows[0]).total == 20
    assert asked(world, clustered(1, dims=32)[0], space="other").total == 5
    assert asked(world, rows[0], space="unknown").total == 0
    assert world.search().cosines(ALL, "unknown", rows[0], keys) == {}


def test_only_the_fence_decides_whose_vectors_are_scored(rows):
    world = World()
    mine = world.fill(20, DAYS[0])
    theirs = world.fill(20, DAYS[0], scope=BOB)
    put(world, mine, rows[:20])
    put(world, theirs, rows[20:40], scope=BOB)

    assert set(asked(world, rows[25]).keys.tolist()) == set(mine)
    both = asked(world, rows[25], replace(ALL, scopes=(ANN, BOB)))
    agrees(both, exact(mine + theirs, rows[:40], rows[25]))
    assert world.search().cosines(ALL, "sp", rows[25], theirs) == {}


def test_a_status_change_and_an_erasure_are_seen_by_the_next_search(large, rows):
    world = World()
    keys = [world.say("", DAYS[0], session=str(n)) for n in range(20)]
    put(world, keys, rows[:20])
    assert asked(world, rows[3]).keys[0] == keys[3]
    world.set_status(keys[3], StatusSpan(Status.ARCHIVED, DAYS[1]))
    world.erase(keys[4], DAYS[1])
    world.index.remove_vectors(world.connection, TENANT, ANN.key, [keys[4]])

    agrees(asked(world, rows[3]), exact(keys[:3] + keys[5:], np.delete(rows[:20], [3, 4], axis=0), rows[3]))
    assert world.connection.do("select count(*) from vector where key = ?", (keys[4],)) == [(0,)]


def test_vectors_another_connection_stores_in_any_order_are_seen_by_the_next_search(tmp_path, rows):
    path = str(tmp_path / "store.db")
    writer = World(BareConnection(path))
    keys = writer.fill(20, DAYS[0])
    put(writer, keys[5:10], rows[5:10])
    reader = World(BareConnection(path, create=False), position=writer.position)
    assert asked(reader, rows[0]).total == 5

    put(writer, keys[12:15], rows[12:15])
    assert asked(reader, rows[0]).total == 8
    put(writer, keys[:3], rows[:3])
    assert asked(reader, rows[0]).total == 11
    more = writer.fill(2, DAYS[0])
    put(writer, more, rows[15:17])
    reader.position = writer.position
    writer.index.remove_vectors(writer.connection, TENANT, ANN.key, [keys[7]])
    agrees(asked(reader, rows[0]), exact([*keys[:3], *keys[5:7], *keys[8:10], *keys[12:15], *more],
                                         rows[[0, 1, 2, 5, 6, 8, 9, 12, 13, 14, 15, 16]], rows[0]))  # fmt: skip


def test_an_older_snapshot_leaves_out_vectors_of_entries_it_does_not_see(rows):
    world = World()
    keys = world.fill(10, DAYS[0])
    put(world, keys, rows[:10])
    old = world.position
    more = world.fill(5, DAYS[0])
    put(world, more, rows[10:15])

    assert asked(world, rows[0]).total == 15
    assert set(world.search(position=old).dense(ALL, "sp", rows[0], 100).keys.tolist()) == set(keys)


def test_a_vector_without_an_entry_is_never_scored(rows):
    world = World()
    keys = world.fill(3, DAYS[0])
    put(world, [keys[0], keys[0] + 1, keys[2]], rows[:3])

    assert set(asked(world, rows[1]).keys.tolist()) == {keys[0], keys[2]}


def test_a_vector_takes_its_entry_off_the_waiting_list(rows):
    world = World()
    key, other = world.fill(2, DAYS[0])
    for waiting in (key, other):
        world.connection.do("insert into embedding_pending values (?, 'sp', ?)", (TENANT, waiting))
    put(world, [key], rows[:1])

    assert world.connection.do("select key from embedding_pending") == [(other,)]
    world.index.remove_vectors(world.connection, TENANT, ANN.key, [other])
    assert world.connection.do("select key from embedding_pending") == []


def test_a_dropped_space_leaves_nothing(large, rows):
    world = World()
    keys = world.fill(3, DAYS[0])
    put(world, keys, rows[:3])
    put(world, keys, rows[:3], space="new")
    world.index.drop_space(world.connection, TENANT, "sp")

    assert asked(world, rows[0]).total == 0
    assert asked(world, rows[0], space="new").total == 3
    for table in ("vector", "vector_segment", "vector_state"):
        assert world.connection.do(f"select count(*) from {table} where space = 'sp'") == [(0,)]


def test_cosines_of_chosen_keys_equal_those_of_the_arm(large, rows):
    world, _ = large
    got = asked(world, rows[11])
    chosen = [*got.keys[:30].tolist(), 10**9]

    answered = world.search().cosines(ALL, "sp", rows[11], chosen)
    assert answered == dict(zip(chosen[:30], got.scores[:30].tolist(), strict=True))


@given(st.integers(1, 400), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_a_cosine_depends_on_its_row_alone(dims: int, seed: int):
    rows = np.random.default_rng(seed).normal(size=(7, dims)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    whole = cosines(rows, rows[0])

    assert whole.tolist() == [cosines(rows[at : at + 1], rows[0])[0] for at in range(7)]
    assert np.abs(whole - rows.astype(np.float64) @ rows[0].astype(np.float64)).max() < 1.5e-6


@given(st.integers(1, 200), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_codes_keep_signs_and_come_close(dims: int, seed: int):
    rows = np.random.default_rng(seed).normal(size=(5, dims)).astype(np.float32)
    codes = encode(rows)
    signs = np.bitwise_count(codes.planes ^ query_signs(rows[0])[:, None]).sum(axis=0)

    assert signs.tolist() == [int(((row > 0) != (rows[0] > 0)).sum()) for row in rows]
    assert np.abs(codes.bytes * codes.scales[:, None] - rows).max() <= np.abs(rows).max() / 127
