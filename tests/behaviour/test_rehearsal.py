"""A dry run of an import says what that import would do, on the store as it is, and does none of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bethink.errors import AccessDenied
from bethink.memory import BoundMemory
from bethink.operations.importing import ImportRequest, ImportResult
from tests.behaviour.house import MARCH, House, counted
from tests.behaviour.requirements import requirement

FIXTURES = Path(__file__).parents[1] / "fixtures" / "transcripts"
FILES = sorted(item.name for item in FIXTURES.iterdir())
TABLES = ("turn", "session", "event", "tenant", "entry")


def told(memory: BoundMemory, path: Path, **options: object) -> tuple[ImportResult, ImportResult]:
    """What a dry run says, and what the import after it does; the dry run changes no row."""
    before = [counted(memory, table) for table in TABLES]
    dry = memory.import_transcript(ImportRequest(path, dry_run=True, **options))
    assert [counted(memory, table) for table in TABLES] == before
    real = memory.import_transcript(ImportRequest(path, **options))
    assert dry.dry_run
    return replace(dry, dry_run=False, embedding_pending=0), replace(real, embedding_pending=0)


def chat(path: Path, *said: str) -> Path:
    """A transcript of what a user and an assistant said in turns."""
    roles = ("user", "assistant")
    lines = [{"role": roles[at % 2], "content": text, "id": f"m{at}"} for at, text in enumerate(said)]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


@requirement("P6")
@pytest.mark.parametrize("batch", [1, 256])
@pytest.mark.parametrize("name", FILES)
def test_a_dry_run_says_what_a_first_and_a_second_import_do(maya, name, batch):
    first = told(maya, FIXTURES / name, batch=batch)
    again = told(maya, FIXTURES / name, batch=batch)

    assert first[0] == first[1]
    assert again[0] == again[1]
    assert (first[0].turns > 0, again[0].turns, again[0].repeated) == (True, 0, first[0].turns)


def test_a_longer_copy_is_told_apart_from_what_is_known(maya, tmp_path):
    said = ("The kiln is hot", "The kiln is old", "The kiln is clean")
    told(maya, chat(tmp_path / "chat.jsonl", *said[:2]))
    dry, real = told(maya, chat(tmp_path / "chat.jsonl", *said))

    assert dry == real
    assert (dry.turns, dry.repeated) == (1, 2)


@pytest.mark.parametrize("batch", [1, 2, 256])
def test_what_a_file_says_twice_would_be_stored_once(maya, tmp_path, batch):
    path = chat(tmp_path / "chat.jsonl", "The kiln is hot", "The kiln is old")
    path.write_text("\n".join([path.read_text("utf-8")] * 2), "utf-8")
    dry, real = told(maya, path, batch=batch)

    assert dry == real
    assert (dry.turns, dry.repeated) == (2, 2)


def test_what_was_erased_would_not_come_back(maya, tmp_path):
    path = chat(tmp_path / "chat.jsonl", "The kiln is hot", "The kiln is old")
    told(maya, path)
    maya.forget(maya.episodes(since=MARCH).turns[0].id, mode="erase")
    dry, real = told(maya, path)
    other, _ = told(maya, path, session_prefix="copy")

    assert dry == real
    assert (dry.turns, dry.repeated, other.turns) == (0, 2, 1)


def test_secrets_long_texts_and_what_is_refused_are_told(maya, tmp_path):
    said = ("password: hunter2hunter2", "kiln " * 4_000, "kiln " * 250_000, "The kiln is hot")
    dry, real = told(maya, chat(tmp_path / "chat.jsonl", *said))

    assert dry == real
    assert (dry.bad_count, dry.turns) == (1, 4)
    assert {notice.code for notice in dry.notices} >= {"split"}


def test_a_caller_who_may_not_write_is_told_so_before(house: House, tmp_path):
    house.open(owner=False)
    path = chat(tmp_path / "chat.jsonl", "The kiln is hot")
    for dry_run in (True, False):
        with pytest.raises(AccessDenied):
            house.bind("noor", "nova").import_transcript(ImportRequest(path, dry_run=dry_run))


def test_another_user_s_session_of_that_name_is_not_looked_at(house: House, maya, tmp_path):
    path = chat(tmp_path / "chat.jsonl", "The kiln is hot")
    told(maya, path)
    dry, real = told(house.bind("noor", "nova"), path)

    assert dry == real
    assert (dry.turns, dry.repeated) == (1, 0)
