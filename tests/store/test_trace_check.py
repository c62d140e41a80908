"""A damaged traces file is reported, what derives from the traces is mended, and no trace is dropped."""

from __future__ import annotations

import apsw
import pytest

from bethink.store import traces as module
from bethink.store.sqlite import TRACES, SqliteFile
from bethink.store.sqlite_store import SqliteTraceStore
from bethink.store.trace_codec import hashes
from tests.behaviour.requirements import requirement
from tests.store.trace_things import trace


@pytest.fixture
def place(tmp_path):
    return tmp_path / "m.db.traces"


@pytest.fixture
def traces(place, clock):
    opened = SqliteTraceStore(place, clock)
    yield opened
    opened.close()


@pytest.fixture
def full(traces, clock):
    """Three traces, one of them erased."""
    for item in ("0190-first", "0190-second"):
        traces.record(trace(clock, item))
    traces.record(trace(clock, "0190-other", tenant="other"))
    traces.erase("other", ["r1"], deadline=5)
    return traces


def tamper(place, statement: str) -> None:
    """Change rows behind the store's back."""
    other = apsw.Connection(str(place))
    other.execute(statement)
    assert other.changes() > 0
    other.close()


@requirement("P42")
def test_sound_traces_are_counted_and_nothing_is_found(full, traces, clock):
    assert (full.check().findings, full.check().count) == ((), 3)
    assert (full.repair().rebuilt, full.repair().left) == ({}, ())
    traces.expire_operator_fields(clock.advance(days=60))
    assert full.check().findings == ()


def test_no_traces_are_sound_and_make_no_file(traces, place):
    assert (traces.check().findings, traces.check().count, traces.repair().left) == ((), 0, ())
    assert not place.exists()


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
def test_a_damaged_trace_is_named_and_left_for_whoever_looks_at_it(full, place, broken):
    statement, words = FLAWS[broken]
    tamper(place, statement)
    told = full.check()
    left = full.repair()

    (finding,) = told.findings
    assert (finding.place, finding.repairable, told.count) == ("traces", False, 3)
    assert finding.text.startswith("1 traces")
    assert words in finding.text
    assert "leaves" in finding.text
    assert ("other/0190-other" if broken == "unmarked" else "acme/0190-first") in finding.text
    assert (left.rebuilt, left.left, full.check()) == ({}, told.findings, told)


@pytest.mark.parametrize(
    "statement",
    ["delete from trace_ref", "update trace_ref set hashes = x''", "update trace_ref set hashes = x'0102030405'"],
)
@requirement("P46")
def test_what_traces_name_is_listed_anew_so_that_an_erase_finds_them(full, place, statement):
    tamper(place, statement)
    (finding,) = full.check().findings
    repaired = full.repair()

    assert (finding.repairable, "would miss them" in finding.text) == (True, True)
    assert (repaired.rebuilt, repaired.left) == ({"trace_refs": 2}, ())
    assert full.erase("acme", ["r9"], deadline=5) == 2


@requirement("P46")
def test_what_was_listed_of_operator_fields_that_are_gone_stays_listed(full, place, clock):
    full.expire_operator_fields(clock.advance(days=60))
    with full._place.opened().writing() as on:
        on.run("put_trace_refs", tenant="acme", id="0190-first", hashes=hashes(["r9"]).tobytes())

    assert full.repair().rebuilt == {"trace_refs": 1}
    assert full.erase("acme", ["r9"], deadline=5) == 2


def test_a_file_whose_pages_are_damaged_is_reported_and_left_alone(full, place, clock):
    full.close()
    whole = place.read_bytes()
    place.write_bytes(whole[: 8192 * 2] + bytes(8192) + whole[8192 * 3 :])
    again = SqliteTraceStore(place, clock)
    findings, left = again.check().findings, again.repair().left
    again.close()

    assert findings
    assert findings == left
    assert all(finding.place == "traces" and not finding.repairable for finding in findings)
    assert "remove it" in findings[0].text
    assert place.read_bytes()[8192 * 2 :] == bytes(8192) + whole[8192 * 3 :]


@pytest.mark.parametrize("keep", [0, 5000, -1], ids=["empty", "cut short", "somebody else's"])
def test_a_file_that_is_none_is_reported_and_left_alone(full, place, clock, keep):
    full.close()
    left = b"my shopping list\n" * 99 if keep < 0 else place.read_bytes()[:keep]
    place.write_bytes(left)
    again = SqliteTraceStore(place, clock)
    (finding,), repaired = again.check().findings, again.repair()
    again.close()

    assert (finding.place, finding.repairable, "remove it" in finding.text) == ("traces", False, True)
    assert (repaired.left, place.read_bytes()) == ((finding,), left)


def test_a_file_of_a_newer_version_says_upgrade(full, place, clock):
    full.close()
    tamper(place, "insert into meta values ('migration/0999_later', 'x')")
    again = SqliteTraceStore(place, clock)
    (finding,) = again.check().findings
    again.close()

    assert "Upgrade" in finding.text


def test_an_erase_that_was_held_up_is_found_and_finished(full, place, clock, monkeypatch):
    reader = SqliteFile(place, TRACES, clock)
    with reader.reading() as on:
        on.rows("list_traces", tenant="acme", after="", limit=1)
        with pytest.raises(Exception, match="reader"):
            full.erase("acme", ["r1"], deadline=0.2)
        (finding,) = full.check().findings
        monkeypatch.setattr(module, "_REPAIRING", 0.1)
        held_up = full.repair().left
    reader.close()
    repaired = full.repair()

    assert (finding.repairable, "free pages" in finding.text) == (True, True)
    assert (held_up[0], "could not finish" in held_up[1].text) == (finding, True)
    assert (repaired.left, full.check().findings) == ((), ())
    assert b"Lyon" not in b"".join(item.read_bytes() for item in place.parent.iterdir())
