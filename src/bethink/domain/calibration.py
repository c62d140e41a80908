"""How an embedding space's cosines read. What is alike in one model's space is unrelated in another's.

Every number that a cosine is compared with, the floors of the types table first, is set on the scale of the built-in
encoder. A space says where its own cosines lie on it, by a line through two points: what unrelated texts have, and
what a question has with its evidence, or, where nobody measured that, what a text has with itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NOTICED = 0.2
"""The least cosine of unrelated texts that counts as the space's own: eight sentences tell it to about a tenth."""

SAME = 0.95
"""A space in which unrelated sentences are as alike as this tells nothing apart, and nothing of it can be read."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where a space's cosines lie.

    `floor_scale` multiplies the floors of the types table; `zero` is the cosine of texts that have nothing in common.
    Both are on the built-in scale, on which a cosine `c` of the space is ``(c - shift) / stretch``.
    """

    floor_scale: float = 1.0
    zero: float = 0.0
    shift: float = 0.0
    stretch: float = 1.0

    def own(self, cosine: float) -> float:
        """What a cosine of the built-in scale is in this space, to a millionth."""
        return round(self.shift + self.stretch * cosine, 6)

    def read(self, cosine: float) -> float:
        """What a cosine of this space is on the built-in scale."""
        return (cosine - self.shift) / self.stretch

    def floor(self, tabled: float) -> float:
        """The cosine from which meaning alone speaks, for a floor of the types table."""
        return self.own(tabled * self.floor_scale)


CALIBRATIONS: dict[str, Calibration] = {
    "all-MiniLM-L6-v2": Calibration(floor_scale=1.1, zero=0.15),
    "multilingual-e5-small": Calibration(floor_scale=1.1, zero=0.15, shift=0.724, stretch=0.234),
}
"""By model name, from `bethink eval floor` on LoCoMo.

A question and a turn of another conversation have a mean cosine of 0.145 in all-MiniLM-L6-v2 (95th percentile 0.335)
and of 0.758 in multilingual-e5-small (0.803); a question and the turn that answers it a median of 0.517 and of 0.845.
"""


def calibrated(model: str, unrelated: Sequence[float]) -> Calibration:
    """The calibration of a model: the measured one, else one by the cosines that its unrelated sentences have.

    Below `NOTICED` those say nothing, and the cosines are read as they are.
    """
    known = CALIBRATIONS.get(model)
    if known is not None or not unrelated:
        return known or Calibration()
    zero = round(sum(unrelated) / len(unrelated), 6)
    return Calibration(shift=zero, stretch=round(1 - zero, 6)) if NOTICED <= zero < SAME else Calibration()
