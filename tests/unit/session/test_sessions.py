"""Sessions on the real store: opened once, appended to, closed, and never another's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.desks import World

from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.source import SourceKind
from bethink.errors import AccessDenied, InvalidInput, NotFound
from bethink.formation.desk import Desk
from bethink.operations.sessions import OpenSessionRequest, TurnInput
from bethink.session.close import close_session
from bethink.session.open import open_session
from bethink.session.split import split
from bethink.session.turns import append_turns
from bethink.settings import Settings, StoreSettings

AT = datetime(2025, 5, 1, 9, tzinfo=UTC)


def test_opening_twice_is_one_session(world: World) -> None:
    first = open_session(OpenSessionRequest("s1", opened_at=AT), world.desk())
    again = open_session(OpenSessionRequest("s1"), world.desk())
    assert first == again
    assert (first.opened_at, first.scope) == (AT, Scope(ScopeKind.USER, "ana"))
    assert [kind for kind, _ in world.events()] == ["session.opened"]


def test_a_session_without_an_id_gets_its_own(world: World) -> None:
    ids = {open_session(OpenSessionRequest(), world.desk()).id for _ in range(3)}
    assert len(ids) == 3


def test_a_closed_session_refuses_turns_until_it_is_opened_again(world: World) -> None:
    world.said("s1", TurnInput("hello"))
    closed = close_session("s1", world.desk())
    assert closed == close_session("s1", world.desk())
    with pytest.raises(InvalidInput, match="closed"):
        append_turns("s1", [TurnInput("late")], world.desk())
    assert open_session(OpenSessionRequest("s1"), world.desk()).closed_at is None
    world.said("s1", TurnInput("late"))
    kinds = [kind for kind, _ in world.events()]
    assert kinds == ["session.opened", "turns.appended", "session.closed", "session.opened", "turns.appended"]


def test_another_scopes_session_and_an_absent_one_answer_alike(world: World) -> None:
    world.said("s1", TurnInput("hello"))
    stranger = world.desk(user="bo", agent="spy")
    before = world.turns("s1")

    def answer(session: str, act: Any) -> str:
        with pytest.raises(NotFound) as caught:
            act(session)
        return str(caught.value).replace(session, "ID")

    for act in (
        lambda session: append_turns(session, [TurnInput("x")], stranger),
        lambda session: close_session(session, stranger),
    ):
        assert answer("s1", act) == answer("nowhere", act)
    assert world.turns("s1") == before


@requirement("A173")
def test_the_same_id_in_another_scope_is_another_session(world: World) -> None:
    world.said("s1", TurnInput("hello", message_id="m1"))
    before = world.turns("s1")
    stranger = world.desk(user="bo", agent="spy")
    for session in ("s1", "nowhere"):
        opened = open_session(OpenSessionRequest(session, target="private"), stranger)
        assert (opened.scope.key, opened.user) == ("agent:spy/bo", "bo")
        told = append_turns(session, [TurnInput("hello", message_id="m1")], stranger)
        assert (len(told.ids), told.repeated) == (1, 0)
    close_session("s1", stranger)
    assert world.turns("s1") == before
    append_turns("s1", [TurnInput("more")], world.desk())


def test_a_caller_with_one_id_in_two_scopes_reaches_each(world: World) -> None:
    desk = world.desk()
    world.said("s1", TurnInput("ours"))
    own = open_session(OpenSessionRequest("s1", target="private"), desk).scope
    append_turns("s1", [TurnInput("mine")], desk, scope=own)
    close_session("s1", desk, scope=own)
    assert [t.text for t in world.turns("s1")] == ["ours"]
    assert [t.text for t in world.turns("s1", scopes=(own,))] == ["mine"]
    append_turns("s1", [TurnInput("still open")], desk, scope=Scope(ScopeKind.USER, "ana"))
    with pytest.raises(InvalidInput, match="closed"):
        append_turns("s1", [TurnInput("late")], desk, scope=own)


def test_reading_a_session_is_not_writing_it(world: World) -> None:
    world.said("s1", TurnInput("hello"))
    world.grant(Scope(ScopeKind.USER, "ana"), agent="reader", write=False)
    with pytest.raises(AccessDenied):
        append_turns("s1", [TurnInput("x")], world.desk(agent="reader"))
    with pytest.raises(AccessDenied):
        open_session(OpenSessionRequest("s2"), world.desk(agent="reader"))


@pytest.mark.parametrize("session", ["", " ", "a/b", "x" * 201, "typed-0123", "\ud800", "a\nb"])
def test_unusable_ids_are_refused(world: World, session: str) -> None:
    with pytest.raises(InvalidInput):
        open_session(OpenSessionRequest(session), world.desk())


def test_turns_keep_speaker_role_time_and_order(world: World) -> None:
    world.said(
        "s1",
        TurnInput("Hi", said_at=AT),
        TurnInput("Hello", role="assistant", said_at=AT),
        TurnInput(
            "Caroline here", role="participant", speaker="Caroline", said_at=AT, zone_assumed=True, time_text="9am"
        ),
        TurnInput("42", role="tool", sensitivity=Sensitivity.PUBLIC),
    )
    turns = world.turns("s1")
    assert [(t.seq, t.role, t.speaker) for t in turns] == [
        (0, "user", "ana"),
        (1, "assistant", "bot"),
        (2, "participant", "Caroline"),
        (3, "tool", "tool"),
    ]
    assert [t.source for t in turns] == [
        SourceKind.USER_STATEMENT,
        SourceKind.AGENT_INFERENCE,
        SourceKind.DOCUMENT,
        SourceKind.TOOL_RESULT,
    ]
    assert (turns[2].said_at, turns[2].zone_assumed, turns[2].time_text) == (AT, True, "9am")
    assert (turns[3].said_at, turns[3].sensitivity) == (world.clock.now(), Sensitivity.PUBLIC)


def test_an_imported_turn_says_so(world: World) -> None:
    world.said("s1", TurnInput("Hi", imported=True), TurnInput("Yo", role="assistant", imported=True))
    assert {t.source for t in world.turns("s1")} == {SourceKind.IMPORT}


def test_a_message_id_makes_a_repeat_harmless(world: World) -> None:
    world.said("s1", TurnInput("Hi", message_id="m1"))
    result = append_turns("s1", [TurnInput("Hi", message_id="m1"), TurnInput("Yo", message_id="m2")], world.desk())
    assert (len(result.ids), result.repeated) == (1, 1)
    assert [(t.seq, t.text) for t in world.turns("s1")] == [(0, "Hi"), (1, "Yo")]


def test_an_import_stores_nothing_twice_and_still_keeps_two_equal_utterances(world: World) -> None:
    batch = [TurnInput(text, said_at=AT) for text in ("ok", "yes", "ok", "ok")]
    world.said("s1", *batch)
    assert [t.text for t in world.turns("s1")] == ["ok", "yes", "ok", "ok"]
    again = append_turns("s1", batch, world.desk())
    assert (again.ids, again.repeated) == ((), 4)


def test_without_time_and_id_every_utterance_is_new(world: World) -> None:
    world.said("s1", TurnInput("ok"))
    world.said("s1", TurnInput("ok"))
    assert [t.text for t in world.turns("s1")] == ["ok", "ok"]


def test_the_same_words_in_another_session_are_another_turn(world: World) -> None:
    world.said("s1", TurnInput("ok", said_at=AT))
    assert world.said("s2", TurnInput("ok", said_at=AT))


def test_secrets_never_reach_a_turn(world: World) -> None:
    token = "ghp_" + "a1B2" * 9
    open_session(OpenSessionRequest("s1"), world.desk())
    result = append_turns("s1", [TurnInput(f"use {token}", speaker=f"ana {token}")], world.desk())
    assert [notice.code for notice in result.notices] == ["secret_redacted"]
    assert token not in repr(world.turns("s1")) + repr(result) + str(world.events())


def test_a_long_text_becomes_a_chain_that_repeats_as_one(world: World) -> None:
    desk = Desk(world.store, world.desk().caller, world.clock, world.ids, settings=small(100))
    open_session(OpenSessionRequest("s1"), desk)
    text = "One sentence here. " * 20
    result = append_turns("s1", [TurnInput(text, message_id="m")], desk)
    turns = world.turns("s1")
    assert [t.message_id for t in turns] == ["m", "m#2", "m#3", "m#4"]
    assert all(len(t.text) <= 100 for t in turns)
    assert [notice.code for notice in result.notices] == ["split"]
    assert append_turns("s1", [TurnInput(text, message_id="m")], desk).repeated == 4


def test_a_text_far_too_long_is_refused(world: World) -> None:
    desk = Desk(world.store, world.desk().caller, world.clock, world.ids, settings=small(100))
    open_session(OpenSessionRequest("s1"), desk)
    with pytest.raises(InvalidInput, match="6,400"):
        append_turns("s1", [TurnInput("x" * 6_401)], desk)


BAD_TURNS: list[dict[str, Any]] = [
    {"text": ""},
    {"text": " \t"},
    {"text": "a\0b"},
    {"text": "\ud800"},
    {"text": "x", "role": "narrator"},
    {"text": "x", "speaker": ""},
    {"text": "x", "speaker": "s" * 201},
    {"text": "x", "said_at": datetime(2025, 1, 1)},  # noqa: DTZ001 - a time without a zone is the point
    {"text": "x", "message_id": "a/b"},
    {"text": "x", "sensitivity": 2},
    {"text": "x", "time_text": "t" * 201},
]


@pytest.mark.parametrize("bad", BAD_TURNS, ids=str)
def test_one_bad_turn_stores_none_of_the_batch(world: World, bad: dict[str, Any]) -> None:
    open_session(OpenSessionRequest("s1"), world.desk())
    with pytest.raises(InvalidInput):
        append_turns("s1", [TurnInput("fine"), TurnInput(**bad)], world.desk())
    assert world.turns("s1") == ()


def test_what_was_erased_does_not_come_back_by_import_and_may_be_said_again(world: World) -> None:
    (turn,) = world.said("s1", TurnInput("Zanzibar", said_at=AT, imported=True))
    world.forget(turn, "erase")
    open_session(OpenSessionRequest("s1"), world.desk())
    again = append_turns("s1", [TurnInput("Zanzibar", said_at=AT, imported=True)], world.desk())
    assert (again.ids, world.turns("s1")) == ((), ())
    assert len(world.said("s1", TurnInput("Zanzibar", said_at=AT + timedelta(days=1)))) == 1


def small(limit: int) -> Settings:
    """Settings with a small content limit."""
    return Settings(store=StoreSettings(content_limit=limit))


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab. \n"), max_size=120), st.integers(2, 30))
def test_pieces_fit_and_lose_no_visible_character(text: str, limit: int) -> None:
    pieces = list(split(text.strip(), limit))
    assert all(0 < len(piece) <= limit for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
