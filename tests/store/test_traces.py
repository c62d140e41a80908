from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bethink.domain.scope import Principal
from bethink.errors import StoreBusy, StoreCorrupt
from bethink.store.sqlite import TRACES, SqliteFile
from bethink.store.sqlite_store import SqliteTraceStore
from bethink.store.traces import TAKEN_ALONG, WAITING
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of, traces_held
from tests.store.trace_things import trace


def who(tenant: str, user: str, agent: str = "cli") -> Principal:
    return Principal(tenant, user, agent)


@pytest.fixture
def traces(database, store, clock):
    opened = database.traces(store, clock)
    yield opened
    opened.close()


def test_a_trace_comes_back_as_it_was_recorded(traces, clock):
    whole = trace(clock)
    bare = trace(
        clock, "0190-trace-2", session=None, operator_fields_expire_at=None, beliefs=(), empty_reason="nothing"
    )

    assert traces.record(whole) == ("stored", "")
    assert traces.record(bare) == ("stored", "")
    assert traces.get(who("acme", "ann"), whole.id) == whole
    assert traces.get(who("acme", "ann"), bare.id) == bare


def test_a_trace_is_found_by_a_unique_prefix_of_its_owner(traces, clock):
    for trace_id in ("aaaaaaaa-1", "aaaaaaaa-2", "bbbbbbbb-1"):
        traces.record(trace(clock, trace_id))

    assert traces.get(who("acme", "ann"), "bbbbbbbb").id == "bbbbbbbb-1"
    for principal, wanted in (
        (who("acme", "ann"), "aaaaaaaa"),
        (who("acme", "ann"), "bbbbbbb"),
        (who("acme", "ann"), "bbbbbbb%"),
        (who("acme", "ann"), "absent-trace"),
        (who("acme", "bob"), "bbbbbbbb-1"),
        (who("other", "ann"), "bbbbbbbb-1"),
        (who("acme", "ann", "aide"), "bbbbbbbb-1"),
    ):
        assert traces.get(principal, wanted) is None


def test_another_agents_traces_make_no_prefix_ambiguous(traces, clock):
    traces.record(trace(clock, "aaaaaaaa-1"))
    traces.record(trace(clock, "aaaaaaaa-2", agent="aide"))

    assert traces.get(who("acme", "ann"), "aaaaaaaa").id == "aaaaaaaa-1"


def test_a_turn_s_trace_comes_behind_the_snapshots_of_its_session_that_were_taken_before(traces, clock):
    for trace_id in ("trace-c2", "trace-a1"):
        traces.record(trace(clock, trace_id, moment="snapshot"))
    clock.advance(seconds=1)
    traces.record(trace(clock, "trace-b1"))
    traces.record(trace(clock, "trace-d1", moment="snapshot", session="s2"))
    traces.record(trace(clock, "trace-e1", moment="snapshot", user="bob"))
    traces.record(trace(clock, "trace-f1", moment="snapshot", agent="aide"))
    traces.record(trace(clock, "trace-g1", query={"text": '"moment":"snapshot"'}))
    own = trace(clock, "turn-own")
    traces.record(own)
    clock.advance(seconds=1)
    traces.record(trace(clock, "trace-h1", moment="snapshot"))
    found = traces.for_turn(who("acme", "ann"), "turn-own")

    assert [item.id for item in found] == ["trace-a1", "trace-c2", "turn-own"]
    assert found[-1] == replace(own, arms=(), pool=(), cuts=(), stages_ms={})
    assert [item.id for item in traces.for_turn(who("acme", "ann"), "trace-a1")] == ["trace-a1"]
    assert traces.for_turn(who("acme", "bob"), "turn-own") == traces.for_turn(who("acme", "ann"), "absent-1") == ()


def test_a_session_s_traces_go_with_it_those_that_wait_included(traces, store, clock):
    for trace_id, parts in (
        ("0190-one", {}),
        ("0190-two", {"agent": "aide"}),
        ("0190-other", {"session": "s2"}),
        ("0190-none", {"session": None}),
        ("0190-bob", {"user": "bob"}),
        ("0190-far", {"tenant": "mill"}),
    ):
        traces.record(trace(clock, trace_id, **parts))
    with traces_held(store):
        assert traces.record(trace(clock, "deferred-1"))[0] == "deferred"
        assert traces.record(trace(clock, "deferred-2", session="s2"))[0] == "deferred"

    assert traces.forget_user("acme", "ann", session="s1", deadline=5) == 3
    traces.close()
    left = rows_of(store, "select id from trace order by id", traces=True)
    named = rows_of(store, "select trace_id from trace_ref order by trace_id", traces=True)
    assert left == named == [(id_,) for id_ in ("0190-bob", "0190-far", "0190-none", "0190-other", "deferred-2")]


def test_operator_fields_go_on_their_day_and_what_the_user_may_see_stays(traces, clock):
    whole = trace(clock)
    traces.record(whole)
    traces.record(trace(clock, "0190-later", operator_fields_expire_at=clock.now() + timedelta(days=31)))

    assert traces.expire_operator_fields("acme", clock.now() + timedelta(days=29)) == 0
    assert traces.expire_operator_fields("acme", clock.now() + timedelta(days=30)) == 1
    assert traces.expire_operator_fields("acme", clock.now() + timedelta(days=30)) == 0
    assert traces.get(who("acme", "ann"), whole.id) == replace(whole, arms=(), pool=(), cuts=(), stages_ms={})


def test_nothing_to_read_makes_no_file(clock, tmp_path):
    traces = SqliteTraceStore(tmp_path / "m.db.traces", clock)
    assert traces.get(who("acme", "ann"), "0190-trace-1") is None
    assert traces.for_turn(who("acme", "ann"), "0190-trace-1") == ()
    assert traces.expire_operator_fields("acme", clock.now()) == traces.erase("acme", ["r1"], deadline=1) == 0
    traces.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("named", ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9"])
def test_an_erase_blanks_every_trace_that_names_the_record_anywhere(traces, clock, named):
    whole, other = trace(clock), trace(clock, "0190-trace-2", tenant="other")
    unnamed = replace(
        trace(clock, "0190-trace-3"),
        **dict.fromkeys(
            ("arms", "pool", "returned", "cuts", "blocked", "carried_in", "conflicts", "cited", "beliefs"), ()
        ),
    )
    for item in (whole, other, unnamed):
        traces.record(item)

    assert traces.erase("acme", [named, "absent"], deadline=5) == 1
    assert traces.erase("acme", [named], deadline=5) == 0
    erased = traces.get(who("acme", "ann"), whole.id)
    assert erased.erased
    assert (erased.query, erased.rendered, erased.pool, erased.arms, erased.beliefs) == ({}, "", (), (), ())
    assert (erased.rendered_sha256, erased.returned, erased.tokens) == (whole.rendered_sha256, ("r1",), 12)
    assert traces.get(who("other", "ann"), other.id) == other
    assert traces.get(who("acme", "ann"), unnamed.id) == unnamed


def test_a_locked_file_defers_the_trace_and_the_next_one_takes_it_along(traces, store, clock):
    traces.record(trace(clock))
    first, second = trace(clock, "deferred-1"), trace(clock, "deferred-2")
    with traces_held(store):
        state, reason = traces.record(first)

    assert state == "deferred"
    assert "0.1 s" in reason or "held" in reason
    assert (traces.waiting(), traces.get(who("acme", "ann"), first.id)) == (1, None)
    assert traces.record(second) == ("stored", "")
    assert (traces.waiting(), traces.get(who("acme", "ann"), first.id)) == (0, first)


def test_a_trace_takes_only_a_few_of_many_that_wait_along_the_oldest_first(traces, store, clock):
    late = [trace(clock, f"deferred-{number:02}") for number in range(TAKEN_ALONG + 3)]
    with traces_held(store):
        states = [traces.record(one)[0] for one in late]
    after = []
    for number in (1, 2):
        assert traces.record(trace(clock, f"in-time-{number}")) == ("stored", "")
        after.append(traces.waiting())

    assert states == ["deferred"] * len(late)
    assert after == [3, 0]
    assert [traces.get(who("acme", "ann"), one.id) for one in late] == late


def test_only_so_many_traces_wait_and_the_rest_is_reported_as_failed(traces, store, clock):
    traces.record(trace(clock))
    traces._waiting = [{"tenant": "x"}] * (WAITING - 1)
    with traces_held(store):
        assert traces.record(trace(clock, "deferred-1"))[0] == "deferred"
        assert traces.record(trace(clock, "deferred-2"))[0] == "failed"
    assert traces.waiting() == WAITING
    traces._waiting = []


def test_what_waits_is_written_on_closing(database, traces, store, clock):
    traces.record(trace(clock))
    with traces_held(store):
        traces.record(trace(clock, "deferred-1"))
    traces.close()

    with closing(database.traces(store, clock)) as anew:
        assert anew.get(who("acme", "ann"), "deferred-1").id == "deferred-1"


@requirement("P39")
def test_an_erase_reaches_what_waits_in_memory(database, traces, store, clock):
    traces.record(trace(clock, "0190-other", tenant="other"))
    with traces_held(store):
        traces.record(trace(clock, "deferred-1"))
    assert traces.erase("acme", ["r1"], deadline=5) == 0
    traces.close()

    with closing(database.traces(store, clock)) as anew:
        assert anew.get(who("acme", "ann"), "deferred-1").erased


def test_an_erase_that_a_reader_holds_up_says_so_and_finishes_when_repeated(traces, clock, path):
    traces.record(trace(clock))
    reader = SqliteFile(Path(f"{path}.traces"), TRACES, clock)
    with reader.reading() as on:
        on.rows("find_traces", tenant="acme", user_id="ann", agent_id="cli", prefix="0190")
        with pytest.raises(StoreBusy, match="reader"):
            traces.erase("acme", ["r1"], deadline=0.2)
        assert traces.get(who("acme", "ann"), "0190-trace-1").erased
    reader.close()
    assert traces.erase("acme", [], deadline=5) == 0
    assert Path(f"{path}.traces-wal").stat().st_size < 10_000


def test_a_trace_written_after_an_erase_by_a_recall_from_before_it_holds_no_words(
    database, traces, store, open_store, clock
):
    other = database.traces(open_store(), clock)
    other.record(trace(clock, "before-it"))
    with traces_held(store):
        assert other.record(trace(clock, "deferred-1"))[0] == "deferred"
    assert traces.erase("acme", ["r1"], deadline=5) == 1
    late, foreign = trace(clock, "in-flight-1"), trace(clock, "in-flight-2", tenant="other")
    assert [other.record(item) for item in (late, foreign)] == [("stored", ""), ("stored", "")]
    other.close()

    for trace_id in ("deferred-1", "in-flight-1"):
        assert traces.get(who("acme", "ann"), trace_id).erased
    assert traces.get(who("other", "ann"), "in-flight-2") == foreign


@pytest.mark.parametrize("damage", ["operator = x'00'", "body = '{'", "body = '{}'"])
def test_a_damaged_trace_says_so_and_no_damage_keeps_words_from_an_erase(traces, store, clock, damage):
    whole = trace(clock)
    traces.record(whole)
    rows_of(store, f"update trace set {damage}", traces=True)

    with pytest.raises(StoreCorrupt):
        traces.get(who("acme", "ann"), whole.id)
    assert traces.erase("acme", ["r1"], deadline=5) == 1
    left = traces.get(who("acme", "ann"), whole.id)
    assert left is None or (left.erased, left.rendered) == (True, "")
    traces.close()
    assert not any(b"Lyon" in held for _, held in everything_held(store))


def test_a_trace_that_is_no_utf_8_is_damage_of_the_store(traces, store, clock):
    test_a_damaged_trace_says_so_and_no_damage_keeps_words_from_an_erase(
        traces, store, clock, "body = cast(x'ff' as text)"
    )


def test_a_trace_is_kept_where_the_file_was_removed_meanwhile(traces, clock, path):
    traces.record(trace(clock))
    for item in path.parent.glob("memory.db.traces*"):
        item.unlink()
    assert traces.record(trace(clock, "0190-trace-2")) == ("stored", "")

    other = SqliteTraceStore(Path(f"{path}.traces"), clock)
    assert other.get(who("acme", "ann"), "0190-trace-2").id == "0190-trace-2"
    other.close()
