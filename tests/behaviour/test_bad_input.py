"""Bad input is refused with a reason and a way out, whatever door it comes through, and nothing of it is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bethink
from bethink.errors import BethinkError, EmbedderError, InvalidInput, NotFound, StoreForeign, StoreNewer
from bethink.memory import BoundMemory
from bethink.operations.importing import ImportRequest
from bethink.operations.remember import Mention, RememberRequest
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import MARCH, ByHand, House, counted, ids
from tests.behaviour.requirements import requirement
from tests.behaviour.test_writing import everything
from tests.databases import rows_of

Door = Callable[[BoundMemory, Any], object]

BLANK: dict[str, Any] = {"empty": "", "blank": " \t\n ", "invisible": "\u200b\u2060"}
BROKEN: dict[str, Any] = {
    "NUL": "a\0b",
    "half a surrogate pair": "a\ud800b",
    "a control character": "a\x1bb",
    "20 MB": "x" * 20_000_000,
    "bytes": b"kiln",
    "a number": 7,
}

PATHS = (
    {name: bad for name, bad in BLANK.items() if name != "invisible"} | BROKEN | {"a path": "a/b", "two lines": "a\nb"}
)
"""What can be no id; one of invisible characters is a host's own affair."""

TEXTS: dict[str, Door] = {
    "remember": lambda maya, bad: maya.remember(RememberRequest(bad)),
    "its evidence": lambda maya, bad: maya.remember("The kiln is hot", evidence=bad),
    "its subject": lambda maya, bad: maya.remember("The kiln is hot", subject=bad),
    "its attribute": lambda maya, bad: maya.remember("The kiln is hot", attribute=bad),
    "its source": lambda maya, bad: maya.remember("The kiln is hot", source_ref=bad),
    "its revision": lambda maya, bad: maya.remember("The kiln is hot", source_revision=bad),
    "its tags": lambda maya, bad: maya.remember("The kiln is hot", tags=("fine", bad)),
    "its mentions": lambda maya, bad: maya.remember("The kiln is hot", mentions=(Mention(bad),)),
    "a turn": lambda maya, bad: _session(maya).turns([TurnInput("fine"), TurnInput(bad)]),
    "its speaker": lambda maya, bad: _session(maya).turn("The kiln is hot", speaker=bad),
}
ASKED: dict[str, Door] = {
    "recall": lambda maya, bad: maya.recall(text=bad),
}
SHAPING: dict[str, Door] = {
    "its objective": lambda maya, bad: maya.recall("kiln", objective=bad),
    "its open questions": lambda maya, bad: maya.recall("kiln", open_questions=(bad,)),
    "a literal search": lambda maya, bad: maya.episodes(text=bad),
    "a reason": lambda maya, bad: maya.forget(_kept(maya), reason=bad),
}
NAMES: dict[str, Door] = {
    "get": lambda maya, bad: maya.get(bad),
    "forget": lambda maya, bad: maya.forget(bad),
    "erase": lambda maya, bad: maya.forget(bad, mode="erase"),
    "trace": lambda maya, bad: maya.trace(bad),
    "why": lambda maya, bad: maya.why(maya.recall("kiln").trace_id, bad),
}
OWN: dict[str, Door] = {
    "a session": lambda maya, bad: maya.session(bad),
    "a message id": lambda maya, bad: _session(maya).turn("hot", message_id=bad),
    "the session of a quote": lambda maya, bad: maya.remember("The kiln is hot", session=bad),
    "an idempotency key": lambda maya, bad: maya.remember("The kiln is hot", idempotency_key=bad),
}


def _session(maya: BoundMemory) -> Any:
    return maya.session("talk")


def _kept(maya: BoundMemory) -> str:
    return maya.remember("The shed is cold", idempotency_key="kept").id


@pytest.fixture
def ready(maya) -> BoundMemory:
    """A store that holds a little already, so that nothing new is what a refusal leaves."""
    _session(maya).turn("The shed was painted", message_id="m1")
    _kept(maya)
    return maya


def refused(maya: BoundMemory, act: Callable[[], object], *kinds: type[BethinkError]) -> BethinkError:
    """The refusal: it says what happened and what to do, without the bad value, and leaves the store as it was."""
    before = everything(maya)
    with pytest.raises(kinds or (InvalidInput,)) as caught:
        act()
    assert everything(maya) == before
    assert (len(caught.value.message) > 10, len(caught.value.advice) > 10) == (True, True)
    assert len(str(caught.value)) < 1_000
    str(caught.value).encode()
    return caught.value


@pytest.mark.parametrize("bad", BLANK | BROKEN)
@pytest.mark.parametrize("door", TEXTS)
def test_a_text_that_cannot_be_kept_is_refused_at_every_door(ready, door, bad):
    refused(ready, lambda: TEXTS[door](ready, (BLANK | BROKEN)[bad]))


@requirement("P72")
@pytest.mark.parametrize("bad", BLANK | BROKEN)
def test_a_question_that_asks_nothing_is_refused_and_not_answered_with_noise(ready, bad):
    refused(ready, lambda: ASKED["recall"](ready, (BLANK | BROKEN)[bad]))


@pytest.mark.parametrize("bad", BROKEN)
@pytest.mark.parametrize("door", SHAPING)
def test_what_shapes_a_question_is_checked_like_the_question(ready, door, bad):
    refused(ready, lambda: SHAPING[door](ready, BROKEN[bad]))


@pytest.mark.parametrize("bad", PATHS)
@pytest.mark.parametrize("door", NAMES | OWN)
def test_a_name_that_can_name_nothing_is_refused_or_names_nothing(ready, door, bad):
    refused(ready, lambda: (NAMES | OWN)[door](ready, PATHS[bad]), InvalidInput, *([NotFound] if door in NAMES else []))


NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001 - a time without a zone is the point
PAST_THE_END = datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=5)))
LAST = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)

TIMES: dict[str, Door] = {
    **{
        f"remember {name}": lambda maya, at, name=name: maya.remember("The kiln is hot", **{name: at})
        for name in ("event_at", "valid_from", "valid_until", "expires_at", "review_at")
    },
    **{
        f"recall {name}": lambda maya, at, name=name: maya.recall("kiln", **{name: at})
        for name in ("as_of", "known_at", "since", "until")
    },
    **{f"episodes {name}": lambda maya, at, name=name: maya.episodes(**{name: at}) for name in ("since", "until")},
    **{
        f"get {name}": lambda maya, at, name=name: maya.get(_kept(maya), **{name: at}) for name in ("as_of", "known_at")
    },
    "a session's": lambda maya, at: maya.session("new", opened_at=at),
    "a turn's": lambda maya, at: _session(maya).turn("The kiln is hot", said_at=at),
}


@requirement("P74")
@pytest.mark.parametrize("at", [NAIVE, PAST_THE_END, "2026-01-01"], ids=["naive", "past the year 9999", "a text"])
@pytest.mark.parametrize("door", TIMES)
def test_a_time_without_a_zone_or_outside_the_calendar_is_refused_everywhere(ready, door, at):
    refused(ready, lambda: TIMES[door](ready, at))


@requirement("P74")
@pytest.mark.parametrize("door", TIMES)
def test_the_last_instant_of_the_calendar_is_a_time(ready, door):
    TIMES[door](ready, LAST)
    assert ids(ready.recall("shed", as_of=LAST))


@pytest.mark.parametrize("scope", ["planet:mars", "user", "", "user:", "user:a/b", "agent:a/b/c", "agent:aria/maya"])
def test_an_unknown_scope_is_refused(house, scope):
    memory = house.open()
    with pytest.raises(InvalidInput) as caught:
        memory.grant("maya", "aria", scope)
    assert (memory.grants(), len(caught.value.advice) > 10) == ((), True)
    with pytest.raises(InvalidInput):
        house.bind().remember("The kiln is hot", target=scope or "nowhere")


@dataclass
class Broken(ByHand):
    """A model that answers, with numbers that are none or rows that are missing."""

    fault: str = ""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = super().embed_documents(texts)
        if self.fault == "NaN":
            rows[:, 1] = np.nan
        return {"a missing row": rows[1:], "too few dimensions": rows[:, :2]}.get(self.fault, rows)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        row = super().embed_query(text)
        if self.fault == "NaN":
            row = row * np.float32(np.nan)
        return row[:2] if self.fault == "too few dimensions" else row


@pytest.mark.parametrize("fault", ["NaN", "too few dimensions", "a missing row"])
def test_vectors_that_are_none_cost_the_vector_and_neither_the_words_nor_the_answer(new_place, fault):
    model = Broken({"kiln": 0.9})
    house = House(new_place(), embedder=model)
    maya = house.bind()
    first = maya.remember("The kiln is hot").id
    model.fault = fault
    told = maya.remember("The kiln is clean")
    turn = _session(maya).turn("The kiln is old")
    answer = maya.recall("kiln")
    with pytest.raises((EmbedderError, InvalidInput)):
        house.opened[0].embed_pending()
    waiting = house.opened[0].pending
    model.fault = ""
    house.opened[0].embed_pending()
    whole = maya.recall("kiln")
    house.close()

    assert (told.outcome, told.embedding_pending, turn.embedding_pending) == ("created", True, 1)
    assert {first, told.id} <= set(ids(answer))
    assert (bool(answer.degraded), whole.degraded) == (fault != "a missing row", ())
    assert (waiting, counted_vectors(house)) == (3, 5)


def counted_vectors(house: House) -> int:
    """Vectors in the store, read anew."""
    with House(house.place, embedder=None).open(any_space=True) as memory:
        return counted(memory, "vector")


@pytest.mark.parametrize("keep", [100, 5_000, -1])
def test_a_file_that_was_cut_short_is_refused_and_left_alone(ready, house, keep):
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
def test_a_store_of_a_newer_version_is_refused_with_the_way_out(ready, house):
    rows_of(house.opened[0]._parts.store, "insert into meta (name, value) values ('migration/0999_later', 'x')")
    house.close()
    with pytest.raises(StoreNewer) as caught:
        bethink.open(house.place, embedder=None)

    assert ("0999_later" in str(caught.value), "Upgrade" in caught.value.advice) == (True, True)


def test_half_a_line_of_an_import_costs_itself_and_is_counted(ready, tmp_path):
    path = tmp_path / "chat.jsonl"
    said = [
        json.dumps({"role": "user", "content": f"The kiln is {word}", "id": word}) for word in ("hot", "old", "clean")
    ]
    path.write_text("\n".join([said[0], said[1][:20], said[2], '{"role": "user", "content": "a\\u0000b"}']), "utf-8")
    result = ready.import_transcript(ImportRequest(path))
    turns = [turn.text for turn in ready.episodes(since=MARCH).turns]

    assert (result.turns, result.bad_count) == (2, 2)
    assert [item.place for item in result.bad] == ["line 2", "line 4"]
    assert {"The kiln is hot", "The kiln is clean"} <= set(turns)
    assert "The kiln is old" not in turns
