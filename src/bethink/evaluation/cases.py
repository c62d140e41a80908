"""What an evaluation is made of: conversations that are imported, and cases that ask about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from bethink.domain.session import Role

Level = Literal["turn", "session"]
"""What is ranked and counted: single turns, or sessions by their best turn."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One turn of a data set. `id` is unique in its conversation; `time_text` is the time as the set writes it."""

    id: str
    session: str
    speaker: str
    text: str
    said_at: datetime
    time_text: str
    role: Role = "participant"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, which becomes one scope.

    `sessions` names the session of each turn by turn id. The turns stand either in `utterances`, in the order they
    were said, or in `document`: a transcript in the `format` of an importer, imported as it is. `end` is the end of
    the last session, the present of every question about it.
    """

    scope: str
    sessions: Mapping[str, str]
    end: datetime
    utterances: tuple[Utterance, ...] = ()
    document: Mapping[str, Any] | None = None
    format: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One question, asked of its own scope.

    `evidence` are the turns that answer it, `sessions` those turns' sessions. What is not `answerable` has evidence
    that is a trap, and is left out of that group. `asked_at` is the present it is asked in, the end of the
    conversation unless given.
    """

    id: str
    scope: str
    question: str
    category: str
    evidence: frozenset[str]
    sessions: frozenset[str]
    answerable: bool = True
    asked_at: datetime | None = None

    def wanted(self, level: Level) -> frozenset[str]:
        """What a perfect answer finds first."""
        return self.evidence if level == "turn" else self.sessions


@dataclass(frozen=True, slots=True)
class Dataset:
    """Conversations and cases of one data set and split.

    `left_out` counts questions without usable evidence. `digest` is a hash of all that is asked and imported, so that
    two results can be told to be of one set.
    """

    name: str
    split: str
    conversations: tuple[Conversation, ...]
    cases: tuple[Case, ...]
    left_out: int
    digest: str
