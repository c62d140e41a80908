"""What the core asks of the pairs of a store: records that may say the same, or contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

PairKind = Literal["near", "tension"]
Decided = Literal[
    "keep_both", "merge", "supersede_a", "supersede_b", "contradictory", "redundant", "independent", "void"
]
"""What was decided about a pair, of which `first` is a and `second` b. ``void``: one of them is gone."""


@dataclass(frozen=True, slots=True)
class RecordPair:
    """Two records and how alike their texts are; a pair has no order, so `first` is the lesser id."""

    first: str
    second: str
    kind: PairKind
    cosine: float

    @staticmethod
    def of(one: str, other: str, kind: PairKind, cosine: float) -> RecordPair:
        """The pair of two records, whichever is named first."""
        low, high = sorted((one, other))
        return RecordPair(low, high, kind, cosine)


@dataclass(frozen=True, slots=True)
class FreshRecord:
    """A record as its newest entry names it: its id, its owner's key, where it was learned, and the entry's key."""

    id: str
    scope: str
    project: str | None
    key: int


class PairReads(Protocol):
    """Reading pairs of a tenant."""

    def fresh(self, after: int, until: int, limit: int) -> tuple[FreshRecord, ...]:
        """Beliefs whose live version was written between two positions, in the order they were."""
        ...

    def place(self, record_id: str) -> tuple[str, str | None] | None:
        """The key of a record's owner and the project it was learned in, whoever may read it: for upkeep."""
        ...

    def waiting(self, kind: PairKind) -> int:
        """How many pairs nobody decided about yet."""
        ...


class PairWrites(PairReads, Protocol):
    """Writing pairs."""

    def note(self, pair: RecordPair, at: datetime) -> bool:
        """Keep a pair to be decided about; whether it is a new one."""
        ...

    def claim(self, kind: PairKind, at: datetime, until: datetime, limit: int) -> tuple[RecordPair, ...]:
        """Take pairs nobody decided about, oldest first; nobody else is given them before `until`."""
        ...

    def decide(self, pair: RecordPair, decision: Decided, by: str, at: datetime) -> None:
        """Write down what was decided, and by whom."""
        ...

    def reopen(self, pair: RecordPair, at: datetime) -> None:
        """Let a pair that turned out to say the same be decided about as such."""
        ...
