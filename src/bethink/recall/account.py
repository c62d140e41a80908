"""The account of one recall: everything the steps came to, from which answer and trace are both written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bethink.domain.hit import Scored
from bethink.domain.trace import Cut, Mismatch
from bethink.operations.recall import EntityProfile
from bethink.recall.arms import Findings
from bethink.recall.budget import Fitted
from bethink.recall.gate import Gated
from bethink.recall.narrow import Ranking
from bethink.recall.reader import Asked


@dataclass(frozen=True, slots=True, eq=False)
class Account:
    """What every step came to. `cuts` is what each stage took out of what was found."""

    asked: Asked
    findings: Findings
    ranking: Ranking
    gated: Gated
    cuts: tuple[Cut, ...]
    fitted: Fitted
    short_ids: Mapping[str, str]
    rendered: str
    mismatch: Mismatch | None = None
    profiles: tuple[EntityProfile, ...] = ()

    @property
    def ranked(self) -> tuple[Scored, ...]:
        """What was ranked, in order."""
        return self.ranking.ranked

    @property
    def policy(self) -> str:
        """The name of the rules that the answer goes by."""
        return self.asked.policy
