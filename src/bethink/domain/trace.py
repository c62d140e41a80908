"""The trace: the stored account of one recall, written from the pass that rendered the block.

It is a value the pipeline returns. `rendered_sha256` covers the exact bytes of the block. Operator fields expire on a
schedule; the rest lives and dies with what it speaks of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

Moment = Literal["snapshot", "in_turn", "child_run", "tool", "passive", "mention"]
TraceState = Literal["stored", "deferred", "failed", "off"]
Cause = Literal["person", "period"]

OPERATOR_DAYS = 30
"""How long operator fields are kept."""


@dataclass(frozen=True, slots=True)
class TracedBelief:
    """One rendered item as a user may see it. `used` turns true when the answer cites it.

    `day`, `speaker` and `marks` are what its line of the block shows beside the statement.
    """

    id: str
    short_id: str
    subject: str | None
    statement: str
    learned_at: datetime
    origin: str | None
    carried: bool
    authority: str
    source_episode: str | None
    band: str
    used: bool = False
    day: str = ""
    speaker: str = ""
    marks: tuple[str, ...] = ()


class Cut(NamedTuple):
    """What a stage cut: the stage, the record and why, with the number it missed by where there is one.

    A named tuple, for a recall makes a hundred of them.
    """

    stage: str
    id: str
    reason: str
    value: float | None = None
    bound: float | None = None


NOTED: Mapping[Cause, float] = {"person": 0.6, "period": 0.75}
"""The score from which a mismatch is told, by what does not fit: what happened is often told of at another time."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """How far what was found speaks of another person or period than the question names.

    `score` in 0..1 is one half where both answer the question's words alike, 1 where only the other one does.
    `asked` is whom or when the question names, `found` who said, or when was said, what answers its words best, `id`
    that item.
    """

    score: float
    cause: Cause
    asked: str
    found: str
    id: str
    reason: str

    @property
    def noted(self) -> bool:
        """Whether an answer says so."""
        return self.score >= NOTED[self.cause]


@dataclass(frozen=True, slots=True)
class Trace:
    """One recall, whole.

    `arms` holds per arm its hits (id, rank, raw score), how many matched, its time and its degradation;
    `pool` every candidate with its score parts, best first; `returned` and `cuts` what became of each; `passed_over`
    how many more the arms found, for which the pool had no room. `considered` counts the pool, and outlives it.
    `mismatch` stands there whenever it could be judged, noted or not. `stages_ms` times each step. `position` is the
    store's write counter the recall read at.
    """

    id: str
    tenant: str
    user: str
    agent: str
    created_at: datetime
    moment: Moment
    surface: str
    ceiling: str
    query: Mapping[str, Any]
    policy: str
    position: int
    rendered: str
    rendered_sha256: str
    as_of: datetime
    session: str | None = None
    arms: tuple[Mapping[str, Any], ...] = ()
    pool: tuple[Mapping[str, Any], ...] = ()
    returned: tuple[str, ...] = ()
    cuts: tuple[Cut, ...] = ()
    passed_over: int = 0
    considered: int = 0
    blocked: tuple[str, ...] = ()
    carried_in: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, str], ...] = ()
    cited: tuple[str, ...] = ()
    beliefs: tuple[TracedBelief, ...] = ()
    degraded: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    empty_reason: str | None = None
    mismatch: Mismatch | None = None
    tokens: int = 0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    operator_fields_expire_at: datetime | None = None
    erased: bool = False

    @property
    def carried_used(self) -> tuple[str, ...]:
        """Those of the records carried in from other projects that were used: how far they prove useful there."""
        return tuple(item for item in self.carried_in if item in self.cited)

    @property
    def owned_resources(self) -> bool:
        """Whether the query looked up what the user owns; one stored before it could did not."""
        return bool(self.query.get("include_owned_resources", False))


def rendered_hash(rendered: str) -> str:
    """SHA-256 over the UTF-8 bytes of the block, in hex."""
    return hashlib.sha256(rendered.encode()).hexdigest()
