"""A structured-output model as reader and reviewer, through pydantic-ai."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from pydantic import BaseModel, Field
from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from bethink.domain.transcript import Transcript
from bethink.errors import ModelError
from bethink.models.instructions import FORMED, READ, REVIEW, shown, shown_cases
from bethink.operations.extraction import Assessment, Suggested, Suggestion
from bethink.ports.models import Case

SECONDS = 120.0
"""How long one answer may take."""

RETRIES = 2
"""How often a model may mend an answer that does not fit its schema."""

Answer = TypeVar("Answer", bound=BaseModel)


class Note(BaseModel):
    """One thing worth keeping."""

    content: str = Field(max_length=1_000)
    quote: str = Field(max_length=4_000)
    turn: int = Field(ge=0, description="The number of the turn that holds the quote.")
    type: Literal[FORMED] = "fact"  # type: ignore[valid-type]  # the choices are the table's, not a copy of it
    subject: str | None = Field(default=None, max_length=200, description="Whom or what it is about; none is the user.")
    attribute: str | None = Field(default=None, max_length=200)
    temporary: bool = Field(default=False, description="A passing preference.")


class Notes(BaseModel):
    """What a conversation gives."""

    notes: list[Note] = Field(default_factory=list, max_length=100)
    summary: str | None = Field(default=None, max_length=2_000)


class Ruling(BaseModel):
    """A word on one note."""

    place: int = Field(ge=0)
    ruling: Literal["accept", "reject", "narrow"]
    content: str | None = Field(default=None, max_length=1_000, description="The narrower statement.")


class Rulings(BaseModel):
    """A word on each note."""

    rulings: list[Ruling]


class StructuredModel:
    """Reads sessions and reviews what was read, by two calls of one small model."""

    def __init__(self, model: Model | str, seconds: float = SECONDS) -> None:
        """Take a pydantic-ai model, or the name of one such as ``openai:gpt-4.1-mini``; nothing is asked yet."""
        self.name = model if isinstance(model, str) else f"{model.system}:{model.model_name}"
        self._model = model
        self._settings = ModelSettings(timeout=seconds, temperature=0.0)

    def suggest(self, transcript: Transcript) -> Suggested:
        """What the model notes of a session.

        Raises:
            ModelError: it cannot be asked, or gave no usable answer.
        """
        if not transcript.unread:
            return Suggested()
        found = self._ask(READ, shown(transcript), Notes)
        return Suggested(tuple(_suggestion(note, transcript) for note in found.notes), found.summary)

    def review(self, cases: Sequence[Case]) -> tuple[Assessment, ...]:
        """What the model rules.

        Raises:
            ModelError: it cannot be asked, or gave no usable answer.
        """
        found = self._ask(REVIEW, shown_cases(cases), Rulings)
        return tuple(Assessment(one.place, one.ruling, content=one.content) for one in found.rulings)

    def _ask(self, instructions: str, text: str, kind: type[Answer]) -> Answer:
        """One answer of the model, in a shape."""
        try:
            agent = Agent(self._model, output_type=kind, instructions=instructions, retries=RETRIES)
            return agent.run_sync(text, model_settings=self._settings).output
        except (AgentRunError, UserError, ImportError, OSError) as error:
            raise ModelError(f"The model {self.name} gave no usable answer ({type(error).__name__}).") from error


def _suggestion(note: Note, transcript: Transcript) -> Suggestion:
    """A note as a suggestion; a turn that does not exist leaves the quote to be looked for."""
    known = note.turn < len(transcript.unread)
    return Suggestion(
        content=note.content,
        quote=note.quote,
        turn=transcript.unread[note.turn].turn.id if known else None,
        type=note.type,
        subject=note.subject or None,
        attribute=note.attribute or None,
        temporary=note.temporary,
    )
