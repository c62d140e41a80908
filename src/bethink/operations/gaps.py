"""`fill_gaps`: whether a turn needs memory, decided by what a draft lacks and not by what resembles the turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bethink.operations.recall import RecallResult

GapKind = Literal["preference", "personal", "relationship_or_event", "prior_decision", "constraint", "task_state"]
"""What kind of thing is missing."""

Verdict = Literal["helpful", "redundant", "insufficient", "stale_or_conflicting", "potentially_harmful"]
"""What a record would do to the draft."""

Disposition = Literal["no_gaps", "no_candidates", "nothing_admitted", "admitted"]
"""How it ended: the draft stands in all but the last."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that an answer to the turn depends on and that the turn does not say.

    `question` is what memory is asked; `reason` the rule that saw it, empty where the host did.
    """

    kind: GapKind
    question: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GapsRequest:
    """A turn, and the draft that answers it without memory.

    Args:
        text: the user's turn.
        draft: the answer so far; empty where there is none yet.
        gaps: what the host's own planner found missing; the rules look for themselves where None. At most three are
            asked.
        session: the session it belongs to.
        budget_tokens: the size of each gap's block.
    """

    text: str
    draft: str = ""
    gaps: tuple[Gap, ...] | None = None
    session: str | None = None
    budget_tokens: int = 500


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate for a gap, and what it would do to the draft."""

    id: str
    gap: int
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Filled:
    """One gap with its recall: the block holds what was admitted, the trace what was not and why."""

    gap: Gap
    answer: RecallResult


@dataclass(frozen=True, slots=True)
class GapsResult:
    """What was missing, what memory has for it, and what to do.

    `needed` says whether the draft has to be written anew, with `rendered` appended to the turn; the draft stands as it
    is otherwise, and `disposition` says why. Without a gap nothing is searched. `policy` names the rules.
    """

    needed: bool
    disposition: Disposition
    gaps: tuple[Gap, ...]
    filled: tuple[Filled, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    rendered: str = ""
    policy: str = ""
