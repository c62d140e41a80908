"""Whose words a statement stands on, and what that makes it worth."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.behaviour.requirements import requirement
from tests.unit.desks import World

from bethink.domain.record import Status
from bethink.domain.scope import Caller, Principal
from bethink.domain.session import Turn, is_typed
from bethink.domain.source import SourceKind
from bethink.formation.evidence import PAGE, find_quote, ground, standing_of, telling_word
from bethink.formation.explicit import remember
from bethink.operations.remember import RememberRequest
from bethink.operations.sessions import TurnInput

AT = datetime(2026, 1, 1, tzinfo=UTC)
QUOTE = "I moved to Berlin last week."
CLAIM = "Ana moved to Berlin."


def turn(text: str, role: str = "user", number: int = 0, **fields: Any) -> Turn:
    """One utterance."""
    return Turn(f"t{number}", "s", number, role, "ana", text, AT, f"m{number}", **fields)


@requirement("E56", "E74")
def test_quote_is_found_word_for_word_whatever_its_white_space(world: World) -> None:
    (turn_id,) = world.said("s1", TurnInput("Well.\nI moved to\n  Berlin last week. It rains."))
    result = world.noted(CLAIM, evidence=QUOTE, session="s1")
    assert (result.source, result.status, result.evidence_located) == (SourceKind.USER_STATEMENT, Status.ACTIVE, True)
    source = world.record(result.id).content.source
    assert source.evidence is not None
    assert (source.evidence.turn_id, source.evidence.quote) == (turn_id, "I moved to\n  Berlin last week.")
    assert world.turns("s1")[0].text[source.evidence.start : source.evidence.end] == source.evidence.quote


@pytest.mark.parametrize(
    ("role", "kind"),
    [
        ("user", SourceKind.USER_STATEMENT),
        ("tool", SourceKind.TOOL_RESULT),
        ("participant", SourceKind.DOCUMENT),
        ("assistant", SourceKind.AGENT_INFERENCE),
    ],
)
def test_the_turns_role_decides_what_the_statement_is_worth(world: World, role: str, kind: SourceKind) -> None:
    world.said("s1", TurnInput("The office is in Berlin now.", role=role))
    result = world.noted("The office is in Berlin now.", evidence="The office is in Berlin now.", session="s1")
    assert (result.source, result.evidence_located) == (kind, True)


def test_a_quote_from_an_imported_conversation_stays_an_import(world: World) -> None:
    world.said("s1", TurnInput(QUOTE, imported=True))
    result = world.noted(CLAIM, evidence=QUOTE, session="s1")
    assert (result.source, result.status) == (SourceKind.IMPORT, Status.ACTIVE)


@pytest.mark.parametrize(
    ("evidence", "code"),
    [
        (None, "evidence_missing"),
        ("I moved to Rome last week.", "evidence_not_found"),
        ("I moved", "evidence_too_short"),
        ("It rains here all the time.", "evidence_not_entailing"),
    ],
)
@requirement("E74", "E75")
def test_what_does_not_hold_leaves_an_inference_and_says_why(world: World, evidence: str | None, code: str) -> None:
    world.said("s1", TurnInput(QUOTE), TurnInput("It rains here all the time."))
    result = world.noted(CLAIM, evidence=evidence, session="s1")
    assert (result.source, result.status) == (SourceKind.AGENT_INFERENCE, Status.PROVISIONAL)
    assert not result.evidence_located
    assert [notice.code for notice in result.notices] == [code]


def test_another_sessions_turns_are_no_evidence(world: World) -> None:
    world.said("s1", TurnInput(QUOTE))
    assert not world.noted(CLAIM, evidence=QUOTE, session="s2").evidence_located
    assert not world.noted(CLAIM, evidence=QUOTE).evidence_located


def test_a_session_the_caller_may_not_read_is_no_evidence(world: World) -> None:
    world.said("s1", TurnInput(QUOTE))
    assert not world.noted(CLAIM, evidence=QUOTE, session="s1", agent="stranger", target="private").evidence_located


def test_the_bound_session_is_searched_when_none_is_named(world: World) -> None:
    world.said("s1", TurnInput(QUOTE))
    result = remember(RememberRequest(CLAIM, evidence=QUOTE), world.desk(session="s1"))
    assert result.evidence_located
    assert world.record(result.id).content.origin.session == "s1"


def test_a_quote_is_found_behind_many_pages_of_turns(world: World) -> None:
    world.said("s1", *(TurnInput(f"line {n}", message_id=f"m{n}") for n in range(2 * PAGE)), TurnInput(QUOTE))
    assert world.noted(CLAIM, evidence=QUOTE, session="s1").evidence_located


def test_what_several_turns_say_is_worth_the_best_of_them_and_the_earliest() -> None:
    turns = [turn(QUOTE, role, n) for n, role in enumerate(["assistant", "tool", "participant", "user", "user"])]
    found = find_quote(QUOTE, turns)
    assert found is not None
    assert found[0].id == "t3"
    found = find_quote(QUOTE, turns[:3])
    assert found is not None
    assert found[0].id == "t1"


def test_searching_stops_at_the_first_turn_nothing_can_beat() -> None:
    def turns() -> Any:
        yield turn(QUOTE)
        raise AssertionError

    assert find_quote(QUOTE, turns()) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Ana\u2019s favourite category is jazz.",
        "Ana's favou\u00adrite cate\u00adgory is jazz.",
        "\uff21na's favourite ca\uff54egory is jazz.",
        "Ana's  favourite\ncategory is jazz.",
    ],
)
def test_no_way_of_writing_hides_a_quote_from_the_search_of_a_session(world: World, text: str) -> None:
    world.said("s1", TurnInput("Nothing of that kind."), TurnInput(text))
    result = world.noted(
        "Ana's favourite category is jazz.", evidence="Ana's favourite category is jazz.", session="s1"
    )
    assert result.evidence_located


def test_turns_that_cannot_hold_the_quote_are_not_read(world: World) -> None:
    world.said("s1", *(TurnInput(f"line {n}") for n in range(9)), TurnInput("a plain category"), TurnInput("caf\u00e9"))
    with world.store.snapshot(world.tenant) as snapshot:
        turns = snapshot.turns.of_session(world.fence(), "s1", limit=99, holding=telling_word("plain category"))
    assert [turn.text for turn in turns] == ["a plain category", "caf\u00e9"]


def test_a_turn_is_worth_no_more_than_the_way_it_came_in() -> None:
    assert standing_of(turn("x", source=SourceKind.IMPORT)) is SourceKind.IMPORT
    assert standing_of(turn("x", "assistant", source=SourceKind.IMPORT)) is SourceKind.AGENT_INFERENCE
    assert standing_of(turn("x", "tool", source=SourceKind.USER_STATEMENT)) is SourceKind.TOOL_RESULT


@pytest.mark.parametrize("asked", list(SourceKind))
def test_an_agent_can_lower_its_standing_and_never_raise_it(asked: SourceKind) -> None:
    agent = Caller(Principal("acme", "ana", "bot"))
    quoted = ground(RememberRequest(CLAIM, evidence=QUOTE, source=asked), agent, [turn(QUOTE, "participant")])
    assert quoted.source.kind in {SourceKind.DOCUMENT, SourceKind.AGENT_INFERENCE}
    bare = ground(RememberRequest(CLAIM, source=asked), agent, [])
    assert bare.source.kind is SourceKind.AGENT_INFERENCE


@pytest.mark.parametrize("asked", list(SourceKind))
def test_a_host_may_vouch_for_any_source(asked: SourceKind) -> None:
    host = Caller(Principal("acme", "ana", "bot"), voice="user")
    assert ground(RememberRequest(CLAIM, source=asked), host, []).source.kind is asked


def test_what_the_user_types_is_its_own_evidence_in_a_session_of_its_own(world: World) -> None:
    result = world.told(CLAIM)
    assert (result.source, result.status, result.evidence_located) == (SourceKind.USER_STATEMENT, Status.ACTIVE, True)
    evidence = world.record(result.id).content.source.evidence
    assert evidence is not None
    with world.store.snapshot(world.tenant) as snapshot:
        (typed,) = snapshot.turns.get(world.fence(), (evidence.turn_id or "",))
    assert (typed.text, typed.role, typed.speaker) == (CLAIM, "user", "ana")
    assert is_typed(typed.session)
    assert [t.text for t in world.turns(typed.session)] == [CLAIM]


def test_typed_words_stay_in_the_scope_of_their_record(world: World) -> None:
    remember(RememberRequest("My diary is blue.", target="private"), world.desk("user"))
    with world.store.snapshot(world.tenant) as snapshot:
        assert snapshot.turns.between(world.fence(), limit=10) == ()


def test_typed_words_share_the_sensitivity_of_their_record(world: World) -> None:
    remember(RememberRequest("My pin is blue.", sensitivity=world.fence().ceiling.__class__.SECRET), world.desk("user"))
    with world.store.snapshot(world.tenant) as snapshot:
        assert snapshot.turns.between(world.fence(), limit=10) == ()


def test_a_user_whose_quote_fails_is_still_heard(world: World) -> None:
    result = world.told(CLAIM, evidence="never said", session="nowhere")
    assert (result.source, [notice.code for notice in result.notices]) == (
        SourceKind.USER_STATEMENT,
        ["evidence_not_found"],
    )
