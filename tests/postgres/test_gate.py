"""Which servers are let in, how their errors are told, and that nobody pays for them who keeps a file."""

from __future__ import annotations

import re
import subprocess
import sys

import psycopg
import pytest
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

import bethink
from bethink.errors import (
    BethinkError,
    DeadlineExceeded,
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnsafe,
)
from bethink.store.postgres_failures import translate, unknown_outcome
from bethink.store.postgres_gate import check_server
from bethink.store.queries import queries, vectors_of
from tests.shape.source import SRC


@pytest.mark.parametrize("version", [140_019, 150_000, 150_013, 160_000, 160_009, 170_000, 170_005])
def test_a_server_that_shows_statistics_of_hidden_rows_is_refused(version):
    with pytest.raises(StoreUnsafe, match=r"Upgrade the server to 1[567]\."):
        check_server(version)


@pytest.mark.parametrize("version", [150_014, 160_010, 170_006, 180_000, 190_000])
def test_a_mended_server_is_let_in(version):
    check_server(version)


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (errors.QueryCanceled("x"), DeadlineExceeded),
        (errors.LockNotAvailable("x"), StoreBusy),
        (errors.DeadlockDetected("x"), StoreBusy),
        (errors.TooManyConnections("x"), StoreBusy),
        (PoolTimeout("x"), StoreBusy),
        (errors.DiskFull("x"), StoreFull),
        (errors.ReadOnlySqlTransaction("x"), StoreReadOnly),
        (errors.InsufficientPrivilege("x"), StoreReadOnly),
        (errors.DataCorrupted("x"), StoreCorrupt),
        (errors.ProgramLimitExceeded("x"), InvalidInput),
        (psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes"), InvalidInput),
        (PoolClosed("x"), StoreError),
        (errors.AdminShutdown("x"), StoreError),
        (errors.UndefinedTable("x"), StoreError),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_every_failure_of_the_server_is_one_of_ours(raised, told):
    assert type(translate(raised)) is told


def test_a_commit_whose_answer_is_lost_says_how_to_learn_what_became_of_it():
    told = unknown_outcome(psycopg.OperationalError("server closed the connection"))

    assert isinstance(told, StoreError)
    assert "may have been kept or not" in told.message
    assert "same idempotency key" in told.advice


def test_both_dialects_know_the_same_queries_but_for_their_transactions():
    sqlite, postgres = queries("sqlite"), queries("postgres")
    own = {"check_pages", "vacuum"}

    assert sqlite.keys() - postgres.keys() == own
    assert {name for name in postgres.keys() & sqlite.keys() if ":" in postgres[name].replace("::", "")} == set()
    assert not any(MARK.search(text) for text in (*sqlite.values(), *postgres.values()))
    assert not any("/*" in text for text in sqlite.values())
    writing = {name: values for name, values in vectors_of("postgres").items() if "/" not in name}
    assert writing == {"insert_vector": ("vector",), "update_vector": ("vector",)}


MARK = re.compile(r"\beach(_number)?\(|\b(list|lines)\[|/\*fence|\bvector\(:")


def run(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env={"PYTHONPATH": str(SRC)}, capture_output=True, check=False
    )
    return done.stdout.decode() + done.stderr.decode()


def test_who_keeps_a_file_never_loads_the_driver(tmp_path):
    code = (
        "import sys, bethink\n"
        "with bethink.open(sys.argv[1], embedder='hash') as memory: memory.bind().recall('anything')\n"
        "print([name for name in sys.modules if name.startswith('psycopg')])"
    )

    assert run(code, str(tmp_path / "memory.db")) == "[]\n"


def test_without_the_driver_a_server_s_url_says_what_to_install():
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "import bethink\n"
        "try: bethink.open('postgresql://nobody@nowhere/none')\n"
        "except bethink.StoreError as error: print(error)"
    )

    assert "pip install 'bethink[postgres]'" in run(code)


@pytest.mark.parametrize("url", ["postgresql://ann:hunter2@127.0.0.1:1/memory", "postgresql://ann:hunter2@/x?port=abc"])
def test_a_server_that_cannot_be_reached_is_told_without_the_password(url):
    with pytest.raises(BethinkError) as told:
        bethink.open(url)

    assert "hunter2" not in str(told.value)
