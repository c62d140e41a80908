"""Where a record came from, and what that is worth. Trust comes from who said it, never from how well it matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class SourceKind(StrEnum):
    """The kinds of source."""

    USER_STATEMENT = "user_statement"
    SYSTEM = "system"
    TOOL_RESULT = "tool_result"
    SESSION_SUMMARY = "session_summary"
    DOCUMENT = "document"
    IMPORT = "import"
    AGENT_INFERENCE = "agent_inference"


RANK: dict[SourceKind, int] = {
    SourceKind.USER_STATEMENT: 4,
    SourceKind.SYSTEM: 3,
    SourceKind.TOOL_RESULT: 2,
    SourceKind.SESSION_SUMMARY: 2,
    SourceKind.DOCUMENT: 2,
    SourceKind.IMPORT: 2,
    SourceKind.AGENT_INFERENCE: 1,
}
"""What may replace what: a record supersedes only records of equal or lower rank."""

CONFIDENCE: dict[SourceKind, float] = {
    SourceKind.USER_STATEMENT: 0.95,
    SourceKind.SYSTEM: 0.90,
    SourceKind.TOOL_RESULT: 0.85,
    SourceKind.SESSION_SUMMARY: 0.80,
    SourceKind.DOCUMENT: 0.80,
    SourceKind.IMPORT: 0.80,
    SourceKind.AGENT_INFERENCE: 0.60,
}
"""Initial confidence by source, before any reinforcement."""

AUTHORITY: dict[SourceKind, float] = {
    SourceKind.USER_STATEMENT: 1.0,
    SourceKind.SYSTEM: 0.7,
    SourceKind.TOOL_RESULT: 0.7,
    SourceKind.SESSION_SUMMARY: 0.7,
    SourceKind.DOCUMENT: 0.7,
    SourceKind.IMPORT: 0.7,
    SourceKind.AGENT_INFERENCE: 0.4,
}
"""The authority term of ranking: user statement over affirmed over inferred."""

UNTRUSTED = frozenset({SourceKind.TOOL_RESULT, SourceKind.DOCUMENT, SourceKind.IMPORT})
"""Text from outside: escaped harder, screened harder, never served as the user's own word."""

CONFIRMED = frozenset({SourceKind.USER_STATEMENT, SourceKind.SYSTEM})
"""What vouches for a record: its user, or the host. All else is evidence at most, whoever wrote it down."""

CONFIDENCE_STEP = 0.1
CONFIDENCE_MAX = 0.99


UPKEEP = "bethink"
"""The creator of what upkeep derives, in the place of an agent."""

TURN_REF = "turn:"
"""How a reference names the turn it stands for; the turn's id follows."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim quote and where it stands."""

    quote: str
    turn_id: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Who said it: the kind, a stable reference, its revision, the quote, and the agent that wrote it down."""

    kind: SourceKind
    ref: str
    creator: str
    revision: str | None = None
    evidence: Evidence | None = None
    role: str | None = None

    @property
    def rank(self) -> int:
        """The source's rank, 1 to 4."""
        return RANK[self.kind]


Derivation = Literal["direct", "derived"]


def derived_kind(parents: Iterable[SourceKind]) -> SourceKind:
    """The kind a derived record carries: its least trusted parent's; an inference when it has none."""
    return min(parents, key=lambda kind: (RANK[kind], kind.value), default=SourceKind.AGENT_INFERENCE)


def reinforced(confidence: float) -> float:
    """Confidence after one more independent source: +0.1, at most 0.99."""
    return min(CONFIDENCE_MAX, round(confidence + CONFIDENCE_STEP, 6))
