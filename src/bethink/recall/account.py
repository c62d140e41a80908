"""The account of one recall: everything the steps came to, from which answer and trace are both written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bethink.domain.hit import Scored
from bethink.domain.trace import Cut, Mismatch
from bethink.recall.arms import Findings
from bethink.recall.budget import Fitted
from bethink.recall.gate import Gated
from bethink.recall.reader import Asked


@dataclass(frozen=True, slots=True, eq=False)
class Account:
    """What every step came to. `ranked` is the whole pool in order, `cuts` what each stage took out of it."""

    asked: Asked
    findings: Findings
    ranked: tuple[Scored, ...]
    gated: Gated
    cuts: tuple[Cut, ...]
    fitted: Fitted
    short_ids: Mapping[str, str]
    rendered: str
    policy: str
    mismatch: Mismatch | None = None
