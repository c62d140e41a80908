"""`mention`: an agent's words with `@memory:query` in them, answered in place."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.operations.common import Notice
from bethink.operations.recall import RecallResult


@dataclass(frozen=True, slots=True)
class MentionRequest:
    """What an agent is about to say or read.

    ``@memory:word`` asks for one word, ``@memory:"several words"`` for several. Pass the agent's own words, never a
    tool's result: whoever writes a mention asks memory in the caller's name. They are the `text`, of a `session` where
    one is named.
    """

    text: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """One mention: what it asked, and the answer that stands in its place."""

    query: str
    result: RecallResult


@dataclass(frozen=True, slots=True)
class MentionResult:
    """The text with each mention replaced by what memory answers; everything around them is as it was."""

    text: str
    answers: tuple[Answered, ...] = ()
    notices: tuple[Notice, ...] = ()
