"""`check`, `repair` and the embedding of what waits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `check` found: where, what, and whether `repair` can rebuild it from the truth."""

    place: str
    text: str
    repairable: bool


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The state of a store: clean when `findings` is empty. `counts` are rows per table."""

    findings: tuple[Finding, ...]
    counts: dict[str, int]
    schema: int
    engine: str
    space: str | None
    embedding_pending: int
    traces_waiting: int


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
