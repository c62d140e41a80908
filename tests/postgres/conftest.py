"""A database of the module's own, and connections to it as its owner, as the app's login and as an administrator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import pytest

from tests.postgres.cluster import Cluster
from tests.postgres.template import AGENT, OWNER, SCHEMA


@dataclass(frozen=True)
class Place:
    """One migrated database of the run's server."""

    cluster: Cluster
    name: str

    @contextmanager
    def connect(self, user: str) -> Iterator[psycopg.Connection]:
        """A connection that commits each statement by itself unless a transaction is opened."""
        with psycopg.connect(self.cluster.server.url(self.name, user), autocommit=True) as on:
            on.execute(f"set search_path = {SCHEMA}")
            yield on


@pytest.fixture
def place(postgres: Cluster) -> Iterator[Place]:
    with postgres.lend() as name:
        yield Place(postgres, name)


@pytest.fixture
def admin(place: Place) -> Iterator[psycopg.Connection]:
    with place.connect("postgres") as on:
        yield on


@pytest.fixture
def owner(place: Place) -> Iterator[psycopg.Connection]:
    with place.connect(OWNER) as on:
        yield on


@pytest.fixture
def app(place: Place) -> Iterator[psycopg.Connection]:
    with place.connect(AGENT) as on:
        yield on
