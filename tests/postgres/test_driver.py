"""What the driver promises: turns by tenant, time limits, connections that come and go, migrations, stored vectors."""

from __future__ import annotations

import os
import re
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from bethink.domain.source import SourceKind
from bethink.errors import (
    DeadlineExceeded,
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreNewer,
    StoreReadOnly,
)
from bethink.ports.embedder import EmbedSpec
from bethink.store.index import SearchIndex
from bethink.store.migrate import SQL, Migration, migrations
from bethink.store.postgres import TRUTH, PostgresDatabase
from bethink.store.postgres_server import PoolOptions, PostgresServer, patient
from bethink.store.postgres_store import PostgresStore, TraceSchema
from bethink.system import SystemClock
from bethink.testing.fakes import CountingIds
from tests.behaviour.requirements import requirement
from tests.postgres.conftest import Place
from tests.postgres.server import NAMED
from tests.postgres.template import AGENT, OWNER
from tests.store.things import TENANT, Things

SPEC = EmbedSpec("fake", "small", "1", None, "float32", 4, 64, "mean", True, "", "", "v1")
NAP = b"select pg_sleep(20)"


def opened(place: Place, user: str = AGENT, **options) -> PostgresStore:
    url = place.cluster.server.url(place.name, user)
    return PostgresStore(url, SystemClock(), CountingIds(), SearchIndex("english"), PoolOptions(**options))


@pytest.fixture
def store(place):
    made = opened(place, lock_timeout=5.0)
    yield made
    made.close()


@contextmanager
def elsewhere(work):
    """Run work beside the block; it is over when the block is left."""
    thread = threading.Thread(target=work)
    thread.start()
    yield
    thread.join()


def test_writers_of_a_tenant_take_turns_and_commit_in_the_order_of_their_positions(store):
    committed: list[int] = []

    def write() -> None:
        for _ in range(10):
            with store.write(TENANT) as work:
                work.event("noted", "x", {})
                position = work._writing.position
                committed.append(position)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert committed == list(range(1, 41))
    with store.snapshot(TENANT) as snapshot:
        assert snapshot.position == 40


def test_a_writer_waits_for_its_own_tenant_and_for_no_other(store):
    with store.write(TENANT):
        with store.write("another") as work:
            work.event("noted", "x", {})
        began = time.monotonic()
        with pytest.raises(StoreBusy), store.write(TENANT, deadline=0.1):
            pass
        assert time.monotonic() - began < 3


def test_who_changes_every_tenant_is_alone(store):
    with store.write(TENANT), pytest.raises(StoreBusy), store.database.writing(0.1):
        pass
    with store.database.writing(), pytest.raises(StoreBusy), store.write("another", deadline=0.1):
        pass


def nap(on) -> None:
    """A statement that takes long."""
    on._queries = {**on._queries, "nap": NAP}
    on.rows("nap")


def test_a_read_ends_when_the_time_is_over(store):
    began = time.monotonic()
    with store.database.reading(0.2, tenant=TENANT) as on, pytest.raises(DeadlineExceeded):
        nap(on)
    assert time.monotonic() - began < 5


def late(store, work) -> None:
    """Write a counter within 0.2 seconds, then do some more."""
    with store.database.writing(0.2, tenant=TENANT) as on:
        on.run("write_tenant", tenant=TENANT, position=7, latest=7)
        work(on)


@pytest.mark.parametrize("work", [nap, lambda _: threading.Event().wait(0.3)], ids=["a statement", "the caller"])
def test_a_write_whose_time_is_over_keeps_nothing(store, work):
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        late(store, work)
    assert time.monotonic() - began < 5

    with store.snapshot(TENANT) as snapshot:
        assert snapshot.position == 0


def test_no_free_connection_is_busy(place):
    store = opened(place, least=0, most=1, lock_timeout=0.2)
    with store.snapshot(TENANT), pytest.raises(StoreBusy, match=r"store\.pool_max"), store.snapshot(TENANT):
        pass
    store.close()


def test_one_caller_is_served_by_one_connection(store, admin):
    for _ in range(3):
        with store.snapshot(TENANT):
            pass
    mine = "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'bethink'"
    assert admin.execute(mine).fetchone() == (1,)


def end_connections(admin: psycopg.Connection) -> None:
    admin.execute(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()"
    )


def test_connections_that_broke_while_idle_are_replaced_unnoticed(store, admin):
    things = Things(store, SystemClock())
    things.clock.advance = lambda **_: None
    said = things.remember("before")
    end_connections(admin)

    assert things.texts([said.id]) == ["before"]
    end_connections(admin)
    things.remember("after")


def lost(store, admin, *, answered: bool) -> None:
    """A write whose connection ends before the commit; `answered` when the server has all of it by then."""
    with store.database.writing(tenant=TENANT) as on:
        (on.run if answered else on.post)("write_tenant", tenant=TENANT, position=1, latest=1)
        end_connections(admin)


def test_a_connection_lost_inside_a_write_keeps_nothing(store, admin):
    with pytest.raises(StoreError, match="connection to the database failed"):
        lost(store, admin, answered=False)
    with store.snapshot(TENANT) as snapshot:
        assert snapshot.position == 0


def test_a_connection_lost_at_the_commit_leaves_the_outcome_to_the_idempotency_key(store, admin):
    with pytest.raises(StoreError, match="may have been kept or not") as told:
        lost(store, admin, answered=True)
    assert "idempotency key" in told.value.advice


def test_a_read_that_ran_out_of_time_keeps_its_connection(place):
    store = opened(place, most=1)
    with store.database.reading(0.1, tenant=TENANT) as on:
        process = on.handle.info.backend_pid
        with pytest.raises(DeadlineExceeded):
            nap(on)
    with store.database.reading(tenant=TENANT) as on:
        assert on.handle.info.backend_pid == process
        assert on.rows("read_tenant", tenant=TENANT) == []
    store.close()


def test_a_server_that_only_reads_is_read(place, store):
    said = Things(store, clock := SystemClock())
    said.clock.advance = lambda **_: None
    record = said.remember("kept")
    url = place.cluster.server.url(place.name, AGENT)
    replica = PostgresStore(
        f"{url}{'&' if '?' in url else '?'}options=-c%20default_transaction_read_only%3Don",
        clock, CountingIds(), SearchIndex("english"),
    )  # fmt: skip

    assert replica.read_only
    assert Things(replica, clock).texts([record.id]) == ["kept"]
    with pytest.raises(StoreReadOnly), replica.write(TENANT):
        pass
    replica.close()


def test_a_login_without_rights_is_told_where_they_are_listed(place, admin):
    admin.execute("create role stranger login")
    try:
        with pytest.raises(StoreError, match=r"docs/postgres\.md"):
            opened(place, "stranger")
    finally:
        admin.execute("drop role stranger")


STEP = Migration("0099_later", "create table later (tenant text not null primary key)")


def test_a_newer_and_a_changed_schema_are_refused(place):
    server = PostgresServer(place.cluster.server.url(place.name, OWNER), SystemClock())
    known = PostgresDatabase(server, TRUTH).steps
    PostgresDatabase(server, TRUTH, (*known, STEP))

    with pytest.raises(StoreNewer, match="0099_later"):
        PostgresDatabase(server, TRUTH)
    with pytest.raises(StoreCorrupt, match="another text"):
        PostgresDatabase(server, TRUTH, (*known, replace(STEP, text="select 1")))
    with psycopg.connect(place.cluster.server.url(place.name), autocommit=True) as on:
        on.execute("drop table bethink.later; delete from bethink.meta where name = 'migration/0099_later'")
    server.close()


@requirement("P84")
def test_a_migration_that_fails_leaves_nothing(place):
    server = PostgresServer(place.cluster.server.url(place.name, OWNER), SystemClock())
    known = PostgresDatabase(server, TRUTH).steps
    bad = Migration("0099_later", "create table later (id bigint); select 1 / 0")

    with pytest.raises(StoreError, match="division by zero"):
        PostgresDatabase(server, TRUTH, (*known, bad))
    assert PostgresDatabase(server, TRUTH).schema == known[-1].number
    with server.session(1.0) as on:
        assert on.handle.execute("select to_regclass('bethink.later')").fetchone() == (None,)
    server.close()


def migrated(postgres, steps) -> tuple[list[tuple[object, ...]], ...]:
    """Ledger, columns and grants of a new database that went through some steps, got a row, and was opened today."""
    name = f"earlier_{postgres.owner}"
    with psycopg.connect(postgres.server.url("postgres"), autocommit=True) as on:
        on.execute(f"create database {name} owner {OWNER}")
    try:
        server = PostgresServer(postgres.server.url(name, OWNER), SystemClock())
        PostgresDatabase(server, TRUTH, steps)
        with psycopg.connect(postgres.server.url(name), autocommit=True) as on:
            on.execute("insert into bethink.scope_grant values ('t', 'u', 'a', 'user:u', 1, 0, 7)")
            PostgresDatabase(server, TRUTH)
            asked = (
                "select name, value from bethink.meta where name like 'migration/%' order by 1",
                "select table_name, column_name, data_type from information_schema.columns order by 1, 2, 3",
                "select * from bethink.scope_grant",
            )
            told = tuple(on.execute(one).fetchall() for one in asked)
        server.close()
        return told
    finally:
        with psycopg.connect(postgres.server.url("postgres"), autocommit=True) as on:
            on.execute(f"drop database {name} with (force)")


@requirement("P84")
def test_a_database_of_every_earlier_schema_becomes_the_fresh_one_and_keeps_its_rows(postgres):
    known = migrations(SQL / TRUTH.folder, "postgres")
    fresh = migrated(postgres, known)

    assert len(fresh[0]) == len(known)
    assert [row[:4] for row in fresh[2]] == [("t", "u", "a", "user:u")]
    for number in sorted({step.number for step in known})[:-1]:
        assert migrated(postgres, tuple(step for step in known if step.number <= number)) == fresh


def test_processes_that_open_a_new_database_at_once_make_one_store(postgres):
    name, failed = f"fresh_{postgres.owner}", []
    with psycopg.connect(postgres.server.url("postgres"), autocommit=True) as on:
        on.execute(f"create database {name} owner {OWNER}")

    def begin() -> None:
        try:
            made = opened(Place(postgres, name), OWNER)
            TraceSchema(made.server).opened()
            made.close()
        except StoreError as error:
            failed.append(error)

    with elsewhere(begin), elsewhere(begin):
        begin()
    with psycopg.connect(postgres.server.url(name)) as on:
        ledger = [row[0] for row in on.execute("select name from bethink.meta where name like 'migration/%'")]
    with psycopg.connect(postgres.server.url("postgres"), autocommit=True) as on:
        on.execute(f"drop database {name} with (force)")

    assert failed == []
    assert len(ledger) == len(set(ledger)) > 3


@pytest.mark.parametrize("column", ["vector", "bytea"])
def test_vectors_come_back_bit_for_bit_whatever_column_holds_them(place, owner, column):
    if owner.execute("select to_regtype('public.vector')").fetchone() == (None,):
        assert NAMED in os.environ
        pytest.skip("the server that this run names has no pgvector")
    if column == "bytea":
        owner.execute("alter table vector alter column vector type bytea using null")
    store = opened(place)
    try:
        things = Things(store, SystemClock())
        things.clock.advance = lambda **_: None
        store.vectors.register(SPEC, np.zeros((1, 4), np.float32), things.clock.now())
        record = things.remember("one")
        odd = np.array([1.1754944e-38, -0.0, 3.4028235e38, 1 / 3], dtype=np.float32)
        store.vectors.put(SPEC.space_id, [(TENANT, record.key, odd)])
        with store.database.reading(tenant=TENANT) as on:
            ((_, held),) = on.rows("vectors_of_entry", tenant=TENANT, key=record.key)
        assert held == odd.astype("<f4").tobytes()
        kind = "select typname::text from pg_type t join pg_attribute a on a.atttypid = t.oid"
        place_of = " where attrelid = 'vector'::regclass and attname = 'vector'"
        assert owner.execute(kind + place_of).fetchone() == (column,)
    finally:
        store.close()
        if column == "bytea":
            owner.execute("truncate vector")
            owner.execute("alter table vector alter column vector type public.vector using null")


def test_the_traces_of_this_month_and_the_next_have_their_partitions(place, owner):
    server = PostgresServer(place.cluster.server.url(place.name, OWNER), SystemClock())
    TraceSchema(server).opened()
    server.close()

    names = [row[0] for row in owner.execute("select inhrelid::regclass::text from pg_inherits order by 1")]
    months = [name for name in names if re.fullmatch(r"bethink_traces\.trace_\d{4}_\d\d", name)]
    assert len(months) >= 3


def test_a_copy_is_left_to_the_server_s_own_tools(store, tmp_path):
    with pytest.raises(InvalidInput, match="pg_dump"):
        store.backup(tmp_path / "copy")


def test_texts_are_ordered_by_their_bytes(store):
    with store.write(TENANT) as work:
        for name in ("é", "Z", "a", "z", "ä"):
            work.records.add_support("r1", name, SourceKind.USER_STATEMENT, work.recorded_at)
    with store.snapshot(TENANT) as snapshot:
        assert snapshot.records.supports("r1") == ("Z", "a", "z", "ä", "é")


@pytest.mark.parametrize(
    ("url", "seconds"),
    [
        ("postgresql://agents@db/memory", "10"),
        ("postgresql://agents@db/memory?connect_timeout=3", "3"),
        ("host=db connect_timeout=3", "3"),
    ],
)
def test_a_url_says_how_long_the_server_may_take_to_let_a_connection_in(url, seconds):
    assert conninfo_to_dict(patient(url, 10))["connect_timeout"] == seconds
