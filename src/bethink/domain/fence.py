"""The fence: what a read may see, decided before anything is scored.

One value serves three engines: `admits` here is the meaning, the store compiles the same fence to SQL and to
numpy columns, and one property test holds the three together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.record import Status, StatusSpan
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind, Portability

Clause = Literal[
    "scope",
    "ceiling",
    "channel",
    "recorded",
    "status",
    "valid",
    "kind",
    "type",
    "source",
    "window",
    "changed",
    "project",
]
"""What a fence looks at, in the order it says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the fence looks at: the index card of one version or turn.

    `key` is its index key; `record` the id of the record (a turn's own id). ``[recorded_at, retired_at)`` is when
    the store knew this version, ``[valid_from, valid_until)`` when it holds in the world; None is open. `positions`
    says at which write each of the `statuses` began.
    """

    key: int
    record: str
    kind: Kind
    type: str
    scope: Scope
    recorded_at: datetime
    statuses: tuple[StatusSpan, ...]
    source: SourceKind = SourceKind.USER_STATEMENT
    channel: str | None = None
    sensitivity: Sensitivity = Sensitivity.NORMAL
    portability: Portability = Portability.PORTABLE
    project: str | None = None
    subject_key: str = ""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_at: datetime | None = None
    retired_at: datetime | None = None
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fence:
    """What may be read.

    Args:
        tenant: the tenant; nothing crosses it.
        scopes: the readable scopes, sorted by key; empty reads nothing.
        ceiling: the most sensitive record allowed.
        statuses: the statuses allowed.
        instant: the valid time asked about: `as_of`, or now.
        known_at: the recorded time asked about; None is the latest.
        kinds: allowed kinds; None is all.
        types: allowed types; None is all.
        sources: allowed kinds of source; None is all.
        channel: when set, only records of that channel.
        since, until: a half-open window on an entry's own time (`event_at`, else `valid_from`, else `recorded_at`).
        after: only what the store wrote behind this position: the version itself, or the status it has.
        project: the current project.
        isolate: whether the project is a wall (records of other projects excluded) rather than a preference.
        named_subjects: normalised subjects the query names; they admit local records of other projects.
        timeless: whether all of valid time is asked about and `instant` is not: for a write that looks for what it may
            replace, and for a record named by its id.
    """

    tenant: str
    scopes: tuple[Scope, ...]
    ceiling: Sensitivity
    statuses: frozenset[Status]
    instant: datetime
    known_at: datetime | None = None
    kinds: frozenset[Kind] | None = None
    types: frozenset[str] | None = None
    sources: frozenset[SourceKind] | None = None
    channel: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: int | None = None
    project: str | None = None
    isolate: bool = False
    named_subjects: frozenset[str] = frozenset()
    timeless: bool = False

    def admits(self, entry: Entry) -> bool:
        """Whether the entry may be read. Its tenant is the store's affair: an entry is read inside one tenant."""
        return not self.excluded_by(entry)

    def excluded_by(self, entry: Entry) -> Clause | None:
        """The first clause that keeps the entry out, None when it may be read."""
        clauses: dict[Clause, bool] = {
            "scope": entry.scope in self.scopes,
            "ceiling": entry.sensitivity <= self.ceiling,
            "channel": self.channel is None or entry.channel == self.channel,
            "recorded": self._known(entry),
            "status": self._standing(entry),
            "valid": self.timeless or _within(self.instant, entry.valid_from, entry.valid_until),
            "kind": self.kinds is None or entry.kind in self.kinds,
            "type": self.types is None or entry.type in self.types,
            "source": self.sources is None or entry.source in self.sources,
            "window": self._in_window(entry),
            "changed": self.after is None or self._changed(entry, self.after),
            "project": self._in_reach(entry),
        }
        return next((clause for clause, holds in clauses.items() if not holds), None)

    def _known(self, entry: Entry) -> bool:
        """Whether the version is the one the store knew."""
        if self.known_at is None:
            return entry.retired_at is None
        return _within(self.known_at, entry.recorded_at, entry.retired_at)

    def _standing(self, entry: Entry) -> bool:
        """Whether the status known at that time is allowed and speaks for the instant."""
        for span in entry.statuses:
            known = (
                span.recorded_to is None
                if self.known_at is None
                else _within(self.known_at, span.recorded_from, span.recorded_to)
            )
            if known:
                holds = self.timeless or span.ends_at is None or self.instant < span.ends_at
                return holds and span.status in self.statuses
        return False

    def _changed(self, entry: Entry, after: int) -> bool:
        """Whether the version, or the latest status known at that time, was written behind a position."""
        known = self.known_at
        begun = [
            position
            for span, position in zip(entry.statuses, entry.positions, strict=True)
            if known is None or span.recorded_from <= known
        ]
        return entry.key > after or max(begun, default=after) > after

    def _in_window(self, entry: Entry) -> bool:
        """Whether the entry's own time lies in the asked window."""
        if self.since is None and self.until is None:
            return True
        return _within(entry.event_at or entry.valid_from or entry.recorded_at, self.since, self.until)

    def _in_reach(self, entry: Entry) -> bool:
        """Whether the entry carries here: a wall keeps other projects out, else only local records stay home."""
        if entry.project is None or entry.project == self.project:
            return True
        if self.isolate:
            return False
        return entry.portability is not Portability.LOCAL or (
            bool(entry.subject_key) and entry.subject_key in self.named_subjects
        )


def _within(instant: datetime, start: datetime | None, end: datetime | None) -> bool:
    """Whether ``start <= instant < end``, None being open."""
    return (start is None or start <= instant) and (end is None or instant < end)
