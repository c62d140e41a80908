"""A traces file that is damaged, cut short or none is reported and left alone."""

from __future__ import annotations

import apsw
import pytest

from bethink.store import traces as module
from bethink.store.sqlite import TRACES, SqliteFile
from bethink.store.sqlite_store import SqliteTraceStore
from tests.store.trace_things import trace


@pytest.fixture
def place(tmp_path):
    return tmp_path / "m.db.traces"


@pytest.fixture
def full(place, clock):
    """Two traces."""
    opened = SqliteTraceStore(place, clock)
    for item in ("0190-first", "0190-second"):
        opened.record(trace(clock, item))
    yield opened
    opened.close()


def test_no_traces_make_no_file(place, clock):
    assert SqliteTraceStore(place, clock).check().findings == ()
    assert not place.exists()


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
    other = apsw.Connection(str(place))
    other.execute("insert into meta values ('migration/0999_later', 'x')")
    other.close()
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
