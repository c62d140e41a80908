"""One index serves many threads: each sees exactly its own snapshot while others write and read."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import numpy as np

from bethink.domain.fence import Fence
from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import LIVE
from bethink.domain.scope import Sensitivity
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.test_dense import asked, put
from tests.store.search.world import ANN

ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, datetime(2026, 5, 1, tzinfo=UTC))
WRITES = 120
UNIT = np.ones(16, dtype=np.float32) / 4


def test_every_snapshot_finds_exactly_what_it_holds(new_world, beside):
    writer = new_world()
    done = threading.Event()

    def read() -> int:
        looks = 0
        while not done.is_set() or looks == 0:
            reader = beside(writer, writer.index)
            reader.connection.begin_read()
            rows = reader.connection.do("select position from tenant")
            reader.position = rows[0][0] if rows else 0
            held = [key for (key,) in reader.connection.do("select key from entry order by key")]
            placed = {key for (key,) in reader.connection.do("select key from vector")}
            found = reader.search().lexical(ALL, Query("boat", ("boat",)), FieldWeights())
            assert sorted(found.keys.tolist()) == held
            assert placed <= set(asked(reader, UNIT, ALL).keys.tolist()) <= set(held)
            looks += 1
        return looks

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        for seq in range(WRITES):
            put(writer, [writer.say("boat", DAYS[0], seq=seq)], UNIT[None])
        done.set()
        assert all(reader.result() > 0 for reader in readers)
    assert len(asked(writer, UNIT, ALL).keys) == WRITES
