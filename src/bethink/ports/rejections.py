"""What the core asks of the rejections of a store, and of the subjects that were asked for in vain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bethink.domain.rejection import Rejection
from bethink.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class AskedInVain:
    """Who asked for what: the subject by its folded name, and the entity that alone answers to it, if any."""

    user: str
    subject: str
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """A subject that a user asked for in vain: a keyed hash of its name, its entity if it has one, how often, when."""

    user: str
    subject: str
    entity: str | None
    asked: int
    first_at: datetime
    last_at: datetime


class RejectionReads(Protocol):
    """Reading the rejections of a tenant. Statements come in as text and are looked for by keyed hashes."""

    def matching(self, scope: Scope, statements: Sequence[str]) -> tuple[Rejection, ...]:
        """The rejections of any of these statements in a scope, the latest first."""
        ...

    def of(self, record_ids: Sequence[str]) -> tuple[Rejection, ...]:
        """The rejections of records, the latest first."""
        ...

    def hints(self, user: str, least: int, limit: int) -> tuple[Hint, ...]:
        """A user's subjects asked for in vain at least so often, the most often first."""
        ...


class RejectionWrites(RejectionReads, Protocol):
    """Writing them. Statements come in as text and are kept as keyed hashes."""

    def add(self, rejection: Rejection, statements: Sequence[str]) -> None:
        """Keep a rejection under what it rejects."""
        ...

    def lift(self, rejection_id: str) -> None:
        """It counts no more: what it rejected was said anew by who may."""
        ...

    def note_hint(self, asked: AskedInVain, times: int, at: datetime) -> None:
        """A subject was asked for in vain, so often more."""
        ...

    def answered(self, user: str, subject: str) -> None:
        """Something is known of the subject with this folded name now: no hint is needed."""
        ...
