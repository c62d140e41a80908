"""A store in a temporary folder, a clock that moves when told, ids that count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bethink.store.index import SearchIndex
from bethink.store.sqlite_store import SqliteStore
from bethink.testing.fakes import CountingIds, ManualClock
from tests.store.things import Things


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory.db"


@pytest.fixture
def store(path: Path, clock: ManualClock) -> Iterator[SqliteStore]:
    opened = SqliteStore(path, clock, CountingIds(), SearchIndex("english"))
    yield opened
    opened.close()


@pytest.fixture
def things(store: SqliteStore, clock: ManualClock) -> Things:
    return Things(store, clock)
