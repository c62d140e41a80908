"""How the server goes about every query: by an index, on an empty store as on a large one, and as without the wall."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from bethink.store.index import SearchIndex
from bethink.store.postgres import NOBODY, PostgresDatabase
from bethink.store.postgres_connection import PostgresConnection
from bethink.store.postgres_store import PostgresStore
from bethink.system import SystemClock
from bethink.testing.fakes import CountingIds
from tests.postgres.cluster import Cluster
from tests.postgres.conftest import Place
from tests.postgres.template import AGENT
from tests.store.test_sqlite import WHOLE
from tests.store.things import TENANT

OTHERWISE = {
    "claim_jobs": "sorts what is due in the tenant, which is little",
    "list_tenants": "reads one's own tenant alone, where a policy lets it",
    "pending_entries": "is planned for partitions of later turns while they are empty, and anew when they fill",
}
"""Queries that go another way behind the wall, and why they may."""


@pytest.fixture
def place(postgres: Cluster) -> Iterator[Place]:
    """A database nobody wrote to: what autovacuum learns of a used one decides between ways that cost the same."""
    with postgres.database() as name:
        yield Place(postgres, name)


@pytest.fixture
def store(place: Place) -> Iterator[PostgresStore]:
    made = opened(place, AGENT)
    yield made
    made.close()


@pytest.fixture
def unwalled(place: Place) -> Iterator[PostgresDatabase]:
    """The same for an administrator that stays one: no policy binds it."""
    made = opened(place, "postgres")
    made.database._role = NOBODY
    yield made.database
    made.close()


def opened(place: Place, user: str) -> PostgresStore:
    url = place.cluster.server.url(place.name, user)
    return PostgresStore(url, SystemClock(), CountingIds(), SearchIndex("english"))


def plans(on: PostgresConnection) -> dict[str, list[str]]:
    """The plan of every query about memory as a connection keeps it: made once, for any values."""
    found = {}
    for name, text in on._queries.items():
        if name.startswith(("check_", "repair_", "make_", "vacuum_")) or b"trace" in text or "/" in name:
            continue  # a query of a copy, named by its table, goes over all of it
        if not text.lstrip().startswith((b"select", b"insert", b"update", b"delete", b"with")):
            continue
        rows = on.handle.execute(b"explain (generic_plan, costs off) " + numbered(text)).fetchall()
        found[name] = [line for (line,) in rows]
    return found


def numbered(text: bytes) -> bytes:
    """The statement with the server's own placeholders."""
    places: dict[str, int] = {}
    told = re.sub(r"%\((\w+)\)s", lambda found: f"${places.setdefault(found[1], len(places) + 1)}", text.decode())
    return told.replace("%%", "%").encode()


def ways(plan: list[str]) -> list[str]:
    """By what each table is looked up. Casts and brackets decide nothing, nor whether rows are fetched by a bitmap."""
    told = (re.sub(r"::\w+|[()]", "", line.strip(" ->")) for line in plan)
    return sorted(line for line in told if "Seq Scan" in line or "Index Cond" in line)


def test_on_a_new_store_every_query_goes_by_an_index(store):
    with store.database.reading(tenant=TENANT) as on:
        found = {
            name
            for name, plan in plans(on).items()
            if any("Seq Scan" in line or re.search(r"Index Cond: \(tenant = [^)]*\)?$", line) for line in plan)
        }

    assert found <= {*" ".join(WHOLE.values()).split(), "any_erased", "read_standing"}


def test_the_records_of_a_turn_are_not_looked_for_in_an_index_of_all_records(place, store):
    """It holds all that is asked for, and the planner reads the whole of it where most records have one source."""
    with psycopg.connect(place.cluster.server.url(place.name)) as admin:
        admin.execute("drop index bethink.support_by_source")
        admin.execute("set local search_path = bethink; set local enable_bitmapscan = off")
        with store.database.reading(tenant=TENANT) as on:
            text = on._queries["spent_turns"]
        plan = [line for (line,) in admin.execute(b"explain (generic_plan, costs off) " + numbered(text)).fetchall()]
        admin.rollback()

    assert any("support_pkey" in line for line in plan)
    assert not any("Index Only Scan using support_pkey" in line for line in plan)


@pytest.mark.parametrize("name", ["pending_tenants", "passage_tenants"])
def test_whose_entries_wait_is_one_look_a_tenant_however_many_wait(store, name):
    with store.database.reading(tenant=TENANT) as on:
        plan = plans(on)[name]

    assert any("Index Cond: ((tenant = t.tenant) AND (space" in line for line in plan), plan
    assert not any("Join" in line for line in plan), plan


def test_the_wall_keeps_no_query_from_its_index(store, unwalled):
    """A policy is checked before whatever could tell of a row, so a condition that is not sealed may lose its index."""
    with store.database.reading(tenant=TENANT) as on, unwalled.reading(tenant=TENANT) as bare:
        walled, free = plans(on), plans(bare)

    assert len(walled) > 100
    assert {name for name in free if any("app.tenant" in line for line in free[name])} == set()
    other = {name: (ways(walled[name]), ways(free[name])) for name in free if ways(walled[name]) != ways(free[name])}
    assert other.keys() <= OTHERWISE.keys(), other
