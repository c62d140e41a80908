"""`check` sees what does not follow from the truth, `rebuild` mends it."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from bethink.domain.fence import Fence
from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import LIVE
from bethink.domain.scope import Sensitivity
from bethink.store.index import SearchIndex
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.test_dense import asked, clustered, put
from tests.store.search.world import ANN, BOB, World

ALL = Fence(TENANT, (ANN, BOB), Sensitivity.NORMAL, LIVE, datetime(2026, 5, 1, tzinfo=UTC))
ROWS = clustered(24)


@pytest.fixture
def world(new_world, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("bethink.store.segments.SEALED", 8)
    monkeypatch.setattr("bethink.store.index.SEALED", 8)
    monkeypatch.setattr("bethink.store.column_segments.SEALED", 4)
    made = new_world()
    for seq in range(24):
        made.say(f"boat number {seq} sails", DAYS[0], seq=seq, scope=BOB if seq % 3 == 0 else ANN, speaker="Caroline")
    for scope in (ANN, BOB):
        keys = [key for key, entry in made.entries.items() if entry.scope == scope]
        put(made, keys, ROWS[: len(keys)], scope=scope)
        made.seal(scope)
    return made


def checked(world: World) -> list[str]:
    cards = [said.card for said in world.said.values()]
    return [flaw.place for flaw in world.index.check(world.connection, TENANT, cards)]


def rebuilt(world: World) -> dict[str, int]:
    with world.connection.writing():
        return world.index.rebuild(world.connection, TENANT, [said.card for said in world.said.values()])


def test_a_sound_index_has_no_flaw(world):
    assert checked(world) == []


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        ("delete from posting where term = 'boat' and key = 1", "postings"),
        ("update posting set packed = packed + 1 where term = 'boat' and key = 1", "postings"),
        ("update posting set term = 'storm' where term = 'boat' and key = 1", "postings"),
        ("insert into posting values ('acme', 'user:ann', 'ghost', 999, 1)", "postings"),
        ("delete from name_entry where key = 1", "names"),
        ("insert into name_entry values ('acme', 'user:ann', 'ghost', 999)", "names"),
        ("delete from name_gram where gram = 'rol' and scope = 'user:bob'", "names"),
        ("insert into name_gram values ('acme', 'user:ann', 'gho', 'ghost')", "names"),
        ("update vector_state set rows = rows + 1 where scope = 'user:bob'", "vectors"),
        ("delete from vector_segment where scope = 'user:bob'", None),
        ("update vector_segment set bits = nought(bits) where scope = 'user:bob'", "segments"),
        ("update vector_segment set bytes = nought(bytes) where scope = 'user:bob'", "segments"),
        ("delete from column_segment where scope = 'user:bob'", None),
        ("delete from column_segment where previous = -1 and scope = 'user:ann'", "columns"),
        ("update column_segment set body = nought(body) where previous > -1 and scope = 'user:ann'", "columns"),
        ("update vector set vector = nought(vector) where key = (select min(key) from vector)", "segments"),
    ],
)  # fmt: skip
def test_damage_is_found_and_mended(world, damage, place):
    before = answers(world)
    world.connection.do(damage)
    assert checked(world) == ([place] if place else [])
    built = rebuilt(world)

    assert checked(world) == []
    assert built == {"postings": 24 * 5, "names": 24, "vectors": 24, "segments": 3, "columns": 6}
    if "update vector set" not in damage:
        assert answers(world) == before


def test_swapped_counts_are_no_less_wrong_than_missing_ones(world):
    world.connection.do("update posting set packed = packed + 1 where term = 'boat' and key = 1")
    world.connection.do("update posting set packed = packed - 1 where term = 'sail' and key = 1")

    assert checked(world) == ["postings"]


def test_another_process_notices_a_rebuild(world):
    other = SearchIndex("english")
    reader = World(world.connection, other, position=world.position)
    assert asked(reader, ROWS[0], ALL).total == 24
    world.connection.do("delete from vector where key = (select max(key) from vector)")
    rebuilt(world)

    assert asked(reader, ROWS[0], ALL).total == 23


def test_the_check_of_one_tenant_does_not_look_at_another(world):
    assert world.index.check(world.connection, "other", []) == []
    assert world.index.rebuild(world.connection, "other", []) == {
        "postings": 0,
        "names": 0,
        "vectors": 0,
        "segments": 0,
        "columns": 0,
    }
    assert checked(world) == []


def answers(world: World) -> tuple[bytes, ...]:
    search = world.search()
    words = search.lexical(ALL, Query("", ("boat", "number", "7")), FieldWeights())
    meaning = search.dense(ALL, "sp", ROWS[1], 10)
    names = search.fuzzy(ALL, Query("", names=("carolime",)), 50)
    return (
        words.keys.tobytes(),
        words.scores.tobytes(),
        meaning.keys.tobytes(),
        meaning.scores.tobytes(),
        np.array([hit.key for hit in names]).tobytes(),
    )
