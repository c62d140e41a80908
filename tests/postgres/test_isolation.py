"""Two tenants on one pool: whatever order, whatever a query forgets, whatever a connection was left with."""

from __future__ import annotations

import random
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import psycopg
import pytest

import bethink
from bethink.store import postgres_connection
from bethink.store.index import SearchIndex
from bethink.store.postgres_server import PoolOptions
from bethink.store.postgres_store import PostgresStore
from bethink.store.queries import queries
from bethink.testing.fakes import CountingIds, ManualClock
from tests.behaviour.requirements import requirement
from tests.postgres.structure import tables
from tests.postgres.template import AGENT, SCHEMA
from tests.store.things import Things

TENANTS = ("north", "south")
TRANSACTIONS = 10_000
PREDICATE = re.compile(r"(?<![\w.])(\w+\.)?tenant = %\(tenant\)s")
"""The application's own filter in the text of a query."""


class Undone(Exception):
    """A test takes its write back."""


@contextmanager
def pooled(url: str):
    """A store whose threads share two connections."""
    clock = ManualClock()
    store = PostgresStore(url, clock, CountingIds(), SearchIndex("english"), PoolOptions(least=2, most=2))
    try:
        yield store, clock
    finally:
        store.close()


def undone(store: PostgresStore, tenant: str) -> None:
    """A write that is taken back."""
    with suppress(Undone), store.write(tenant) as work:
        work.event("test", "x", {})
        raise Undone


@pytest.fixture
def url(place):
    return place.cluster.server.url(place.name, AGENT)


def unfilter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every comparison of a row's tenant with the caller's out of the queries: a switch for tests alone."""
    whole = queries("postgres")
    texts = {name: PREDICATE.sub("true", text).encode() for name, text in whole.items()}
    assert sum(texts[name] != text.encode() for name, text in whole.items()) > 100
    monkeypatch.setattr(postgres_connection, "_texts", lambda: texts)


@requirement("A9")
def test_ten_thousand_interleaved_transactions_on_two_connections_show_no_foreign_row(url):
    with pooled(url) as (store, clock):
        known = {
            tenant: [Things(store, clock, tenant).remember(f"{tenant} {n}").id for n in range(5)] for tenant in TENANTS
        }
        everything = [item for items in known.values() for item in items]

        def work(seed: int) -> int:
            chance, foreign = random.Random(seed), 0
            for number in range(TRANSACTIONS // 4):
                tenant = TENANTS[(number + seed) % 2]
                kind = chance.random()
                if kind < 0.9:
                    with store.database.reading(tenant=tenant) as on:
                        assert on.rows("list_tenants") == [(tenant,)]
                        rows = on.handle.execute("select tenant from record").fetchall()
                        foreign += sum(row[0] != tenant for row in rows) + (len(rows) != 5)
                elif kind < 0.95:
                    undone(store, tenant)
                else:
                    with store.database.reading() as on:
                        assert on.rows("list_tenants") == [(name,) for name in TENANTS]
                        foreign += len(on.handle.execute("select tenant from record").fetchall())
            return foreign

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(work, range(4))) == 0
        assert {store.database.server._pool.get_stats()["pool_size"]} == {2}
        for tenant in TENANTS:
            things = Things(store, clock, tenant)
            assert [record.id for record in things.get(everything)] == known[tenant]


@pytest.mark.parametrize("left", ["set app.tenant = 'south'", "set app.upkeep = 'list'", "set role none", "reset all"])
def test_what_a_connection_was_left_with_does_not_reach_its_next_borrower(url, left):
    with pooled(url) as (store, clock):
        for tenant in TENANTS:
            Things(store, clock, tenant).remember(f"of {tenant}")
        handles = [store.server._pool.getconn() for _ in range(2)]
        for handle in handles:
            handle.execute(left)
            store.server._pool.putconn(handle)
        for _ in range(4):
            with store.database.reading(tenant="north") as on:
                assert on.rows("list_tenants") == [("north",)]
                assert on.handle.execute("select distinct tenant from record").fetchall() == [("north",)]
            with store.database.reading() as on:
                assert on.rows("list_tenants") == [(name,) for name in TENANTS]
                assert on.handle.execute("select tenant from record").fetchall() == []


def canaries(tenant: str) -> dict[str, str]:
    return {"request": f"The {tenant} canary sings at dawn", "subject": f"{tenant} canary", "attribute": "song"}


def answers(memory: bethink.Memory, tenant: str, ids: list[str]) -> str:
    """Everything one can ask as a tenant, as one text."""
    mine = memory.bind("maya", "aria", tenant=tenant, voice="user")
    said = [
        mine.recall("Which canary sings at dawn?", max_items=50, include_superseded=True),
        mine.recall("north south canary", subjects=("north canary", "south canary"), as_of=memory._parts.clock.now()),
        mine.episodes(session="talk"),
        mine.episodes(since=memory._parts.clock.now().replace(year=2020)),
        memory.grants(tenant=tenant),
        mine.remember(**canaries(tenant)),
        mine.session("talk").turn(f"The {tenant} canary is yellow", message_id="m1"),
    ]
    said += [tried(read, item) for item in ids for read in (mine.get, mine.forget)]
    return repr(said)


def tried(call, item: str) -> object:
    try:
        return call(item, **({"dry_run": True} if call.__name__ == "forget" else {}))
    except bethink.BethinkError as error:
        return f"{error.code} {error}".replace(item, "ID")


def furnish(memory: bethink.Memory) -> dict[str, list[str]]:
    """The same in each tenant, in words of its own; ids by tenant."""
    ids: dict[str, list[str]] = {}
    for tenant in TENANTS:
        mine = memory.bind("maya", "aria", tenant=tenant, voice="user")
        turn = mine.session("talk").turn(f"The {tenant} canary is yellow", message_id="m1").ids[0]
        old = mine.remember(**canaries(tenant))
        new = mine.remember(f"The {tenant} canary sings at noon", subject=f"{tenant} canary", attribute="song")
        ids[tenant] = [turn, old.id, new.id, mine.recall("canary").trace_id]
    return ids


@requirement("A9", "A83")
def test_with_the_application_s_own_filter_removed_no_foreign_row_is_seen(url, monkeypatch):
    unfilter(monkeypatch)
    with bethink.open(url, embedder="hash", clock=ManualClock(), ids=CountingIds()) as memory:
        ids = furnish(memory)
        for mine, other in (TENANTS, TENANTS[::-1]):
            said = answers(memory, mine, ids[mine] + ids[other])

            assert f"{mine} canary" in said
            assert f"{other} canary" not in said.replace("north south canary", "")
            assert not [item for item in ids[other] if item in said]


def test_without_the_wall_that_switch_shows_the_other_tenant(postgres, monkeypatch):
    with postgres.database() as name:
        url = postgres.server.url(name, AGENT)
        with bethink.open(url, embedder="hash", clock=ManualClock(), ids=CountingIds()) as memory:
            ids = furnish(memory)
            with psycopg.connect(postgres.server.url(name), autocommit=True) as admin:
                for table, _ in tables(admin, SCHEMA):
                    admin.execute(f"alter table {SCHEMA}.{table} disable row level security")
            unfilter(monkeypatch)

            assert "south canary" in answers(memory, "north", ids["north"] + ids["south"])
