"""Sessions and their turns: what was said, by whom, when. Turns are appended and never rewritten."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability

Role = Literal["user", "assistant", "tool", "system", "participant"]

ROLE_SOURCE: dict[str, SourceKind] = {
    "user": SourceKind.USER_STATEMENT,
    "assistant": SourceKind.AGENT_INFERENCE,
    "tool": SourceKind.TOOL_RESULT,
    "system": SourceKind.SYSTEM,
    "participant": SourceKind.DOCUMENT,
}
"""What a quote from a turn of this role is worth as a source. A participant is a person who is not the user."""


TYPED = "typed-"
"""What the ids of sessions begin with that hold what a user typed at `remember`: each turn there only says what its
record says."""


def is_typed(session: str) -> bool:
    """Whether a session id is one of typed text."""
    return session.startswith(TYPED)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation. `id` is the host's own or made by us; `scope` owns its turns."""

    id: str
    scope: Scope
    user: str
    agent: str
    project: str | None
    channel: str | None
    opened_at: datetime
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance of a session.

    `key` is its index key (0 before it is stored). `said_at` is when it was said; `zone_assumed` marks a time whose
    zone an importer had to assume, `time_text` keeps the original. `message_id` makes a repeated append harmless.
    `portability` is how far it carries beyond the session's project.
    """

    id: str
    session: str
    seq: int
    role: Role
    speaker: str
    text: str
    said_at: datetime
    message_id: str
    key: int = 0
    source: SourceKind = SourceKind.USER_STATEMENT
    sensitivity: Sensitivity = Sensitivity.NORMAL
    recorded_at: datetime | None = None
    zone_assumed: bool = False
    time_text: str | None = None
    portability: Portability = Portability.PORTABLE


def names_of(turn: Turn, user: str) -> tuple[str, ...]:
    """How a statement may call whoever said a turn; `user` is what the user is called."""
    known = (turn.speaker, "user", user) if turn.role == "user" else (turn.speaker,)
    return tuple(dict.fromkeys(known))
