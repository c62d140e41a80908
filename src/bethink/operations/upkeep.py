"""`check`, `repair` and the embedding of what waits."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `check` found: where, what, and whether `repair` can rebuild it from the truth."""

    place: str
    text: str
    repairable: bool


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The state of a store: clean when `findings` is empty. `counts` are rows per table.

    `reads` says, for a store with a replica, how many reads of this process each server answered: `replica`,
    `primary`, and of the latter how many since the replica was `behind` or `away`.
    """

    findings: tuple[Finding, ...]
    counts: dict[str, int]
    schema: int
    engine: str
    space: str | None
    embedding_pending: int
    traces_waiting: int
    reads: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TracesChecked:
    """The state of the stored traces: sound when `findings` is empty. `count` is how many there are."""

    findings: tuple[Finding, ...]
    count: int


@dataclass(frozen=True, slots=True)
class RepairResult:
    """What was rebuilt, per derived part, and what is left. Records are never dropped."""

    rebuilt: dict[str, int]
    left: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """What embedding came to: entries that got their vector, and how many of them were split into how many nodes.

    An entry is split when it is longer than the model reads at once; each of its nodes has a vector of its own.
    """

    embedded: int = 0
    split: int = 0
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class PassReport:
    """What a pass of upkeep did: how many things it looked at, what it changed by name, and whether more is due."""

    looked: int
    changed: dict[str, int] = field(default_factory=dict)
    more: bool = False
