"""The prior: what a row's place or age makes of its vote. The one function p(row) for every such weight.

Nothing else weighs a match by where its row stands. A prior orders and never admits: the gate reads the match without
it. Every field's default is the identity, so an unset prior changes no byte of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.hit import Candidate
from bethink.domain.query import TimeSpan
from bethink.domain.time import days_between

Trust = Literal["sure", "likely", "vague"]

OUTSIDE: dict[Trust, float] = {"sure": 0.5, "likely": 0.7, "vague": 0.85}
"""What is left of the vote of a row outside a declared time, by how sure the caller is of it: never nothing."""


@dataclass(frozen=True, slots=True)
class Prior:
    """p(row), the product of what place, age and a declared time say.

    A row's distance is how many writes of its tenant came after it. `window` rows vote in full; None is all of them.
    Beyond, as far as `reach`, the first `far_rows` in the candidates' order vote at `far_weight`; what lies further
    does not vote.

    Args:
        window: the distance up to which a row votes in full.
        reach: the distance up to which it votes at all; None is the window's.
        far_rows: how many rows between the two vote; None is all.
        far_weight: what such a vote is worth, 0 to 1.
        age_rate: per hour of age; p = max(floor, 1 / (1 + hours · rate)).
        age_floor: what age leaves at least.
        cue: a half-open window of time that the caller declares.
        trust: how sure the caller is of it.
    """

    window: int | None = None
    reach: int | None = None
    far_rows: int | None = None
    far_weight: float = 1.0
    age_rate: float = 0.0
    age_floor: float = 0.3
    cue: TimeSpan | None = None
    trust: Trust = "vague"

    def weights(self, rows: Sequence[Candidate], instant: datetime, position: int) -> tuple[float, ...]:
        """What each row's vote is worth, 0..1, in the given order, which is that of the far list.

        Args:
            rows: the candidates.
            instant: the time the answer speaks for; ages are taken from it.
            position: the store's write counter, from which distances are taken.
        """
        placed = self._placed([position - row.key for row in rows])
        return tuple(at * self._aged(row, instant) for at, row in zip(placed, rows, strict=True))

    def _placed(self, distances: Sequence[int]) -> list[float]:
        """What the place of each row leaves of its vote."""
        window = self.window
        if window is None:
            return [1.0] * len(distances)
        reach, left = window if self.reach is None else self.reach, self.far_rows
        votes = []
        for distance in distances:
            far = window <= distance < reach and (left is None or left > 0)
            if far and left is not None:
                left -= 1
            votes.append(1.0 if distance < window else self.far_weight if far else 0.0)
        return votes

    def _aged(self, row: Candidate, instant: datetime) -> float:
        """What age and a declared time leave of a row's vote."""
        own = row.event_at or row.valid_from or row.recorded_at
        vote = 1.0
        if self.age_rate:
            vote = max(self.age_floor, 1 / (1 + days_between(own, instant) * 24 * self.age_rate))
        if self.cue is not None and not self.cue.start <= own < self.cue.end:
            vote *= OUTSIDE[self.trust]
        return vote
