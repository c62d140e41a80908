"""Stores in small on either database."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bethink.store.index import SearchIndex
from tests.databases import Database
from tests.store.search.places import Places
from tests.store.search.world import World


@pytest.fixture(scope="session")
def places(database: Database) -> Iterator[Places]:
    made = Places(database)
    yield made
    made.end()


@pytest.fixture(scope="session")
def new_world(places: Places) -> Callable[[], World]:
    """Makes empty worlds, one for each example of a property; each is gone as soon as nobody holds it."""
    return lambda: World(places.new())


@pytest.fixture(scope="session")
def beside(places: Places) -> Callable[..., World]:
    """The same store as another process sees it, or as another thread of this one where it is given the index."""

    def opened(world: World, index: SearchIndex | None = None) -> World:
        return World(places.beside(world.connection), index or SearchIndex("english"), position=world.position)

    return opened
