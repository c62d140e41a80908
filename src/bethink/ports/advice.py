"""What may be asked of a model, when a host hands one in. Without one, rules decide; no read asks it.

An adviser's text is untrusted like any: it is bounded, screened, and may say nothing that its sources do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol


class ProfileWriter(Protocol):
    """Writes what is known of an entity as one text."""

    def write(self, name: str, statements: Sequence[str]) -> str:
        """A profile of at most 2,000 characters, made of these statements alone."""
        ...


@dataclass(frozen=True, slots=True)
class Side:
    """One of two statements that are compared."""

    text: str
    type: str
    subject: str | None
    attribute: str | None
    source: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """Two statements, the older one first, and how alike their texts are."""

    a: Side
    b: Side
    cosine: float


PairDecision = Literal["keep_both", "merge", "supersede_a", "supersede_b"]
TensionLabel = Literal["contradictory", "redundant", "independent"]


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What becomes of two statements: both stay, one gives way to the other, or `text` stands for both."""

    decision: PairDecision
    text: str | None = None


class PairJudge(Protocol):
    """Decides about statements that may say the same. `name` stands beside each decision."""

    @property
    def name(self) -> str: ...  # noqa: D102 - the class docstring says it

    def review(self, pairs: Sequence[PairQuestion]) -> Sequence[PairVerdict]:
        """One verdict a pair, in their order; at most ten pairs a call."""
        ...


class TensionJudge(Protocol):
    """Says whether statements contradict each other. `name` stands beside each label."""

    @property
    def name(self) -> str: ...  # noqa: D102 - the class docstring says it

    def label(self, pairs: Sequence[PairQuestion]) -> Sequence[TensionLabel]:
        """One label a pair, in their order; at most ten pairs a call."""
        ...


@dataclass(frozen=True, slots=True)
class Advisers:
    """The models a host hands in, None where rules decide."""

    profiles: ProfileWriter | None = None
    pairs: PairJudge | None = None
    tensions: TensionJudge | None = None
