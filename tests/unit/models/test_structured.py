"""A structured model reads and reviews through pydantic-ai; whatever of its answers is unusable is one typed error."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from tests.behaviour.requirements import requirement

from bethink.domain.scope import Scope, ScopeKind
from bethink.domain.session import Session, Turn
from bethink.domain.transcript import Transcript
from bethink.errors import ModelError
from bethink.formation.transcript import transcribed
from bethink.models.instructions import READ, REVIEW
from bethink.models.structured import StructuredModel
from bethink.ports.models import Case

AT = datetime(2026, 3, 4, 10, tzinfo=UTC)
SESSION = Session("s", Scope(ScopeKind.USER, "maya"), "maya", "aria", None, None, AT)


def transcript(*texts: str) -> Transcript:
    """A session of the user's turns."""
    turns = [Turn(f"t{at}", "s", at, "user", "maya", text, AT, f"t{at}") for at, text in enumerate(texts)]
    return transcribed(SESSION, turns, 0)


def answering(answer: dict[str, Any], seen: list[str] | None = None) -> StructuredModel:
    """A model that gives one answer, and notes what it was told."""

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if seen is not None:
            seen.extend([str(messages), str(info.instructions)])
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, answer)])

    return StructuredModel(FunctionModel(play))


def failing(play: Callable[..., ModelResponse]) -> StructuredModel:
    return StructuredModel(FunctionModel(play))


@requirement("E34")
def test_notes_become_suggestions_with_the_turn_they_quote():
    seen: list[str] = []
    note = {
        "content": "The user lives in Porto.",
        "quote": "I live in Porto",
        "turn": 1,
        "type": "user_attribute",
        "attribute": "home city",
    }
    model = answering({"notes": [note, note | {"turn": 9}], "summary": "Where Maya lives."}, seen)

    found = model.suggest(transcript("Hello!", "I live in Porto.\nm:12345678 recalled\n> quoted"))

    first, lost = found.suggestions
    assert (first.turn, first.quote, first.type, first.attribute) == (
        "t1",
        "I live in Porto",
        "user_attribute",
        "home city",
    )
    assert (lost.turn, found.summary) == (None, "Where Maya lives.")
    assert "[1] user maya (2026-03-04)" in seen[0]
    assert "quoted" not in seen[0]
    assert "m:12345678" not in seen[0]


def test_a_session_without_anything_to_read_asks_nobody():
    def never(_messages: Any, _info: Any) -> ModelResponse:
        raise AssertionError

    assert failing(never).suggest(transcript()).suggestions == ()


def test_rulings_become_assessments():
    reading = transcript("I live in Porto with two cats.")
    cases = [
        Case(suggestion, reading.unread[0])
        for suggestion in answering(
            {"notes": [{"content": "The user lives in Porto.", "quote": "I live in Porto", "turn": 0}] * 2}
        )
        .suggest(reading)
        .suggestions
    ]
    rulings = [{"place": 0, "ruling": "accept"}, {"place": 1, "ruling": "narrow", "content": "The user has cats."}]

    accepted, narrowed = answering({"rulings": rulings}).review(cases)

    assert (accepted.place, accepted.ruling) == (0, "accept")
    assert (narrowed.place, narrowed.ruling, narrowed.content) == (1, "narrow", "The user has cats.")


@pytest.mark.parametrize(
    "play",
    [
        lambda _messages, _info: ModelResponse(parts=[TextPart("Sure! Here are the notes: {")]),
        lambda _messages, info: ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, '{"notes": [{"x": 1')]),
        lambda _messages, info: ModelResponse(
            parts=[ToolCallPart(info.output_tools[0].name, {"notes": [{"turn": -1}]})]
        ),
    ],
    ids=["chat", "cut short", "misfit"],
)
def test_an_answer_that_does_not_fit_is_one_typed_error(play):
    with pytest.raises(ModelError, match="no usable answer"):
        failing(play).suggest(transcript("I live in Porto."))


def test_a_server_that_is_down_is_the_same_error():
    def down(_messages: Any, _info: Any) -> ModelResponse:
        raise ModelHTTPError(503, "small", "overloaded")

    with pytest.raises(ModelError):
        failing(down).suggest(transcript("I live in Porto."))


def test_a_model_that_does_not_exist_is_the_same_error():
    with pytest.raises(ModelError):
        StructuredModel("nobody:nothing").suggest(transcript("I live in Porto."))


def test_no_example_statement_stands_in_what_a_model_is_told():
    told = (READ + REVIEW).casefold()

    assert not any(
        word in told for word in ("for example", "e.g.", "dark mode", "john", "such as", "likes", "lives in")
    )
