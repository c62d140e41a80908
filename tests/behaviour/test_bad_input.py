"""Bad input is refused with a reason and a way out, whatever door it comes through, and nothing of it is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bethink.domain.types import Kind
from bethink.errors import BethinkError, EmbedderError, InvalidInput
from bethink.memory import BoundMemory, Memory
from bethink.operations.remember import Mention, RememberRequest
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import ByHand, House, counted, every_row, ids
from tests.behaviour.requirements import requirement

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

PATHS = BLANK | BROKEN | {"a path": "a/b", "two lines": "a\nb", "a blank at its end": "ab "}
"""What can be no id."""
HOLDING = {"blank", "NUL", "half a surrogate pair", "a control character", "a path", "two lines", "a blank at its end"}
"""Those of them that hold what an id may not."""

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


def refused(maya: BoundMemory, act: Callable[[], object]) -> BethinkError:
    """The refusal: it says what happened and what to do, without the bad value, and leaves the store as it was."""
    before = every_row(maya)
    with pytest.raises(InvalidInput) as caught:
        act()
    assert every_row(maya) == before
    assert (len(caught.value.message) > 10, len(caught.value.advice) > 10) == (True, True)
    assert len(str(caught.value)) < 1_000
    str(caught.value).encode()
    return caught.value


@pytest.mark.parametrize("bad", BLANK | BROKEN)
@pytest.mark.parametrize("door", TEXTS)
def test_a_text_that_cannot_be_kept_is_refused_at_every_door(ready, door, bad):
    error = refused(ready, lambda: TEXTS[door](ready, (BLANK | BROKEN)[bad]))
    assert bad in BROKEN or re.search("empty|blank", error.message)


@requirement("P72")
@pytest.mark.parametrize("bad", BLANK | BROKEN)
def test_a_question_that_asks_nothing_is_refused_and_not_answered_with_noise(ready, bad):
    error = refused(ready, lambda: ready.recall(text=(BLANK | BROKEN)[bad]))
    assert bad in BROKEN or re.search("empty|blank", error.message)


@pytest.mark.parametrize("bad", BROKEN)
@pytest.mark.parametrize("door", SHAPING)
def test_what_shapes_a_question_is_checked_like_the_question(ready, door, bad):
    refused(ready, lambda: SHAPING[door](ready, BROKEN[bad]))


@pytest.mark.parametrize("bad", PATHS)
@pytest.mark.parametrize("door", NAMES | OWN)
def test_a_name_that_can_name_nothing_is_refused(ready, door, bad):
    error = refused(ready, lambda: (NAMES | OWN)[door](ready, PATHS[bad]))
    assert (" holds " in error.message) == (bad in HOLDING)


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


FLAGS: dict[str, Door] = {
    **{
        f"recall {name}": lambda maya, flag, name=name: maya.recall("kiln", **{name: flag})
        for name in (
            "include_superseded",
            "include_provisional",
            "confirmed_only",
            "include_owned_resources",
            "gate",
        )
    },
    "remember temporary": lambda maya, flag: maya.remember("The kiln is hot", temporary=flag),
    **{
        f"forget {name}": lambda maya, flag, name=name: maya.forget(_kept(maya), mode="erase", **{name: flag})
        for name in ("with_sources", "dry_run")
    },
    "grant read": lambda maya, flag: Memory(maya._parts).grant("noor", "aria", "user:maya", read=flag),
    "grant write": lambda maya, flag: Memory(maya._parts).grant("noor", "aria", "user:maya", write=flag),
    "erase_user dry_run": lambda maya, flag: Memory(maya._parts).erase_user("maya", dry_run=flag),
}


@pytest.mark.parametrize("flag", ["no", "false", 0, 1])
@pytest.mark.parametrize("door", FLAGS)
def test_what_is_neither_true_nor_false_decides_nothing(ready, door, flag):
    refused(ready, lambda: FLAGS[door](ready, flag))


COUNTS: dict[str, Door] = {
    **{
        f"recall {name}": lambda maya, count, name=name: maya.recall("kiln", **{name: count})
        for name in ("max_items", "budget_tokens", "timeout_ms", "turn", "after_position")
    },
    "recall_episodes budget_tokens": lambda maya, count: maya.recall_episodes(session="talk", budget_tokens=count),
    "documents budget_tokens": lambda maya, count: maya.documents.search("kiln", budget_tokens=count),
    "episodes limit": lambda maya, count: maya.episodes(session="talk", limit=count),
    "episodes after_seq": lambda maya, count: maya.episodes(session="talk", after_seq=count),
    "recall_episodes limit": lambda maya, count: maya.recall_episodes(session="talk", limit=count),
    "recall_episodes after_seq": lambda maya, count: maya.recall_episodes(session="talk", after_seq=count),
    "written limit": lambda maya, count: maya.written("talk", limit=count),
    "written before": lambda maya, count: maya.written("talk", before=count),
    "quarantined limit": lambda maya, count: maya.quarantined(limit=count),
    "quarantined before": lambda maya, count: maya.quarantined(before=count),
    "entities limit": lambda maya, count: maya.entities(limit=count),
    "hints limit": lambda maya, count: maya.hints(count),
    "reads limit": lambda maya, count: maya.reads(limit=count),
    "documents limit": lambda maya, count: maya.documents.search("kiln", limit=count),
    "jobs limit": lambda maya, count: Memory(maya._parts).jobs(limit=count),
    "run_jobs limit": lambda maya, count: Memory(maya._parts).run_jobs(count),
    "receipts after": lambda maya, count: Memory(maya._parts).receipts(count),
    "receipts limit": lambda maya, count: Memory(maya._parts).receipts(limit=count),
    "forget timeout_ms": lambda maya, count: maya.forget(_kept(maya), mode="erase", timeout_ms=count),
    "erase_user timeout_ms": lambda maya, count: Memory(maya._parts).erase_user("maya", timeout_ms=count),
}


@pytest.mark.parametrize("count", [-5, 10**30, "5", 2.5, True], ids=str)
@pytest.mark.parametrize("door", COUNTS)
def test_a_number_that_is_none_or_beyond_all_bounds_is_refused_everywhere(ready, door, count):
    refused(ready, lambda: COUNTS[door](ready, count))


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


def test_a_kind_may_be_named_by_its_word(maya: BoundMemory):
    maya.remember("The kiln is hot")
    named, typed = (maya.recall("kiln", kinds=(kind,)) for kind in ("semantic", Kind.SEMANTIC))

    assert named.rendered == typed.rendered != ""
    assert maya.trace(named.trace_id).trace.query == maya.trace(typed.trace_id).trace.query


def test_a_field_that_there_is_not_is_answered_with_those_there_are(house: House):
    with pytest.raises(InvalidInput, match=r"RecallRequest takes no 'limit'\. It takes .*max_items, "):
        house.bind().recall("kiln", limit=3)
    with house.open() as memory:
        with pytest.raises(InvalidInput, match=r"Caller takes no 'org'\. It takes task, channel, "):
            memory.bind(org="acme")
        with pytest.raises(InvalidInput, match=r"'secret' is no Sensitivity\. Pass one of Sensitivity\.PUBLIC, "):
            memory.bind(ceiling="secret")


def test_a_store_that_is_asked_like_a_caller_says_how_to_become_one(house: House):
    with house.open() as memory:
        asked: Any = memory
        with pytest.raises(AttributeError, match=r"has no 'recall'\. .*: memory\.bind\(user=\.\.\.\)\.recall\.$"):
            asked.recall("kiln")
        with pytest.raises(AttributeError, match=r"has no 'nothing'\.$"):
            _ = asked.nothing
