"""How far a session was read for beliefs: a watermark, and who reads it now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.scope import Scope

ReadingOutcome = Literal["", "stored", "nothing_to_store", "extraction_failed"]
"""What the last reading came to; empty before the first."""


@dataclass(frozen=True, slots=True)
class SessionReading:
    """How a session stands with its readers.

    Turns from `next_seq` on wait. Whoever reads holds `claim` until `claimed_until`, and reads the turns before
    `upto`. `problem` is the code of what went wrong last, `runs` counts readings, `summary_id` is the session's one
    summary.
    """

    scope: Scope
    session: str
    next_seq: int = 0
    upto: int = 0
    claim: str | None = None
    claimed_until: datetime | None = None
    outcome: ReadingOutcome = ""
    problem: str | None = None
    runs: int = 0
    summary_id: str | None = None
