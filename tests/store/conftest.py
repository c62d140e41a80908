"""A new store on either database, a clock that moves when told, ids that count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bethink.store.index import SearchIndex
from bethink.store.store import DatabaseStore
from bethink.testing.fakes import CountingIds, ManualClock
from tests.databases import Database, Place
from tests.store.things import Things


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def place(new_place: Callable[[], Place]) -> Place:
    """Where the store lies."""
    return new_place()


@pytest.fixture
def path(place: Place) -> Path:
    """The store's file, for what is about the file."""
    assert isinstance(place, Path)
    return place


@pytest.fixture
def open_store(
    database: Database, place: Place, clock: ManualClock, request: pytest.FixtureRequest
) -> Callable[..., DatabaseStore]:
    """Open the store as another process would; closed when the test ends."""

    def opened(language: str = "english", **options: float) -> DatabaseStore:
        store = database.store(place, (clock, CountingIds(), SearchIndex(language)), **options)
        request.addfinalizer(store.close)
        return store

    return opened


@pytest.fixture
def store(database: Database, place: Place, clock: ManualClock) -> Iterator[DatabaseStore]:
    opened = database.store(place, (clock, CountingIds(), SearchIndex("english")))
    yield opened
    opened.close()


@pytest.fixture
def things(store: DatabaseStore, clock: ManualClock) -> Things:
    return Things(store, clock)
