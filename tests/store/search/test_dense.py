"""The dense arm: near cosines, exact at the top, sealed or loose, and never those of another space, scope or fence."""

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
from bethink.store.segments import Codes, encode
from bethink.store.vectors import Run, cosines, estimates, nearest, query_signs, survivors
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.world import ANN, BOB, World

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, NOW)
MINUTE = timedelta(minutes=1)
DIMS = 96
EXACT, NEAR = 2e-6, 0.004
"""How far a cosine may be off: one scored from float32, and one by int8 rows, which are coarser here than the 0.003 of
an encoder's 384 dimensions."""
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
    listed = [(TENANT, scope.key, key, row) for key, row in zip(keys, rows, strict=True)]
    with world.connection.writing():
        for start in range(0, len(listed), 500):
            world.index.put_vectors(world.connection, space, listed[start : start + 500])


def remove(world: World, keys: list[int]) -> None:
    with world.connection.writing():
        world.index.remove_vectors(world.connection, TENANT, ANN.key, keys)


def asked(world: World, query: Rows, fence: Fence = ALL, depth: int = 100, space: str = "sp") -> Matches:
    return world.search().dense(fence, space, query, depth)


def chosen(world: World, query: Rows, keys: list[int], space: str = "sp") -> dict[int, float]:
    """The cosines of chosen keys."""
    found, scores = world.search().cosines(ALL, space, query, np.array(sorted(keys), dtype=np.int64))
    return dict(zip(found.tolist(), scores.tolist(), strict=True))


def exact(keys: list[int], rows: Rows, query: Rows) -> list[tuple[int, float]]:
    """Keys and cosines, best first, in double precision."""
    scores = rows.astype(np.float64) @ query.astype(np.float64)
    return sorted(zip(keys, scores.tolist(), strict=True), key=lambda found: (-found[1], found[0]))


def agrees(got: Matches, want: list[tuple[int, float]], *, within: float = NEAR) -> None:
    """The same keys, ascending, with the same cosines: the best ten to 1e-6, the others as near as int8 rows come."""
    assert got.keys.tolist() == sorted(key for key, _ in want)
    known = dict(want)
    off = np.abs(got.scores - np.array([known[key] for key in got.keys.tolist()]))
    assert off[got.best(10)].max(initial=0.0) < EXACT
    assert off.max(initial=0.0) < within


def joined(parts: list[tuple[NDArray[np.int64], NDArray[np.int64], Codes]]) -> Run:
    """One run of (keys, rows, codes) that follow one another by key."""
    keys, rows, codes = zip(*parts, strict=True)
    return Run(
        np.concatenate(keys),
        np.concatenate(rows),
        np.concatenate([code.planes for code in codes], axis=1),
        np.concatenate([code.scales for code in codes]),
        tuple(code.bytes for code in codes),
    )


@pytest.fixture(scope="module")
def rows() -> Rows:
    return clustered(12_000)


@pytest.fixture(scope="module")
def large(new_world, rows: Rows) -> tuple[World, list[int]]:
    """12,000 entries a minute apart, one segment sealed."""
    world = new_world()
    keys = world.fill(len(rows), DAYS[0], step=MINUTE)
    put(world, keys, rows)
    assert world.connection.do("select rows from vector_segment") == [(segments.SEALED,)]
    return world, keys


def test_few_vectors_are_all_scored_exactly(new_world, rows):
    world = new_world()
    keys = world.fill(300, DAYS[0])
    put(world, keys, rows[:300])
    got = asked(world, rows[5])

    agrees(got, exact(keys, rows[:300], rows[5]), within=EXACT)
    first = got.best(1)
    assert (got.keys[first], got.scores[first], got.total, got.nominated) == (keys[5], 1.0, 300, False)


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
        off, best = np.abs(got.scores - cosine[places, at]), got.best(10)
        assert off.max() < NEAR
        assert off[best].max() < EXACT
        hits += len(set(np.argsort(-cosine[:, at])[:10].tolist()) & set(places[best].tolist()))
    assert hits / 400 >= 0.995


def test_bits_nominate_more_as_more_survive_and_the_depth_asked_for_is_scored(large, rows):
    world, _ = large
    few, deep = asked(world, rows[0], depth=10), asked(world, rows[0], depth=700)
    assert vectors.NOMINEES <= len(few.keys) < 700 <= len(deep.keys) < len(rows)
    assert few.nominated
    assert set(few.keys.tolist()) < set(deep.keys.tolist())


def test_an_answer_is_the_same_whatever_is_sealed_and_however_often_it_is_asked(new_world, rows):
    loose, sealed = new_world(), new_world()
    keys = loose.fill(9_000, DAYS[0])
    assert sealed.fill(9_000, DAYS[0]) == keys
    put(loose, keys[:8_000], rows[:8_000])
    put(sealed, keys, rows[:9_000])
    fence = replace(ALL, since=DAYS[0], until=DAYS[1])
    gone = keys[8_000:]
    remove(sealed, gone)

    assert sealed.connection.do("select count(*) from vector_segment") == [(0,)]
    one, two = asked(loose, rows[9], fence), asked(sealed, rows[9], fence)
    assert one.keys.tobytes() == two.keys.tobytes()
    assert one.scores.tobytes() == two.scores.tobytes() == asked(sealed, rows[9], fence).scores.tobytes()


@given(st.data())
@settings(deadline=None, max_examples=40)
def test_any_history_of_vectors_answers_as_an_exact_scan_does(new_world, data: st.DataObject):
    with pytest.MonkeyPatch.context() as patch:
        for module in ("segments", "index"):
            patch.setattr(f"bethink.store.{module}.SEALED", 8)
        patch.setattr("bethink.store.vectors.EXACT", 20)
        patch.setattr("bethink.store.vector_feed.WOKEN", data.draw(st.sampled_from([1, 16])))
        rows = clustered(60, dims=70)
        world = new_world()
        keys = [world.say("", DAYS[0], session=str(n)) for n in range(30)]
        held: dict[int, Rows] = {}
        for step in range(data.draw(st.integers(1, 6))):
            chosen = data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=12, unique=True))
            if data.draw(st.sampled_from(["put", "put", "remove"])) == "put":
                fresh = {key: rows[(key + 7 * step) % 60] for key in chosen}
                put(world, list(fresh), np.stack(list(fresh.values())))
                held |= fresh
            else:
                remove(world, chosen)
                held = {key: row for key, row in held.items() if key not in chosen}
            if data.draw(st.booleans()):
                got = asked(world, rows[step], depth=30)
                agrees(got, exact(list(held), np.stack(list(held.values())), rows[step]) if held else [])
        assert world.index.check(world.connection, TENANT, [said.card for said in world.said.values()]) == []
        world.index.forget_caches()
        got = asked(world, rows[0], depth=30)
        agrees(got, exact(list(held), np.stack(list(held.values())), rows[0]) if held else [])


def test_vectors_of_two_spaces_never_meet(new_world, rows):
    world = new_world()
    keys = world.fill(20, DAYS[0])
    put(world, keys, rows[:20])
    put(world, keys[:5], clustered(5, dims=32), space="other")

    assert asked(world, rows[0]).total == 20
    assert asked(world, clustered(1, dims=32)[0], space="other").total == 5
    assert asked(world, rows[0], space="unknown").total == 0
    assert chosen(world, rows[0], keys, space="unknown") == {}


def test_only_the_fence_decides_whose_vectors_are_scored(new_world, rows):
    world = new_world()
    mine = world.fill(20, DAYS[0])
    theirs = world.fill(20, DAYS[0], scope=BOB)
    put(world, mine, rows[:20])
    put(world, theirs, rows[20:40], scope=BOB)

    assert set(asked(world, rows[25]).keys.tolist()) == set(mine)
    both = asked(world, rows[25], replace(ALL, scopes=(ANN, BOB)))
    agrees(both, exact(mine + theirs, rows[:40], rows[25]))
    assert chosen(world, rows[25], theirs) == {}
    assert chosen(world, rows[25], [*theirs, mine[0]]).keys() == {mine[0]}


def test_a_status_change_and_an_erasure_are_seen_by_the_next_search(new_world, large, rows):
    world = new_world()
    keys = [world.say("", DAYS[0], session=str(n)) for n in range(20)]
    put(world, keys, rows[:20])
    near = asked(world, rows[3])
    assert near.keys[near.best(1)] == keys[3]
    world.set_status(keys[3], StatusSpan(Status.ARCHIVED, DAYS[1]))
    world.erase(keys[4], DAYS[1])
    remove(world, [keys[4]])

    agrees(asked(world, rows[3]), exact(keys[:3] + keys[5:], np.delete(rows[:20], [3, 4], axis=0), rows[3]))
    assert world.connection.do("select count(*) from vector where key = ?", (keys[4],)) == [(0,)]


def test_vectors_another_connection_stores_in_any_order_are_seen_by_the_next_search(new_world, beside, rows):
    writer = new_world()
    keys = writer.fill(20, DAYS[0])
    put(writer, keys[5:10], rows[5:10])
    reader = beside(writer)
    assert asked(reader, rows[0]).total == 5

    put(writer, keys[12:15], rows[12:15])
    assert asked(reader, rows[0]).total == 8
    put(writer, keys[:3], rows[:3])
    assert asked(reader, rows[0]).total == 11
    more = writer.fill(2, DAYS[0])
    put(writer, more, rows[15:17])
    reader.position = writer.position
    remove(writer, [keys[7]])
    agrees(asked(reader, rows[0]), exact([*keys[:3], *keys[5:7], *keys[8:10], *keys[12:15], *more],
                                         rows[[0, 1, 2, 5, 6, 8, 9, 12, 13, 14, 15, 16]], rows[0]))  # fmt: skip


def test_an_older_snapshot_leaves_out_vectors_of_entries_it_does_not_see(new_world, rows):
    world = new_world()
    keys = world.fill(10, DAYS[0])
    put(world, keys, rows[:10])
    old = world.position
    more = world.fill(5, DAYS[0])
    put(world, more, rows[10:15])

    assert asked(world, rows[0]).total == 15
    assert set(world.search(position=old).dense(ALL, "sp", rows[0], 100).keys.tolist()) == set(keys)


def test_a_vector_without_an_entry_is_never_scored(new_world, rows):
    world = new_world()
    keys = world.fill(3, DAYS[0])
    put(world, [keys[0], keys[0] + 1, keys[2]], rows[:3])

    assert set(asked(world, rows[1]).keys.tolist()) == {keys[0], keys[2]}


def test_a_vector_takes_its_entry_off_the_waiting_list(new_world, rows):
    world = new_world()
    key, other = world.fill(2, DAYS[0])
    for waiting in (key, other):
        world.connection.do("insert into embedding_pending values (?, 'sp', ?)", (TENANT, waiting))
    put(world, [key], rows[:1])

    assert world.connection.do("select key from embedding_pending") == [(other,)]
    remove(world, [other])
    assert world.connection.do("select key from embedding_pending") == []


def test_a_dropped_space_leaves_nothing(new_world, large, rows):
    world = new_world()
    keys = world.fill(3, DAYS[0])
    put(world, keys, rows[:3])
    put(world, keys, rows[:3], space="new")
    with world.connection.writing():
        world.index.drop_space(world.connection, TENANT, "sp")

    assert asked(world, rows[0]).total == 0
    assert asked(world, rows[0], space="new").total == 3
    for table in ("vector", "vector_segment", "vector_state"):
        assert world.connection.do(f"select count(*) from {table} where space = 'sp'") == [(0,)]


def test_cosines_of_chosen_keys_are_near_the_true_ones_and_none_is_given_for_what_has_no_vector(large, rows):
    world, keys = large
    some = [*keys[::97], keys[-1], 10**9]
    answered = chosen(world, rows[11], some)

    want = dict(exact(some[:-1], rows[[*range(0, len(rows), 97), -1]], rows[11]))
    assert answered.keys() == want.keys()
    assert max(abs(answered[key] - want[key]) for key in want) < NEAR
    assert abs(answered[keys[-1]] - want[keys[-1]]) < EXACT, "it is loose, so it is scored exactly"
    assert chosen(world, rows[11], []) == {}


def test_cosines_by_int8_rows_of_an_encoders_width_are_within_three_thousandths():
    rows = clustered(4_000, dims=384)
    run = joined([(np.arange(4_000), np.arange(4_000), encode(rows))])
    part = survivors(run, np.arange(4_000) % 4 > 0, read_nothing)
    for query in rows[::500]:
        keys, scores = estimates([part], query, np.arange(4_000))
        assert keys.tolist() == [key for key in range(4_000) if key % 4], "those inside the fence"
        assert np.abs(scores - rows[keys].astype(np.float64) @ query.astype(np.float64)).max() < 0.003


def read_nothing(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], Rows]:
    """A truth from which every vector is gone."""
    return keys[:0], np.empty((0, 0), np.float32)


@given(st.data())
@settings(deadline=None)
def test_an_estimate_is_off_by_half_a_quantum_a_component_at_most(data: st.DataObject):
    """Whatever the vectors, and wherever the segments of a run end."""
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    dims, sizes = data.draw(st.integers(1, 200)), data.draw(st.lists(st.integers(1, 300), min_size=1, max_size=4))
    rows = chance.standard_t(2, size=(sum(sizes), dims)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    codes = [encode(block) for block in np.split(rows, np.cumsum(sizes)[:-1])]
    keys = np.arange(len(rows)) * 3
    parts = np.split(keys, np.cumsum(sizes)[:-1])
    run = joined([(part, part // 3, code) for part, code in zip(parts, codes, strict=True)])
    mask = chance.random(len(rows)) < data.draw(st.sampled_from([0.3, 1.0]))
    asked_for = np.arange(-5, 3 * len(rows) + 5)
    found, scores = estimates([survivors(run, mask, read_nothing)], rows[0], asked_for)

    assert found.tolist() == keys[mask].tolist()
    bound = run.scales[mask] / 2 * np.abs(rows[0]).sum() + 1e-4
    assert (np.abs(scores - rows[mask].astype(np.float64) @ rows[0].astype(np.float64)) <= bound).all()


def test_a_vector_that_went_from_the_truth_meanwhile_keeps_its_estimate():
    rows = clustered(50)
    run = joined([(np.arange(50), np.arange(50), encode(rows))])
    got = nearest([survivors(run, np.ones(50, np.bool_), read_nothing)], rows[0], 10)

    assert got.keys.tolist() == list(range(50))
    assert np.abs(got.scores - rows.astype(np.float64) @ rows[0].astype(np.float64)).max() < NEAR


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
