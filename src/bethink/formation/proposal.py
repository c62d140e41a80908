"""What is decided about and what comes of it: a proposal, what it meets, and the decision to write. Values alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bethink.domain.record import Content, NewRecord, Record, Status, StatusSpan, Usage
from bethink.domain.rejection import Rejection
from bethink.domain.types import type_rule
from bethink.operations.remember import Outcome

RETRACT = "retract"
"""The polarity of a statement that takes another one back."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One statement to decide about.

    `at` is the transaction's recorded time; `support` names the source for counting independence; `expires_at` when to
    stop recalling it; `entities` its (entity id, role) links. `narrows` says that the user named how far it carries, so
    that the same words known more widely are withdrawn elsewhere. `revises` is the record it was named to replace.
    `said_at` is when it was said: at its event's time, or now, unless given.
    """

    id: str
    content: Content
    at: datetime
    support: str
    expires_at: datetime | None = None
    entities: tuple[tuple[str, str], ...] = ()
    narrows: bool = False
    revises: str | None = None
    said_at: datetime | None = None

    @property
    def keyed(self) -> bool:
        """Whether it states a fact that a later one may replace: subject, attribute and a type that supersedes."""
        return bool(self.content.subject_key and self.content.attribute_key and type_rule(self.content.type).supersedes)

    @property
    def placed(self) -> bool:
        """Whether it takes a place on a timeline: that of its fact, or that of the one record it revises."""
        return self.keyed or self.revises is not None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What the proposal meets inside its scope.

    `twins` say exactly its words under its type and are live; `track` are the live and superseded records of its
    subject and attribute; `supporters` maps a twin's id to the sources that already support it; `outdated` are live
    records of its source at other revisions, `rejections` those of its words.
    """

    twins: tuple[Record, ...] = ()
    track: tuple[Record, ...] = ()
    supporters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    outdated: tuple[Record, ...] = ()
    rejections: tuple[Rejection, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What to write.

    `id` holds the statement afterwards. `record` is a new one to add; `spans` are changes of standing of others (or of
    the reinforced record itself), `usage` the reinforced record's new counters, `restated` its next version, `support`
    the source to count for it. `superseded` and `conflicts` name the others concerned. `stale` are next versions of
    records whose source has moved on, `withdrawn` the turns that hold the words of what was narrowed, `lifted` the
    rejections that count no more.
    """

    outcome: Outcome
    id: str
    status: Status
    record: NewRecord | None = None
    spans: tuple[tuple[str, StatusSpan], ...] = ()
    usage: Usage | None = None
    restated: Content | None = None
    support: str | None = None
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    stale: tuple[tuple[str, Content], ...] = ()
    withdrawn: tuple[str, ...] = ()
    lifted: tuple[str, ...] = ()
