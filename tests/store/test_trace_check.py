"""A damaged traces file is reported, what derives from the traces is mended, and no trace is dropped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bethink.store.trace_codec import hashes
from tests.behaviour.requirements import requirement
from tests.databases import rows_of
from tests.store.test_trace_words import NAMES
from tests.store.trace_things import trace


@pytest.fixture
def traces(database, store, clock):
    opened = database.traces(store, clock)
    yield opened
    opened.close()


@pytest.fixture
def full(traces, clock):
    """Two traces of one tenant; two of another, one of them erased."""
    for item in ("0190-first", "0190-second"):
        traces.record(trace(clock, item))
    traces.record(trace(clock, "0190-other", tenant="other"))
    traces.erase("other", ["r1"], deadline=5)
    traces.record(replace(trace(clock, "0190-kept", tenant="other"), **dict.fromkeys(NAMES, ())))
    return traces


@requirement("P42")
def test_sound_traces_are_counted_and_nothing_is_found(full, traces, clock):
    assert (full.check().findings, full.check().count) == ((), 4)
    assert (full.repair().rebuilt, full.repair().left) == ({}, ())
    later = clock.advance(days=60)
    for tenant in ("acme", "other"):
        traces.expire_operator_fields(tenant, later)
    assert full.check().findings == ()


def test_no_traces_are_sound(traces):
    assert (traces.check().findings, traces.check().count, traces.repair().left) == ((), 0, ())


FIRST = "where id = '0190-first'"
FLAWS = {
    "no json": (f"update trace set body = '{{' {FIRST}", "cannot be read"),
    "no text": (f"update trace set body = cast(x'ff' as text) {FIRST}", "cannot be read"),
    "no fields": (f"update trace set body = '{{}}' {FIRST}", "cannot be read"),
    "no operator's part": (f"update trace set operator = x'00' {FIRST}", "cannot be read"),
    "another block": (f"update trace set body = replace(body, 'in Lyon<', 'in Rome<') {FIRST}", "block"),
    "another owner": (f"update trace set user_id = 'bob' {FIRST}", "belong to somebody else"),
    "unmarked": ("update trace set erased = 0 where erased = 1", "belong to somebody else"),
}


@pytest.mark.parametrize("broken", FLAWS)
def test_a_damaged_trace_is_named_and_left_for_whoever_looks_at_it(full, store, broken):
    statement, words = FLAWS[broken]
    rows_of(store, statement, traces=True)
    told = full.check()
    left = full.repair()

    (finding,) = told.findings
    assert (finding.place, finding.repairable, told.count) == ("traces", False, 4)
    assert finding.text.startswith("1 traces")
    assert words in finding.text
    assert "leaves" in finding.text
    assert ("other/0190-other" if broken == "unmarked" else "acme/0190-first") in finding.text
    assert (left.rebuilt, left.left, full.check()) == ({}, told.findings, told)


@pytest.mark.parametrize(
    ("statement", "lacking"),
    [
        (f"delete from trace_ref where trace_{FIRST.removeprefix('where ')}", 1),
        ("update trace_ref set hashes = x''", 2),
        ("update trace_ref set hashes = x'0102030405'", 2),
    ],
)
@requirement("P46")
def test_what_traces_name_is_listed_anew_so_that_an_erase_finds_them(full, store, statement, lacking):
    rows_of(store, statement, traces=True)
    (finding,) = full.check().findings
    repaired = full.repair()

    assert (finding.repairable, "would miss them" in finding.text) == (True, True)
    assert (repaired.rebuilt, repaired.left) == ({"trace_refs": lacking}, ())
    assert full.erase("acme", ["r9"], deadline=5) == 2


@requirement("P46")
def test_what_was_listed_of_operator_fields_that_are_gone_stays_listed(full, clock):
    later = clock.advance(days=60)
    for tenant in ("acme", "other"):
        full.expire_operator_fields(tenant, later)
    with full._place.opened().writing(tenant="acme") as on:
        on.run("put_trace_refs", tenant="acme", id="0190-first", hashes=hashes(["r9"]).tobytes())

    assert full.repair().rebuilt == {"trace_refs": 1}
    assert full.erase("acme", ["r9"], deadline=5) == 2
