"""What cannot be used is refused with a typed error that names it; it is never bent into something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bethink
from bethink.errors import InvalidInput
from bethink.memory import BoundMemory
from tests.behaviour.house import House


@pytest.mark.parametrize("named", [{"user": ""}, {"agent": ""}, {"tenant": ""}, {"user": 5}, {"user": "a/b"}])
def test_an_unusable_name_of_a_caller_is_refused_and_never_replaced_by_the_usual_one(house: House, named: Any):
    with house.open() as memory, pytest.raises(InvalidInput, match=next(iter(named))):
        memory.bind(**named)


@pytest.mark.parametrize("given", [{"voice": "nobody"}, {"ceiling": 9}, {"ceiling": "secret"}])
def test_a_binding_that_does_not_exist_is_refused(house: House, given: Any):
    with house.open() as memory, pytest.raises(InvalidInput, match=next(iter(given))):
        memory.bind(**given)


@pytest.mark.parametrize("given", [None, 5, b"x"])
@pytest.mark.parametrize("operation", ["remember", "recall", "get", "forget"])
def test_what_is_neither_text_nor_a_request_is_refused(house: House, operation: str, given: Any):
    with house.open() as memory, pytest.raises(InvalidInput, match="must be text"):
        getattr(memory.bind(), operation)(given)


@pytest.mark.parametrize(
    "field",
    [
        {"order": "sideways"},
        {"on_weak": "shrug"},
        {"moment": "never"},
        {"profile": "none"},
        {"kinds": ("dreams",)},
        {"types": "fact"},
        {"subjects": "tea"},
        {"subjects": (None,)},
        {"subjects": ("\ud800",)},
        {"open_questions": "why"},
        {"max_items": 2.5},
        {"max_items": "5"},
        {"max_items": True},
        {"budget_tokens": True},
        {"timeout_ms": 0.5},
        {"min_score": float("nan")},
        {"min_score": float("inf")},
        {"min_score": "high"},
        {"as_of": "2026-01-01"},
        {"session": "a/b"},
    ],
    ids=str,
)
def test_a_recall_names_the_field_that_cannot_be_used(maya: BoundMemory, field: Any):
    with pytest.raises(InvalidInput, match=f"(?i){next(iter(field)).removesuffix('s')}"):
        maya.recall("tea", **field)


@pytest.mark.parametrize("given", ["\ud800aaaa", "\0aaaaaaa", "a/bcdefg"])
def test_an_id_that_no_store_can_hold_is_refused(maya: BoundMemory, given: str):
    with pytest.raises(InvalidInput, match="id holds"):
        maya.get(given)


def test_words_without_width_are_neither_remembered_nor_asked(maya: BoundMemory):
    maya.remember("Maya keeps bees.")
    for ask in (maya.remember, maya.recall):
        with pytest.raises(InvalidInput, match=r"empty|blank"):
            ask("\u200b\u2060")


@pytest.mark.parametrize("url", ["", ":memory:", "a\0b", "other://x"])
def test_an_address_that_names_no_file_is_refused_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput):
        bethink.open(url)
    assert list(tmp_path.iterdir()) == []
