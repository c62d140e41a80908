"""How statements travel: many at once, prepared once, and what becomes of a connection when one fails."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import errors
from psycopg.pq import TransactionStatus

from bethink.store.postgres_connection import adapt
from bethink.store.postgres_wire import Wire
from tests.postgres.conftest import Place
from tests.postgres.template import AGENT

SUM = b"select %(one)s::bigint + %(other)s::bigint"


@pytest.fixture
def wire(place: Place) -> Iterator[Wire]:
    with psycopg.connect(place.cluster.server.url(place.name, AGENT), autocommit=True, prepare_threshold=None) as on:
        adapt(on, None)
        yield Wire(on)


def prepared(wire: Wire) -> list[str]:
    """The texts of what the server has prepared for this connection."""
    asked = "select statement from pg_prepared_statements order by prepare_time"
    return [text for (text,) in wire.handle.execute(asked).fetchall()]


def test_values_and_rows_come_as_they_went_and_counts_are_told(wire):
    wire.send([(b"create temp table t (a bigint, b text, c bytea, d double precision)", {})])
    row = {"a": 2**60, "b": "naïve % 'text'", "c": b"\x00\xff", "d": 0.1}
    written, read, nothing = wire.send(
        [
            (b"insert into t values (%(a)s, %(b)s, %(c)s, %(d)s), (null, null, null, null)", row),
            (b"select a, b, c, d, true, b like '%%text''' from t where a = %(a)s", row),
            (b"select 1 from t where a = %(a)s", {"a": 1}),
        ]
    )

    assert (written.rows, written.touched) == ([], 2)
    assert read.rows == [(*row.values(), True, True)]
    assert nothing.rows == []


def test_a_statement_is_prepared_at_its_second_use_and_by_the_types_of_its_values(wire):
    for _ in range(3):
        assert wire.send([(SUM, {"one": 1, "other": 2})])[0].rows == [(3,)]
    assert prepared(wire) == ["select $1::bigint + $2::bigint"]

    for _ in range(2):
        assert wire.send([(SUM, {"one": None, "other": 2})])[0].rows == [(None,)]
    assert len(prepared(wire)) == 2


def test_a_statement_that_fails_stops_those_behind_it_and_leaves_the_connection_and_what_is_prepared(wire):
    wire.send([(b"create temp table t (a bigint primary key)", {})])
    put = b"insert into t values (%(a)s)"
    for number in range(3):
        wire.send([(put, {"a": number})])
    before = prepared(wire)
    fresh = b"select count(*) from t where a > %(a)s"
    wire.send([(fresh, {"a": 0})])

    with pytest.raises(errors.UniqueViolation):
        wire.send([(put, {"a": 7}), (put, {"a": 1}), (fresh, {"a": 0})])

    assert wire.handle.info.transaction_status is TransactionStatus.IDLE
    assert prepared(wire) == before
    assert wire.send([(fresh, {"a": 0}), (put, {"a": 9}), (fresh, {"a": 0})])[0].rows == [(2,)]
    assert len(prepared(wire)) == len(before) + 1


def test_a_statement_is_prepared_anew_when_its_table_changed(wire):
    wire.send([(b"create temp table t (a bigint)", {})])
    read = b"select * from t"
    for _ in range(2):
        wire.send([(read, {})])
    wire.send([(b"alter table t add b text", {})])

    with pytest.raises(errors.FeatureNotSupported):
        wire.send([(read, {})])
    assert wire.send([(read, {})])[0].rows == []


def test_texts_with_nul_are_refused_before_anything_is_sent(wire):
    with pytest.raises(psycopg.DataError, match="NUL"):
        wire.send([(b"begin", {}), (b"select %(a)s", {"a": "\0"})])
    assert wire.handle.info.transaction_status is TransactionStatus.IDLE


def test_much_goes_both_ways_at_once(wire):
    long = "x" * 300_000
    told = wire.send([(b"select %(a)s::text", {"a": long})] * 60)

    assert [one.rows for one in told] == [[(long,)]] * 60


def test_what_was_interrupted_closes_its_connection(wire):
    """Nobody knows then what the next answer is one to. A shell may have told a run in the background to ignore it."""
    told = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            wire.send([(b"select pg_sleep(20)", {})])
    finally:
        signal.signal(signal.SIGINT, told)

    assert wire.handle.closed
