"""What reads sessions for beliefs, and what reviews what was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bethink.domain.record import Record
from bethink.domain.transcript import Passage, Transcript
from bethink.operations.extraction import Assessment, Suggested, Suggestion


class Extractor(Protocol):
    """Suggests beliefs. It is separate from the model that serves the user, and never sees what may not be read."""

    @property
    def name(self) -> str: ...  # noqa: D102 - it says who suggested, in events

    def suggest(self, transcript: Transcript) -> Suggested:
        """What the unread passages support; the passages before are context alone.

        Raises:
            ModelError: there is no usable answer.
        """
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """One suggestion before its reviewer: the turn it quotes, the turns around it, and what is known of its subject."""

    suggestion: Suggestion
    passage: Passage
    around: tuple[Passage, ...] = ()
    known: tuple[Record, ...] = ()


class Reviewer(Protocol):
    """Accepts, rejects or narrows suggestions before anything is stored."""

    def review(self, cases: Sequence[Case]) -> tuple[Assessment, ...]:
        """One word on each case, by its place.

        Raises:
            ModelError: there is no usable answer; nothing of the session is stored then.
        """
        ...


@dataclass(frozen=True, slots=True)
class Readers:
    """Who reads sessions that ended: who suggests beliefs, and who reviews what was suggested."""

    extractor: Extractor
    reviewer: Reviewer
