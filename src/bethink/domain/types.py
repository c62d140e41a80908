"""The types of record: one table gives each its kind, decay, reach, floor and supersession rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from bethink.errors import InvalidInput


class Kind(StrEnum):
    """The three kinds. A belief is semantic or procedural, an episode episodic."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Portability(IntEnum):
    """How far a record carries beyond the project it was learned in."""

    LOCAL = 0
    CONTEXTUAL = 1
    PORTABLE = 2


@dataclass(frozen=True, slots=True)
class TypeRule:
    """What follows from a type.

    `decay_days` is τ of the reinforcement term (None: never decays). `portability` is the ceiling; a writer may
    lower it. `floor` is the cosine a match needs when nothing else speaks for it, as a share of the embedding
    space's own scale. `supersedes` says whether a new record of the type may replace an older one.
    `writable` says whether a caller may write it with `remember`.
    """

    kind: Kind
    decay_days: float | None
    portability: Portability
    floor: float
    supersedes: bool
    writable: bool


_S, _E, _P = Kind.SEMANTIC, Kind.EPISODIC, Kind.PROCEDURAL
_LOCAL, _CONTEXTUAL, _PORTABLE = Portability.LOCAL, Portability.CONTEXTUAL, Portability.PORTABLE

ENTITY_PROFILE, SESSION_SUMMARY = "entity_profile", "session_summary"
"""The types of what is derived, which no caller writes."""

TYPES: dict[str, TypeRule] = {
    "fact": TypeRule(_S, 30, _CONTEXTUAL, 0.45, supersedes=True, writable=True),
    "preference": TypeRule(_S, 180, _PORTABLE, 0.45, supersedes=True, writable=True),
    "relationship": TypeRule(_S, 365, _CONTEXTUAL, 0.45, supersedes=True, writable=True),
    "user_attribute": TypeRule(_S, 180, _PORTABLE, 0.45, supersedes=True, writable=True),
    "project_fact": TypeRule(_S, 30, _CONTEXTUAL, 0.45, supersedes=True, writable=True),
    "decision": TypeRule(_S, 90, _CONTEXTUAL, 0.45, supersedes=True, writable=True),
    "constraint": TypeRule(_S, 180, _PORTABLE, 0.45, supersedes=True, writable=True),
    "resource": TypeRule(_S, 90, _CONTEXTUAL, 0.45, supersedes=True, writable=True),
    ENTITY_PROFILE: TypeRule(_S, None, _CONTEXTUAL, 0.45, supersedes=True, writable=False),
    "turn": TypeRule(_E, None, _PORTABLE, 0.40, supersedes=False, writable=False),
    "event": TypeRule(_E, None, _CONTEXTUAL, 0.40, supersedes=False, writable=True),
    SESSION_SUMMARY: TypeRule(_E, None, _CONTEXTUAL, 0.40, supersedes=False, writable=False),
    "execution_summary": TypeRule(_E, None, _CONTEXTUAL, 0.40, supersedes=False, writable=False),
    "procedure": TypeRule(_P, 90, _PORTABLE, 0.45, supersedes=True, writable=True),
}

WRITABLE = tuple(sorted(name for name, rule in TYPES.items() if rule.writable))
"""The allow-list of `remember`."""


LASTING = frozenset({"preference", "constraint", "procedure"})
"""Types of what stands until it is taken back and steers what agents do: their user should see them being written."""


def type_rule(name: str) -> TypeRule:
    """The rule of a type.

    Raises:
        InvalidInput: no such type.
    """
    rule = TYPES.get(name)
    if rule is None:
        msg = f"Type {name[:40]!r} is none of {', '.join(sorted(TYPES))}."
        raise InvalidInput(msg)
    return rule
