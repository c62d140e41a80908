"""`session`: open, turn, close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bethink.domain.scope import Sensitivity, Target
from bethink.domain.session import Role
from bethink.operations.common import Notice


@dataclass(frozen=True, slots=True)
class OpenSessionRequest:
    """Open a session, or take up the one with this id.

    `target` names the scope that owns its turns, `opened_at` when it began; now unless given.
    """

    id: str | None = None
    target: Target = "personal"
    opened_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TurnInput:
    """One utterance to append: its `text`, by whom, and when it was `said_at`; now unless given.

    `message_id` makes a repeat harmless; without it the speaker, the stated time and the words do. `imported` marks
    what was read from a file rather than said here: its source kind is ``import``. What is `local` is read in its own
    project alone, as a mail in its account; what is concluded from it carries as context at most. What the `role`
    ``system`` says is checked and not kept. `sensitivity` is how far it may travel. `time_text` keeps a time's original
    words, and `zone_assumed` says that they named no zone.
    """

    text: str
    role: Role = "user"
    speaker: str | None = None
    said_at: datetime | None = None
    message_id: str | None = None
    sensitivity: Sensitivity = Sensitivity.NORMAL
    zone_assumed: bool = False
    time_text: str | None = None
    imported: bool = False
    local: bool = False


@dataclass(frozen=True, slots=True)
class SessionTurns:
    """Utterances of one session, in order; it is opened at that time where it is not open yet."""

    session: str
    opened_at: datetime | None
    turns: Sequence[TurnInput]


@dataclass(frozen=True, slots=True)
class TurnsResult:
    """Ids of the turns stored, in order; `repeated` counts those the session held already."""

    ids: tuple[str, ...]
    repeated: int
    embedding_pending: int = 0
    notices: tuple[Notice, ...] = ()
