"""A file that is none of ours, whole or not, is refused with a reason and left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bethink
from bethink.errors import InvalidInput, StoreForeign, StoreNewer
from bethink.operations.importing import ImportRequest
from tests.behaviour.house import MARCH
from tests.behaviour.requirements import requirement
from tests.databases import rows_of


@pytest.mark.parametrize("url", ["", ":memory:", "a\0b", "other://x"])
def test_an_address_that_names_no_file_is_refused_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput):
        bethink.open(url)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("keep", [100, 5_000, -1])
def test_a_file_that_was_cut_short_is_refused_and_left_alone(maya, house, keep):
    maya.remember("The shed is cold")
    house.close()
    whole = house.place.read_bytes()
    house.place.write_bytes(whole[:keep])
    with pytest.raises(StoreForeign) as caught:
        bethink.open(house.place, embedder=None)

    assert (house.place.read_bytes(), "not touched" in caught.value.advice) == (whole[:keep], True)


@pytest.mark.parametrize("words", [b"", b"my shopping list\n" * 99, b"\0" * 8192, b"SQLite format 3\0"])
def test_a_file_of_somebody_elses_is_refused_and_left_alone(tmp_path, words):
    path = tmp_path / "list.txt"
    path.write_bytes(words)
    with pytest.raises(StoreForeign):
        bethink.open(path, embedder=None)

    assert path.read_bytes() == words
    assert [item.name for item in tmp_path.iterdir()] == ["list.txt"]


@requirement("B3")
def test_a_store_of_a_newer_version_is_refused_with_the_way_out(maya, house):
    maya.remember("The shed is cold")
    rows_of(house.opened[0]._parts.store, "insert into meta (name, value) values ('migration/0999_later', 'x')")
    house.close()
    with pytest.raises(StoreNewer) as caught:
        bethink.open(house.place, embedder=None)

    assert ("0999_later" in str(caught.value), "Upgrade" in caught.value.advice) == (True, True)


def test_half_a_line_of_an_import_costs_itself_and_is_counted(maya, tmp_path):
    path = tmp_path / "chat.jsonl"
    said = [
        json.dumps({"role": "user", "content": f"The kiln is {word}", "id": word}) for word in ("hot", "old", "clean")
    ]
    path.write_text("\n".join([said[0], said[1][:20], said[2], '{"role": "user", "content": "a\\u0000b"}']), "utf-8")
    result = maya.import_transcript(ImportRequest(path))
    turns = [turn.text for turn in maya.episodes(since=MARCH).turns]

    assert (result.turns, result.bad_count) == (2, 2)
    assert [item.place for item in result.bad] == ["line 2", "line 4"]
    assert {"The kiln is hot", "The kiln is clean"} <= set(turns)
    assert "The kiln is old" not in turns


def test_a_file_is_named_by_a_path_or_its_text_and_by_nothing_else(maya, tmp_path):
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "I planted a fig."}]', "utf-8")
    first, again = maya.import_transcript(ImportRequest(str(path))), maya.import_transcript(ImportRequest(path))

    assert (first.turns, again.repeated) == (1, 1)
    with pytest.raises(InvalidInput, match="path must be a path"):
        maya.import_transcript(ImportRequest(None))
