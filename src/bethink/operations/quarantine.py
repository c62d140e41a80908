"""The quarantine: what the screen held back, and what a person decides about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.record import Status

Verdict = Literal["release", "reject"]


@dataclass(frozen=True, slots=True)
class QuarantineRequest:
    """One page of what is held back, the newest first, `limit` at most; `before` is the `next` of the page before."""

    limit: int = 20
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """One record that is held back, fit to be looked at by a person and never to be put before a model.

    `text` is one safe line without secrets, `cut` whether it goes on. `rules` are those of the screen that apply today,
    none when they were changed since. `source_ref`, `session` and `creator` say where it came from and who wrote it.
    """

    id: str
    short_id: str
    text: str
    cut: bool
    rules: tuple[str, ...]
    type: str
    subject: str | None
    scope: str
    source: str
    source_ref: str
    creator: str
    session: str | None
    recorded_at: datetime
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class QuarantineResult:
    """A page; `next` asks for the one after it, None when there is none."""

    held: tuple[Held, ...]
    next: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What becomes of a record that is held back.

    ``release`` lets it be recalled as what it is: its source stays the one it came from, and it takes the place that
    source earns. ``reject`` hides it; ``forget`` with mode ``restore`` undoes that and holds it back again.

    `id` names the record, whole or short; `verdict` is one of the two; `reason` is kept beside the record.
    """

    id: str
    verdict: Verdict = "reject"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What became of it; `superseded` and `conflicts` name the records that its release concerns."""

    id: str
    short_id: str
    verdict: Verdict
    status: Status
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
