"""The two databases every test of a store runs on, and what a test may ask of either.

A test that takes the fixture `database`, directly or through a house, a store, a world or a home, runs once on each.
What is true of a SQLite file alone stands in `SQLITE_ONLY`, here and nowhere else, with the reason. A test that opens a
file and does not take the fixture fails, unless it stands in `OWN`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import apsw
import psycopg
import pytest

from bethink.ports.clock import Clock
from bethink.ports.ids import Ids
from bethink.store.index import SearchIndex
from bethink.store.postgres_server import PoolOptions
from bethink.store.postgres_store import PostgresStore, TraceSchema
from bethink.store.sqlite import TRACES as FILE_OF_TRACES
from bethink.store.sqlite import FileOptions, SqliteFile
from bethink.store.sqlite_store import SqliteStore, SqliteTraceStore
from bethink.store.store import DatabaseStore
from bethink.store.traces import StoredTraces
from bethink.system import SystemClock
from tests.postgres.cluster import Cluster
from tests.postgres.template import AGENT, SCHEMA, SCHEMAS, TRACES

_PATIENCE = 120
"""Seconds a connection and a lock may take, unless a test is about that."""
Place = Path | str
"""What `bethink.open` opens: the path of a file, or a URL."""
Parts = tuple[Clock, Ids, SearchIndex]
"""What a store is made with."""

SQLITE_ONLY = {
    "tests/store/test_sqlite.py": "is about the file, its log, its planner and its errors",
    "tests/store/test_place.py": "is about where the file lies and what is in it",
    "tests/store/test_records.py::test_a_text_that_is_no_utf_8_is_damage_of_the_store": "a server refuses it",
    "tests/store/test_traces.py::test_a_trace_that_is_no_utf_8_is_damage_of_the_store": "a server refuses it",
    "tests/store/test_read_only.py": "makes file and folder unwritable",
    "tests/store/test_analyser.py::test_an_unknown_language_is_refused_before_anything_is_made": "no file is made",
    "tests/store/test_check.py::test_damaged_pages_are_found_and_not_repaired": "overwrites the file's pages",
    "tests/store/test_erase.py::test_an_erase_that_a_reader_holds_up_is_incomplete_and_finishes_later": "the same",
    "tests/store/test_erase.py::test_an_unfinished_erase_is_finished_by_the_jobs_of_a_new_opening": "a log's reader",
    "tests/store/test_traces.py::test_an_erase_that_a_reader_holds_up_says_so_and_finishes_when_repeated": "the same",
    "tests/store/test_traces.py::test_a_trace_is_kept_where_the_file_was_removed_meanwhile": "removes the file",
    "tests/behaviour/test_bad_files.py::test_a_file_that_was_cut_short_is_refused_and_left_alone": "cuts it",
    "tests/store/test_trace_file.py": "damages the file of traces, or holds its log up",
    "tests/behaviour/test_honesty.py::test_a_file_damaged_under_an_open_store_is_an_error_and_never_an_empty_answer": (
        "overwrites the file's pages"
    ),
    "tests/interfaces/test_cli.py::test_the_home_option_names_the_data_folder": "is about where files lie",
    "tests/interfaces/test_eval_report.py": "reads results of stores that the evaluation makes for itself",
    "tests/interfaces/test_eval_against.py": "the evaluation makes stores of its own, in files",
    "tests/interfaces/test_eval_retrieval.py": "the evaluation makes stores of its own, in files",
    "tests/interfaces/test_eval_formation.py": "the evaluation makes stores of its own, in files",
    "tests/interfaces/test_eval_offer.py": "the evaluation makes stores of its own, in files",
    "tests/interfaces/test_eval_scenarios.py": "the evaluation makes stores of its own, in files",
}
"""Tests by the beginning of their ids, and what about a SQLite file each is about."""

OWN = {
    "tests/behaviour/test_parts.py::test_the_bench_measures_every_stage_of_what_it_promises": "makes a file of its own",
    "tests/differential": "asks both databases the same in one test",
    "tests/faults": "ends processes and powers off disks under a file; tests/postgres does so to a server",
    "tests/postgres": "is about the server; a file is what some of it is compared with",
    "tests/store/test_copy.py": "copies between the databases, both ways and from each to its own kind",
    "tests/store/test_lock.py": "is about the file's lock",
    "tests/security": "the suites and the bars open a store of their own for each attack, in a file",
    "tests/unit/evaluation": "the evaluation makes stores of its own, in files",
}
"""Tests that open files by themselves, and why they do not run once on each database."""


class Database(Protocol):
    """One kind of database."""

    name: str

    def passing(self) -> AbstractContextManager[Place]:
        """A new, empty store, gone afterwards."""
        ...

    def store(self, place: Place, parts: Parts, *, patience: float = _PATIENCE) -> DatabaseStore:
        """The store below the public surface."""
        ...

    def traces(self, store: DatabaseStore, clock: Clock) -> StoredTraces:
        """The traces that belong to an open store."""
        ...


@dataclass(frozen=True)
class Files:
    """SQLite, in a folder."""

    folder: Path
    name: str = "sqlite"

    @contextmanager
    def passing(self) -> Iterator[Place]:
        with TemporaryDirectory(dir=self.folder) as folder:
            yield Path(folder) / "memory.db"

    def store(self, place: Place, parts: Parts, *, patience: float = _PATIENCE) -> DatabaseStore:
        return SqliteStore(Path(place), *parts, FileOptions(lock_timeout=patience))

    def traces(self, store: DatabaseStore, clock: Clock) -> StoredTraces:
        assert isinstance(store, SqliteStore)
        return SqliteTraceStore(Path(f"{store.file.path}.traces"), clock, store.file.options)


@dataclass(frozen=True)
class Servers:
    """PostgreSQL, on the run's server, as a login that owns nothing."""

    cluster: Cluster
    name: str = "postgres"

    @contextmanager
    def passing(self) -> Iterator[Place]:
        with self.cluster.lend() as name:
            # A machine that does much else may be slow to let a connection in.
            yield f"{self.cluster.server.url(name, AGENT)}&connect_timeout={_PATIENCE}"

    def store(self, place: Place, parts: Parts, *, patience: float = _PATIENCE) -> DatabaseStore:
        return PostgresStore(str(place), *parts, PoolOptions(lock_timeout=patience))

    def traces(self, store: DatabaseStore, clock: Clock) -> StoredTraces:
        assert isinstance(store, PostgresStore)
        return StoredTraces(TraceSchema(store.server), clock)


def rows_of(store: Any, statement: str, values: Sequence[Any] = (), *, traces: bool = False) -> list[tuple[Any, ...]]:
    """What a statement of one's own gives or does, past every rule of the store; ``?`` stands for a value."""
    if isinstance(store, SqliteStore):
        path = f"{store.file.path}.traces" if traces else str(store.file.path)
        with closing(apsw.Connection(path)) as handle:
            handle.set_busy_timeout(5_000)
            return handle.execute(statement, tuple(values)).fetchall()
    with psycopg.connect(store.server._url, user="postgres", autocommit=True) as on:
        on.execute(f"set search_path = {TRACES if traces else SCHEMA}")
        spoken = re.sub(r"\bx'([0-9a-f]*)'", r"'\\x\1'::bytea", statement.replace("?", "%s"))
        done = on.execute(spoken, values or None)
        return done.fetchall() if done.description else []


def tables_of(store: Any) -> list[str]:
    """The tables of the truth that hold rows of the store's own."""
    if isinstance(store, SqliteStore):
        catalogue = "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' order by 1"
    else:
        catalogue = (
            "select relname from pg_class where relnamespace = 'bethink'::regnamespace"
            " and relkind in ('r', 'p') and not relispartition order by 1"
        )
    found = rows_of(store, catalogue)
    return [name for (name,) in found]


def everything_held(store: Any) -> Iterator[tuple[str, bytes]]:
    """Every byte of a store: the files by name, or the rows of the tables by name, texts and bytes alike."""
    if isinstance(store, SqliteStore):
        yield from ((file.name, file.read_bytes()) for file in store.file.path.parent.iterdir())
        return
    with psycopg.connect(store.server._url, user="postgres") as on:
        on.execute("set bytea_output = escape")
        for (name,) in on.execute(
            "select oid::regclass::text from pg_class where relnamespace = any(%s::regnamespace[])"
            " and relkind in ('r', 'p') and not relispartition", [list(SCHEMAS)],
        ).fetchall():  # fmt: skip
            rows = on.execute(f"select t::text from {name} t").fetchall()
            yield name, "\n".join(row for (row,) in rows).encode()


@contextmanager
def traces_held(store: Any) -> Iterator[None]:
    """Somebody writes traces all the while, so that nobody else can."""
    if isinstance(store, SqliteStore):
        with (
            closing(SqliteFile(Path(f"{store.file.path}.traces"), FILE_OF_TRACES, SystemClock())) as file,
            file.writing(),
        ):
            yield
        return
    with psycopg.connect(store.server._url, user="postgres") as holder:
        holder.execute(f"lock table {TRACES}.trace in exclusive mode")
        yield
        holder.rollback()


def listed(nodeid: str, tests: Iterable[str]) -> bool:
    """Whether a test is one of those that are named by the beginnings of their ids."""
    return any(nodeid == one or nodeid.startswith((f"{one}::", f"{one}[", f"{one}/")) for one in tests)


def kinds(nodeid: str) -> list[str]:
    """The databases a test runs on."""
    return ["sqlite"] if listed(nodeid, SQLITE_ONLY) else ["sqlite", "postgres"]


def astray(nodeid: str, fixtures: Iterable[str], opened: Sequence[str]) -> str:
    """What is wrong with a test that opened these files; empty where it runs on both databases or need not."""
    if not opened or "database" in fixtures or listed(nodeid, (*OWN, *SQLITE_ONLY)):
        return ""
    return f"{nodeid} opened {opened[0]}: take the fixture `database`, or say in tests/databases.py why it cannot"


@pytest.fixture(scope="session")
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The database of this turn of the test."""
    if request.param == "postgres":
        yield Servers(request.getfixturevalue("postgres"))
        return
    memory = Path("/dev/shm")  # noqa: S108 - where there is such a folder, syncing costs nothing
    if not memory.is_dir():
        yield Files(tmp_path_factory.mktemp("files"))
        return
    with TemporaryDirectory(dir=memory, prefix="bethink-") as folder:
        yield Files(Path(folder))


@pytest.fixture
def new_place(database: Database) -> Iterator[Callable[[], Place]]:
    """Makes new, empty stores, which are gone when the test ends."""
    with ExitStack() as places:
        yield lambda: places.enter_context(database.passing())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what takes a database on each."""
    if "database" in metafunc.fixturenames:
        metafunc.parametrize("database", kinds(metafunc.definition.nodeid), indirect=True, scope="session")
