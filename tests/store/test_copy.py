"""A copy holds every row of every table as it was, answers with the same bytes, and goes on where it was stopped."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import psycopg
import pytest

import bethink
from bethink.domain.record import content_digest
from bethink.errors import InvalidInput, StoreBusy, StoreError, StoreNewer, StoreReadOnly, StoreUnfinished
from bethink.opening import copy_store
from bethink.settings import load_settings
from bethink.store import copying
from bethink.store.queries import queries
from bethink.store.sqlite_store import sqlite_side
from bethink.store.tables import TRACES, TRUTH
from bethink.system import SystemClock
from bethink.testing.fakes import CountingIds, ManualClock
from tests.behaviour.requirements import requirement
from tests.postgres.cluster import Cluster
from tests.postgres.template import AGENT, OWNER
from tests.store.furnished import SEALED, TENANTS, answers, contents, furnish

ROOT = Path(__file__).parents[2]
WAYS = ("sqlite-sqlite", "sqlite-postgres", "postgres-sqlite", "postgres-postgres")
OWN = {"meta", "space"}
"""Tables that no tenant's rows lie in."""


STAYS = {
    *("event", "job", "receipt", "secret", "space", "taxonomy_node", "tenant", "tombstone", "trace_erased"),
    *("upkeep_mark", "vector_state"),
}
"""What holds no word of a user who was erased: the log, keyed hashes, counts, and what is the tenant's."""
SMALL = (("segments.SEALED", SEALED), ("index.SEALED", SEALED), ("column_segments.SEALED", SEALED), ("context.LOOK", 1))
"""What is made so small that there are segments."""


class Stopped(Exception):
    """What ends a copy in the middle."""


@pytest.fixture
def small_pages(monkeypatch) -> None:
    """Pages of three rows, so that every table takes several."""
    for tables in (TRUTH, TRACES):
        small = tuple(replace(table, page=3) for table in tables)
        monkeypatch.setattr(copying, "TRUTH" if tables is TRUTH else "TRACES", small)


@pytest.fixture
def places(request, tmp_path) -> Iterator[tuple[str, str]]:
    """Where a store is and where it goes, on the databases that the test's way names."""
    way = getattr(request, "param", "sqlite-sqlite").split("-")
    names = []
    lent = []
    for place, engine in enumerate(way):
        if engine == "sqlite":
            names.append(str(tmp_path / f"{place}.db"))
            continue
        cluster: Cluster = request.getfixturevalue("postgres")
        lent.append(cluster.lend())
        names.append(cluster.server.url(lent[-1].__enter__(), OWNER))
        with psycopg.connect(names[-1]) as on:  # a copy of the template is the same store as every other
            on.execute("update bethink.meta set value = md5(value || %s) where name in ('store_id', 'secret')", [place])
    yield names[0], names[1]
    for one in lent:
        one.__exit__(None, None, None)


@pytest.fixture(scope="session")
def furnished(tmp_path_factory) -> Path:
    """A file with everything in it, to be copied and left alone."""
    path = tmp_path_factory.mktemp("furnished") / "memory.db"
    with pytest.MonkeyPatch.context() as patch:
        for name, size in SMALL:
            patch.setattr(f"bethink.store.{name}", size)
        furnish(path)
    return path


@pytest.fixture
def filled(places, furnished, monkeypatch) -> tuple[str, str]:
    """The places, the source filled."""
    source, _ = places
    for name, size in SMALL:
        monkeypatch.setattr(f"bethink.store.{name}", size)
    if source.startswith("postgres"):
        furnish(source)
    else:
        for suffix in ("", ".traces"):
            shutil.copy(f"{furnished}{suffix}", f"{source}{suffix}")
    return places


def stop(_done: int, _total: int) -> None:
    """Interrupt a copy behind its first page."""
    raise Stopped


@requirement("E111")
@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("places", WAYS, indirect=True)
def test_a_copy_holds_the_same_rows_and_answers_with_the_same_bytes(filled):
    source, target = filled
    before = contents(source)
    result = copy_store(source, target)

    assert [name for name, rows in before.items() if not rows] == []
    assert contents(target) == before
    assert result.tables == {name: len(rows) for name, rows in before.items() if name != "secret"}
    assert (result.tenants, result.resumed) == (2, False)
    told = answers(source)
    assert any(block for block, *_ in told)
    assert answers(target) == told
    with bethink.open(target, embedder="hash") as memory:
        assert [finding.place for finding in memory.check().findings] == ["job"]


@pytest.mark.parametrize("places", ["sqlite-sqlite", "sqlite-postgres"], indirect=True)
def test_from_a_copy_a_user_is_erased_as_from_what_it_is_a_copy_of(filled):
    copy_store(*filled)
    told = []
    for place in filled:
        with bethink.open(place, clock=ManualClock(), ids=CountingIds(), embedder="hash") as memory:
            memory.repair()
            receipts = [memory.erase_user("maya", tenant=tenant) for tenant in TENANTS]
            told.append([(one.removed, one.owner) for one in receipts])
            honoured = [memory.honour(memory.receipts(tenant=tenant).receipts, tenant=tenant) for tenant in TENANTS]
            assert [(one.receipts, one.complete) for one in honoured] == [(0, True)] * 2
            assert memory.check().findings == ()
        left = {name for name, rows in contents(place).items() if rows}
        assert left <= STAYS

    assert told[0] == told[1]
    assert all(removed["documents"] and removed["terms"] and removed["snapshots"] for removed, _ in told[0])


def test_there_and_back_again_nothing_is_lost(filled, postgres, tmp_path):
    source, _ = filled
    with postgres.lend() as name:
        between = postgres.server.url(name, OWNER)
        copy_store(source, between)
        copy_store(between, tmp_path / "back.db")

    assert contents(tmp_path / "back.db") == contents(source)
    with bethink.open(tmp_path / "back.db", embedder="hash") as memory:
        assert [finding.place for finding in memory.check().findings] == ["job"]


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("places", ["sqlite-sqlite", "sqlite-postgres"], indirect=True)
def test_a_copy_that_was_stopped_goes_on_wherever_that_was(filled):
    source, target = filled
    stops = pages = 0

    def sometimes(_done: int, _total: int) -> None:
        nonlocal pages
        pages += 1
        if pages % 37 == 0:
            raise Stopped

    result = None
    while result is None:
        try:
            result = copy_store(source, target, progress=sometimes)
        except Stopped:
            stops += 1
            with pytest.raises(StoreUnfinished):
                bethink.open(target, embedder=None)

    assert stops > 10
    assert result.resumed
    assert contents(target) == contents(source)


def test_a_killed_copy_goes_on(filled):
    source, target = filled
    code = (
        "import os, signal, sys; from bethink.opening import copy_store\n"
        "def kill(done, total): done > total // 2 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "copy_store(*sys.argv[1:], progress=kill)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    killed = subprocess.run([sys.executable, "-c", code, source, target], env=environment, check=False)
    result = copy_store(source, target)

    assert killed.returncode == -signal.SIGKILL
    assert result.resumed
    assert contents(target) == contents(source)
    assert answers(target) == answers(source)


def test_an_erased_text_stays_erased_in_the_copy(places):
    source, target = places
    with bethink.open(source, embedder=None) as memory:
        maya = memory.bind("maya", "aria", voice="user")
        gone = maya.remember("The spare key is under the blue pot.", subject="key")
        maya.forget(gone.id, mode="erase")
    copy_store(source, target)
    with bethink.open(target, embedder=None) as memory, memory._parts.store.write("default") as work:
        assert work.is_erased(content_digest("The spare key is under the blue pot."))
        assert not work.is_erased(content_digest("The spare key is under the red pot."))


def test_a_copy_asked_for_again_counts_and_changes_nothing(filled):
    source, target = filled
    first = copy_store(source, target)
    again = copy_store(source, target)

    assert (again.tables, again.resumed) == (first.tables, True)
    with bethink.open(target, embedder=None, any_space=True) as memory:
        memory.bind("maya", "aria").remember("Another day.")
    with pytest.raises(InvalidInput, match="holds a store already"):
        copy_store(source, target)


def test_a_source_that_was_written_since_the_copy_began_is_not_mixed_in(filled):
    source, target = filled
    with pytest.raises(Stopped):
        copy_store(source, target, progress=stop)
    with bethink.open(source, embedder=None, any_space=True) as memory:
        memory.bind("maya", "aria").remember("Another day.")
    with pytest.raises(StoreUnfinished, match="written since"):
        copy_store(source, target)


def test_what_is_recalled_on_the_source_meanwhile_is_copied_too(filled):
    source, target = filled
    with pytest.raises(Stopped):
        copy_store(source, target, progress=stop)
    with bethink.open(source, embedder="hash") as memory:
        memory.bind("maya", "aria").recall("Where is the kiln?")
    copy_store(source, target)

    assert contents(target) == contents(source)


@pytest.mark.parametrize("places", ["sqlite-sqlite", "sqlite-postgres"], indirect=True)
def test_a_target_that_holds_other_data_is_left_alone(filled):
    source, target = filled
    with bethink.open(target, embedder=None) as memory:
        memory.bind("maya", "aria").remember("Here first.")
    before = contents(target)
    with pytest.raises(InvalidInput, match="holds a store already"):
        copy_store(source, target)

    assert contents(target) == before


def test_a_target_that_was_only_made_may_be_filled(filled):
    source, target = filled
    bethink.open(target).close()  # its space is that of another embedder
    copy_store(source, target)

    assert contents(target) == contents(source)


@pytest.mark.parametrize("places", ["sqlite-sqlite", "postgres-postgres"], indirect=True)
def test_source_and_target_must_be_two(filled):
    source, _ = filled
    with pytest.raises(InvalidInput, match="one store"):
        copy_store(source, source)


@pytest.mark.parametrize("places", ["sqlite-sqlite", "postgres-postgres"], indirect=True)
def test_a_source_that_is_not_there_is_not_made(places, postgres, tmp_path):
    _, target = places
    with pytest.raises(InvalidInput, match="There is no store"):
        copy_store(tmp_path / "absent.db", target)

    assert not (tmp_path / "absent.db").exists()
    with pytest.raises(InvalidInput, match="holds no store"):
        copy_store(postgres.server.url("postgres"), target)


def test_a_newer_target_is_refused(filled):
    source, target = filled
    bethink.open(target, embedder=None).close()
    apsw.Connection(target).execute("insert into meta values ('migration/9999_later', 'x')")
    with pytest.raises(StoreNewer):
        copy_store(source, target)


@pytest.mark.parametrize("places", ["sqlite-postgres"], indirect=True)
def test_only_the_owner_may_fill_a_database(filled, postgres):
    source, target = filled
    name = target.partition("?")[0].rpartition("/")[2]
    with pytest.raises(StoreReadOnly, match="may not"):
        copy_store(source, postgres.server.url(name, AGENT))


def test_a_half_copied_store_is_no_source(filled, tmp_path):
    source, target = filled
    with pytest.raises(Stopped):
        copy_store(source, target, progress=stop)
    with pytest.raises(StoreUnfinished):
        copy_store(target, tmp_path / "third.db")


def test_two_copies_into_one_target_do_not_mix(filled):
    source, target = filled
    inner: list[str] = []

    def meddle(_done: int, _total: int) -> None:
        if not inner:
            inner.append("began")
            copy_store(source, target)

    with pytest.raises(StoreBusy, match="Another copy"):
        copy_store(source, target, progress=meddle)

    assert contents(target) == contents(source)


def test_rows_that_another_program_took_away_are_found(filled):
    source, target = filled

    def meddle(done: int, total: int) -> None:
        if done == total:
            apsw.Connection(target).execute("delete from entity_alias")

    with pytest.raises(StoreError, match="rows of entity_alias"):
        copy_store(source, target, progress=meddle)
    with pytest.raises(StoreUnfinished):
        bethink.open(target, embedder=None)


def of_sqlite(path: Path) -> dict[str, tuple[set[str], set[str]]]:
    """Columns and key of each table of a store's files."""
    found = {}
    for file in (path, Path(f"{path}.traces")):
        on = apsw.Connection(str(file))
        for (name,) in on.execute(
            "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        ).fetchall():
            columns = on.execute("select name, pk from pragma_table_info(?)", (name,)).fetchall()
            found[name] = ({column for column, _ in columns}, {column for column, place in columns if place})
    return found


def of_postgres(url: str) -> dict[str, tuple[set[str], set[str]]]:
    """Columns and key of each table of a database's schemas, partitions left out."""
    with psycopg.connect(url) as on:
        rows = on.execute(
            "select c.relname, array_agg(a.attname::text),"
            " array_agg(a.attname::text) filter (where a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1]))"
            " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
            " and n.nspname in ('bethink', 'bethink_traces')"
            " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
            " join pg_index i on i.indrelid = c.oid and i.indisprimary"
            " where c.relkind in ('r', 'p') and not c.relispartition group by c.relname, n.nspname"
        ).fetchall()
    return {name: (set(columns), set(key)) for name, columns, key in rows}


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_no_table_and_no_column_is_forgotten(engine, tmp_path, request):
    if engine == "sqlite":
        with bethink.open(tmp_path / "m.db", embedder=None) as memory:
            memory.bind().recall("Anything?")
        found = of_sqlite(tmp_path / "m.db")
    else:
        cluster: Cluster = request.getfixturevalue("postgres")
        with cluster.lend() as name:
            found = of_postgres(cluster.server.url(name, OWNER))
    listed = {table.name: (set(table.columns), {"tenant", *table.key.split()}) for table in (*TRUTH, *TRACES)}
    walled = {name: value for name, value in found.items() if name not in OWN}
    assert walled == listed


def test_a_page_is_read_by_its_index(tmp_path):
    bethink.open(tmp_path / "m.db", embedder=None).close()
    with (
        sqlite_side(tmp_path / "m.db", settings=load_settings({}, {}).store, clock=SystemClock()) as side,
        side.truth.reading() as on,
    ):
        for table in TRUTH[:-1]:  # a tenant has one row in the last
            text = queries("sqlite")[f"resume_table/{table.name}"]
            bound = dict.fromkeys(("tenant", "limit", *(f"after_{name}" for name in table.key.split())), 1)
            plan = [row[3] for row in on.handle.execute("explain query plan " + text, bound)]

            assert [(line.split()[0], line.count(">")) for line in plan] == [("SEARCH", 1)], table.name
