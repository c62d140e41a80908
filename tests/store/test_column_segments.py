"""The columns of a scope are sealed as it is written, and what is sealed answers as the tables do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bethink.domain.record import Status
from bethink.errors import StoreCorrupt
from bethink.store.column_delta import COLUMNS, WORDS, Delta, decode, encode
from bethink.store.column_segments import seal_columns
from bethink.store.columns import Columns
from bethink.store.index import SearchIndex
from tests.databases import rows_of
from tests.store.things import ANN, TENANT, Things

EVERY_ROW = ("key", "valid_from", "valid_until", "own", "recorded_at", "retired_at", "retired_position", "ends", "seq")
EVERY_ROW += ("previous", "following", "kind", "sensitivity", "portability", "status", "source")
NAMED = ("type", "channel", "project", "subject", "speaker", "session")


@pytest.fixture(autouse=True)
def small(monkeypatch) -> None:
    monkeypatch.setattr("bethink.store.column_segments.SEALED", 4)
    monkeypatch.setattr("bethink.store.context.LOOK", 1)


def segments(things: Things) -> list[tuple[int, int, int]]:
    return rows_of(things.store, "select position, previous, rows from column_segment order by position")


def loaded(things: Things) -> Columns:
    """The columns as a program reads them that opens the store now."""
    with things.store.database.reading(tenant=TENANT) as on:
        (position, _) = on.row("read_tenant", tenant=TENANT)
        return SearchIndex("english").columns(on, TENANT, ANN.key, position)


def told(columns: Columns) -> dict[str, list[object]]:
    """What columns say of each entry, and of each its spans, whatever numbers the names got."""
    said: dict[str, list[object]] = {name: getattr(columns, name).tolist() for name in EVERY_ROW}
    said |= {name: [columns.spelled[code] for code in getattr(columns, name).tolist()] for name in NAMED}
    spans = zip(
        columns.span_row.tolist(),
        columns.span_position.tolist(),
        columns.span_status.tolist(),
        columns.span_from.tolist(),
        columns.span_ends.tolist(),
        strict=True,
    )
    return said | {"spans": sorted(spans)}


def lived(things: Things) -> None:
    """Turns of two sessions that lie between each other, beliefs that change, are replaced and erased."""
    kept = [things.remember(f"Ann owns boat {number}", subject=f"boat {number}") for number in range(5)]
    for number in range(5):
        things.say(f"one {number}", session="s1")
        things.say(f"two {number}", session="s2", speaker="Noor")
    things.set_status(kept[0].id, Status.ARCHIVED)
    with things.work() as work:
        work.records.add_version(kept[1].id, replace(kept[1].content, text="Ann sold boat 1"), work.recorded_at)
    things.say("three", session="s3")
    things.store.erase(TENANT, [kept[2].id], things.clock.now(), deadline=10)
    things.set_status(kept[3].id, Status.DELETED)
    things.say("four", "five", session="s1")


def test_what_is_sealed_says_what_the_tables_say(things):
    lived(things)
    chain = segments(things)
    sealed = told(loaded(things))
    rows_of(things.store, "delete from column_segment")

    assert [previous for _, previous, _ in chain] == [-1, *(position for position, _, _ in chain[:-1])]
    assert len(chain) >= 4
    assert sealed == told(loaded(things))
    assert len(sealed["key"]) == len(set(sealed["key"])) == 18


def test_a_sound_store_has_no_flaw_and_a_chain_that_was_torn_is_read_as_far_as_it_holds(things):
    lived(things)
    before = told(loaded(things))
    assert things.store.check().findings == ()
    rows_of(things.store, "delete from column_segment where position = ?", [segments(things)[1][0]])

    assert told(loaded(things)) == before
    assert [finding.place for finding in things.store.check().findings] == ["columns"]
    assert things.store.repair().left == ()
    assert told(loaded(things)) == before


def test_a_scope_that_was_read_damaged_is_read_anew_once_it_is_mended(things):
    lived(things)
    before = told(loaded(things))
    ((position, body),) = rows_of(things.store, "select position, body from column_segment where previous > 5 limit 1")
    rows_of(things.store, "update column_segment set body = x'00000000' where position = ?", [position])
    index = SearchIndex("english")

    def looked() -> Columns:
        with things.store.database.reading(tenant=TENANT) as on:
            return index.columns(on, TENANT, ANN.key, on.row("read_tenant", tenant=TENANT)[0])

    with pytest.raises(StoreCorrupt):
        looked()
    assert body
    assert things.store.repair().left == ()
    assert told(looked()) == before


def test_a_write_seals_no_more_than_it_could_fill_and_one(things, monkeypatch):
    monkeypatch.setattr("bethink.store.column_segments.SEALED", 1_000)
    things.say(*(f"turn {number}" for number in range(40)))
    assert segments(things) == []
    monkeypatch.setattr("bethink.store.column_segments.SEALED", 4)
    things.remember("small")
    assert len(segments(things)) == 1
    things.say(*(f"more {number}" for number in range(4)), session="s2")

    assert len(segments(things)) == 4
    assert things.store.check().findings == ()


def test_what_is_sealed_is_asked_for_once_in_a_while(things, monkeypatch):
    monkeypatch.setattr("bethink.store.context.LOOK", 1_000)
    things.say(*(f"turn {number}" for number in range(40)))
    assert segments(things) == []
    things.say(*(f"turn {number}" for number in range(500)), session="s2")

    assert segments(things) != []


def test_a_reader_that_followed_goes_on_over_what_another_program_sealed(things, open_store):
    other = Things(open_store(), things.clock, ids=things.ids)
    things.say("one", "two", "three")
    index = SearchIndex("english")
    for number in range(6):
        other.say(f"more {number}", session="s2")
        with things.store.database.reading(tenant=TENANT) as on:
            followed = index.columns(on, TENANT, ANN.key, on.row("read_tenant", tenant=TENANT)[0])
        assert told(followed) == told(loaded(things))
    assert len(segments(things)) == 2


def test_of_a_scope_whose_entries_are_all_erased_nothing_is_left(things):
    kept = [things.remember(f"boat {number}", subject="boat").id for number in range(12)]
    things.store.erase(TENANT, kept[:6], things.clock.now(), deadline=10)
    assert [rows > 0 for _, _, rows in segments(things)] == [False, True, True]
    things.store.erase(TENANT, kept[6:], things.clock.now(), deadline=10)

    assert segments(things) == []
    assert things.store.check().findings == ()


def test_sealing_twice_changes_nothing(things):
    lived(things)
    with things.store.database.writing(tenant=TENANT) as on:
        made = seal_columns(on, (TENANT, ANN.key))
        assert seal_columns(on, (TENANT, ANN.key)) == 0
    assert made <= 1


@pytest.mark.parametrize(
    "values",
    [[], [0], [-5], [7] * 9, [0, 255], [0, 256], [-1, 65_535], [1, 2**32], [-(2**60), 2**60], [-(2**63), 2**63 - 1]],
)
def test_a_blob_reads_as_what_it_was_made_of(values):
    columns = {name: np.array(values, dtype=np.int64) + at for at, name in enumerate(COLUMNS)}
    words = {name: ("", f"a\x1f{name}", "Zoë", '"') for name in WORDS}
    read = decode(encode(Delta(columns, words)))

    assert {name: tuple(held) for name, held in read.words.items()} == words
    assert {name: held.tolist() for name, held in read.columns.items()} == {
        name: held.tolist() for name, held in columns.items()
    }
    assert all(held.dtype == np.int64 for held in read.columns.values())
