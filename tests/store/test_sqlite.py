"""The file: deadlines, failures in the middle, threads, forks, copies."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta

import apsw
import pytest

from bethink.domain.record import LIVE
from bethink.errors import (
    BethinkError,
    DeadlineExceeded,
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreNewer,
    StoreReadOnly,
)
from bethink.store.failures import translate, translate_os
from bethink.store.index import SearchIndex
from bethink.store.migrate import SQL, Migration, migrations
from bethink.store.sqlite import TRUTH, FileOptions, SqliteFile
from bethink.store.sqlite_store import SqliteStore
from bethink.testing.fakes import CountingIds, ManualClock
from tests.behaviour.requirements import requirement
from tests.store.things import TENANT, Things, content, new_record

STEPS = migrations(SQL / TRUTH.folder)
LATER = Migration("0002_later", "create table later (x text not null) without rowid;".replace(" without rowid", ""))


class TickingClock(ManualClock):
    """A second passes with every look at it."""

    def elapsed(self) -> float:
        self.advance(seconds=1)
        return super().elapsed()


@pytest.fixture
def ticking(path):
    store = SqliteStore(path, TickingClock(), CountingIds(), SearchIndex("english"))
    yield Things(store, store._clock)
    store.close()


def test_a_deadline_ends_a_slow_read(ticking):
    said = ticking.say(*[f"words {number}" for number in range(300)])
    keys = [turn.key for turn in said]

    def read(deadline):
        with ticking.store.snapshot(TENANT, deadline=deadline) as snapshot:
            return len(snapshot.records.candidates(ticking.fence(), keys))

    with pytest.raises(DeadlineExceeded):
        read(2)
    assert read(None) == read(100_000) == 300


def test_a_deadline_ends_a_write_and_nothing_of_it_is_kept(ticking):
    def write(deadline):
        with ticking.store.write(TENANT, deadline=deadline) as work:
            for number in range(30):
                made = new_record(f"r{number}", content("one"), work.recorded_at)
                work.records.add(made, work.recorded_at)

    with pytest.raises(DeadlineExceeded):
        write(2)
    with ticking.store.snapshot(TENANT) as snapshot:
        assert snapshot.position == 0
    write(100_000)
    assert len(ticking.get([f"r{number}" for number in range(30)])) == 30


def test_a_deadline_that_passes_between_statements_ends_the_write_too(ticking):
    def write():
        with ticking.store.write(TENANT, deadline=50) as work:
            work.records.add(new_record("r1", content("one"), work.recorded_at), work.recorded_at)
            ticking.clock.advance(seconds=60)

    with pytest.raises(DeadlineExceeded):
        write()
    assert ticking.get(["r1"]) == ()


def test_a_writer_that_waits_longer_than_its_deadline_is_told_so(things, path):
    other = SqliteStore(path, things.clock, CountingIds(), SearchIndex("english"), FileOptions(lock_timeout=0.05))
    with things.store.write(TENANT):
        for deadline in (None, 0.02):
            with pytest.raises(StoreBusy, match="held"), other.write(TENANT, deadline=deadline):
                pass
    with other.write(TENANT) as work:
        work.records.add(new_record("r1", content("one"), work.recorded_at), work.recorded_at)
    other.close()
    assert things.texts(["r1"]) == ["one"]


@requirement("P83")
def test_threads_write_and_read_one_store_and_lose_nothing(things):
    store, clock = things.store, things.clock

    def work(thread: int) -> list[int]:
        keys = []
        for number in range(15):
            with store.write(TENANT) as work:
                name = f"r{thread}-{number}"
                keys.append(work.records.add(new_record(name, content(name), work.recorded_at), work.recorded_at).key)
            with store.snapshot(TENANT) as snapshot:
                fence = things.fence(instant=clock.now() + timedelta(days=1))
                assert len(snapshot.records.get(fence, [f"r{thread}-{n}" for n in range(15)])) == number + 1
        return keys

    with ThreadPoolExecutor(4) as pool:
        keys = [key for found in pool.map(work, range(4)) for key in found]
    assert sorted(keys) == sorted(set(keys))
    with store.snapshot(TENANT) as snapshot:
        assert snapshot.position == 3 * 60
    assert store.check().findings == ()


def test_snapshots_nest_and_more_readers_than_are_kept_are_served(things):
    written = things.remember("one")

    def deeper(depth: int) -> int:
        with things.store.snapshot(TENANT) as snapshot:
            found = len(snapshot.records.get(things.fence(), [written.id]))
            return found + (deeper(depth - 1) if depth else 0)

    assert deeper(30) == 31
    assert len(things.store.file._idle) <= 16


@requirement("E111")
def test_a_copy_is_a_store_of_its_own(things, tmp_path, clock):
    written = things.remember("one")
    target = tmp_path / "copy.db"
    things.store.backup(target)
    things.remember("two")

    assert target.stat().st_mode & 0o777 == 0o600
    copy = SqliteStore(target, clock, CountingIds(), SearchIndex("english"))
    assert Things(copy, clock).texts([written.id]) == ["one"]
    assert copy.check().findings == ()
    copy.close()
    with pytest.raises(InvalidInput, match="already"):
        things.store.backup(target)


def schema_of(file: SqliteFile) -> list[tuple[object, ...]]:
    """Every table and index by its text."""
    with file.reading() as on:
        return on.handle.execute("select name, sql from sqlite_schema order by name").fetchall()


RELEASES = sorted({step.number for step in STEPS})


@requirement("B3", "P84")
def test_a_store_of_every_earlier_schema_becomes_the_fresh_one(tmp_path, clock):
    steps = (*STEPS, LATER)
    fresh = SqliteFile(tmp_path / "fresh.db", TRUTH, clock, FileOptions(steps=steps))
    for length in [sum(step.number <= number for step in STEPS) for number in RELEASES]:
        path = tmp_path / f"m{length}.db"
        SqliteFile(path, TRUTH, clock, FileOptions(steps=steps[:length])).close()
        with closing(apsw.Connection(str(path))) as on:
            on.execute("insert into scope_grant values ('t', 'u', 'a', 'user:u', 1, 0, 7)")
        migrated = SqliteFile(path, TRUTH, clock, FileOptions(steps=steps))
        assert schema_of(migrated) == schema_of(fresh)
        with migrated.reading() as on, fresh.reading() as other:
            ledger = on.rows("list_meta", prefix="migration/")
            assert on.handle.execute("select * from scope_grant").fetchall() == [("t", "u", "a", "user:u", 1, 0, 7)]
            assert ledger == other.rows("list_meta", prefix="migration/")
            assert [name for name, _ in ledger] == [
                f"migration/{step.name}" for step in sorted(steps, key=lambda s: s.name)
            ]
        migrated.close()
    fresh.close()


def test_migrations_come_by_number_the_shared_text_before_the_dialect_s():
    assert [step.name for step in STEPS] == [
        "0001_initial",
        "0001_search",
        "0001_identity.sqlite",
        "0001_statistics.sqlite",
        "0002_screened",
        "0004_taxonomy",
        "0004_taxonomy.sqlite",
        "0005_jobs",
        "0005_jobs.sqlite",
        "0006_resolution",
        "0006_statistics.sqlite",
        "0007_keeping_order",
        "0007_statistics.sqlite",
        "0008_receipts",
        "0008_statistics.sqlite",
        "0009_associations",
        "0009_documents",
        "0009_text_nodes",
        "0009_associations.sqlite",
        "0009_documents.sqlite",
        "0009_text_nodes.sqlite",
        "0010_moments",
        "0010_statistics.sqlite",
        "0011_columns",
        "0011_statistics.sqlite",
    ]
    assert "/*clustered*/" not in "".join(step.text for step in STEPS)


@requirement("B3")
def test_a_newer_schema_is_refused_and_left_alone(tmp_path, clock):
    SqliteFile(tmp_path / "m.db", TRUTH, clock, FileOptions(steps=(*STEPS, LATER))).close()
    before = (tmp_path / "m.db").read_bytes()

    with pytest.raises(StoreNewer, match="0002_later"):
        SqliteFile(tmp_path / "m.db", TRUTH, clock)
    assert (tmp_path / "m.db").read_bytes() == before


def test_a_migration_with_another_text_is_refused(tmp_path, clock):
    changed = (*STEPS[:-1], Migration(STEPS[-1].name, STEPS[-1].text + "\n-- changed"))
    SqliteFile(tmp_path / "m.db", TRUTH, clock).close()

    with pytest.raises(StoreCorrupt, match="another text"):
        SqliteFile(tmp_path / "m.db", TRUTH, clock, FileOptions(steps=changed))


@requirement("P84")
def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path, clock):
    path = tmp_path / "m.db"
    SqliteFile(path, TRUTH, clock).close()
    bad = Migration("0002_bad", "create table good (x text); insert into nowhere values (1);")

    with pytest.raises(Exception, match="nowhere"):
        SqliteFile(path, TRUTH, clock, FileOptions(steps=(*STEPS, bad)))
    again = SqliteFile(path, TRUTH, clock)
    assert "good" not in [name for name, _ in schema_of(again)]
    again.close()


def test_stores_that_open_a_new_path_at_once_agree_on_it(tmp_path, clock):
    path = tmp_path / "new" / "m.db"

    def store_id(_: int) -> str:
        file = SqliteFile(path, TRUTH, clock)
        with file.reading() as on:
            found = on.row("read_meta", name="store_id")[0]
        file.close()
        return found

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(store_id, range(8)))) == 1


def test_what_a_crash_left_of_a_store_in_the_making_is_no_hindrance(tmp_path, clock):
    (tmp_path / "m.db.new").write_bytes(b"half")
    (tmp_path / "m.db.new-wal").write_bytes(b"half")
    SqliteFile(tmp_path / "m.db", TRUTH, clock).close()

    assert {item.name for item in tmp_path.iterdir()} == {"m.db", "m.db.lock"}


def test_no_log_of_a_store_that_was_taken_away_is_played_into_a_new_one(tmp_path, clock):
    path, log = tmp_path / "m.db", tmp_path / "m.db-wal"
    old = SqliteFile(path, TRUTH, clock)
    with old.writing() as on:
        on.run("put_meta", name="note", value="of the old store")
    written = log.read_bytes()
    old.close()
    path.unlink()
    log.write_bytes(written)
    with pytest.raises(StoreForeign, match="log of a database"):
        SqliteFile(path, TRUTH, clock)
    assert (path.exists(), log.read_bytes() == written) == (False, True)

    log.unlink()
    fresh = SqliteFile(path, TRUTH, clock)
    with fresh.reading() as on:
        assert on.row("read_meta", name="note") is None
    fresh.close()


class Anything(dict[str, str]):
    """A value for any name."""

    def __missing__(self, name: str) -> str:
        return "[]"


WHOLE = {
    "a few rows at most": "list_roots active_space add_pending add_space all_grants all_nodes count_jobs"
    " enqueue_document drop_other_spaces drop_space_states drop_spaces list_jobs list_spaces list_tenants"
    " resume_table/tenant list_vector_states other_spaces read_tenant read_vector_spaces vectors_of_entry",
    "what it found by an index is gone over once more": "spent_turns outdated_by find_named_entities",
    "a change of the embedding model goes over everything": "count_pending drop_other_pending drop_space_segments"
    " drop_space_vectors enqueue_space pending_entries pending_tenants drop_other_passage_pending enqueue_documents"
    " passage_tenants",
    "a rebuild of the index goes over the tenant": "count_vectors delete_all_name_entries delete_all_name_grams"
    " delete_all_postings delete_segments delete_vector_states list_posting_scopes"
    " drop_tenant_passage_words every_passage delete_column_segments list_column_scopes list_entry_scopes",
    "what waits is gone through by a partial index": "profiles_ended",
    "a check counts everything": "count_rows",
    "the latest so many are read by their key": "read_latest_fields",
    "a worker looks for what is due in every tenant": "due_tenants known_jobs named_tenants",
    "a person looks at all jobs": "count_job_states show_jobs",
    "all that is one user's is looked for everywhere": "owned_scopes erase_owned_entities erase_owned_grants"
    " erase_owned_links erase_owned_merges erase_owned_profiles erase_owned_roots erase_owned_spans"
    " erase_owned_jobs erase_session_jobs list_owners",
}
"""Queries that read a whole table or tenant, with the reason they may."""


def test_every_other_query_goes_by_an_index(things):
    on = things.store.file._writer_connection()
    found = set()
    everything = ("check_", "repair_", "count_table/", "begin_table/")  # what a check and a copy are for
    for name, text in on._queries.items():
        if name.startswith(everything) or name in TRANSACTIONS or "trace" in text or "operator" in text:
            continue
        steps = [row[3] for row in on.handle.execute(f"explain query plan {text}", Anything()).fetchall()]
        made = {step.split()[-1] for step in steps if step.startswith(("CO-ROUTINE", "MATERIALIZE"))} | {"json_each"}
        scanned = {step.split()[1] for step in steps if step.startswith("SCAN") and "CONSTANT" not in step} - made
        if scanned or any(step.endswith("(tenant=?)") for step in steps):
            found.add(name)

    assert found <= set(" ".join(WHOLE.values()).split())


def test_the_planner_knows_every_index(things):
    with things.store.file.reading() as on:
        made = {row[0] for row in on.handle.execute("select name from sqlite_schema where type = 'index'")}
        known = {row[0] for row in on.handle.execute("select idx from sqlite_stat1")}
    assert made - known == set()


TRANSACTIONS = {"begin_read", "begin_write", "commit", "rollback", "vacuum"}


def failures() -> list[type[apsw.Error]]:
    """Every error the engine can raise."""
    found = [item for item in vars(apsw).values() if isinstance(item, type) and issubclass(item, apsw.Error)]
    return sorted(set(found), key=lambda item: item.__name__)


@pytest.mark.parametrize("failure", failures(), ids=lambda item: item.__name__)
def test_every_error_of_the_engine_becomes_one_of_ours_that_says_what_to_do(failure):
    told = translate(failure("what the engine said"))

    assert isinstance(told, BethinkError)
    assert "what the engine said" in told.message
    assert told.advice


@pytest.mark.parametrize(
    ("failure", "ours"),
    [
        (apsw.BusyError, StoreBusy),
        (apsw.LockedError, StoreBusy),
        (apsw.FullError, StoreFull),
        (apsw.ReadOnlyError, StoreReadOnly),
        (apsw.CorruptError, StoreCorrupt),
        (apsw.NotADBError, StoreForeign),
        (apsw.InterruptError, DeadlineExceeded),
        (apsw.TooBigError, InvalidInput),
    ],
)
def test_errors_keep_their_meaning(failure, ours):
    assert type(translate(failure())) is ours


@pytest.mark.parametrize(
    ("number", "ours"),
    [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EROFS, StoreReadOnly),
        (errno.EACCES, StoreReadOnly),
        (errno.EIO, StoreError),
    ],
)
def test_errors_of_the_system_keep_theirs(number, ours):
    assert type(translate_os(OSError(number, "what the system said"), SQL / "m.db")) is ours


def test_live_statuses_are_what_the_lapsing_query_names():
    text = (SQL / "record_writes.sql").read_text("utf-8")

    assert f"status in ({', '.join(repr(status.value) for status in sorted(LIVE, reverse=True))})" in text
