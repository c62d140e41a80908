"""The record: identity, content, source, two clocks, lifecycle.

Content never changes in place. A change closes one version and inserts the next; a change of standing adds a
`StatusSpan`. What a store once knew therefore stays one query away.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from bethink.domain.invisible import INVISIBLE
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import Derivation, Source, SourceKind
from bethink.domain.types import LASTING, Kind, Portability
from bethink.errors import InvalidInput


class Status(StrEnum):
    """Where a record stands."""

    PROPOSED = "proposed"
    PROVISIONAL = "provisional"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    DELETED = "deleted"


TEMPORARY = "temporary"
"""The flag of a passing preference; it lives on a timeline of its own, beside the standing one."""

STALE = "stale"
"""The flag of a record whose source has moved on: still read, with a penalty and a mark."""

REVIEW = "review"
"""The flag of what somebody should look at: still read, with a penalty and a mark."""

QUARANTINED = "quarantined"
"""The flag of a text held back by the screen; it neither ends anything nor is ended."""

RELEASED = "released"
"""The flag of a text that was held back and that a person let go: the screen does not hold it back again."""

LIVE = frozenset({Status.PROVISIONAL, Status.ACTIVE})
"""What a live recall may read."""

HISTORICAL = LIVE | {Status.SUPERSEDED, Status.EXPIRED}
"""What a recall with `as_of` may read: a superseded record still answers for the time it held."""

_DOTTED = "i\u0307"
"""What the capital of Turkish `i` becomes in small letters."""
_SPELLED = {0x2018: "'", 0x2019: "'", 0x2BC: "'", 0x2010: "-"}
"""What a keyboard or a program that typesets makes of the apostrophes and hyphens of a name."""
_HIDDEN = re.compile(f"[{INVISIBLE}]")

TRANSITIONS: dict[Status, frozenset[Status]] = {
    Status.PROPOSED: frozenset({Status.PROVISIONAL, Status.ACTIVE, Status.SUPERSEDED, Status.DELETED}),
    Status.PROVISIONAL: frozenset(
        {Status.PROVISIONAL, Status.ACTIVE, Status.SUPERSEDED, Status.EXPIRED, Status.ARCHIVED, Status.DELETED}
    ),
    Status.ACTIVE: frozenset(
        {Status.PROVISIONAL, Status.ACTIVE, Status.SUPERSEDED, Status.EXPIRED, Status.ARCHIVED, Status.DELETED}
    ),
    Status.SUPERSEDED: frozenset({Status.SUPERSEDED, Status.ACTIVE, Status.ARCHIVED, Status.DELETED}),
    Status.EXPIRED: frozenset({Status.PROVISIONAL, Status.ACTIVE, Status.ARCHIVED, Status.DELETED}),
    Status.ARCHIVED: frozenset({Status.ACTIVE, Status.PROVISIONAL, Status.DELETED}),
    Status.DELETED: frozenset({Status.ACTIVE, Status.PROVISIONAL, Status.SUPERSEDED, Status.EXPIRED, Status.ARCHIVED}),
}
"""Every legal change of status. DELETED back to what it was is the undo of ``forget --mode stop``; a same-status
entry moves only the end of the span (an expiry extended, a supersession dated more exactly). ACTIVE becomes PROVISIONAL
when contradictions leave it less sure than a record may be to stand."""

GRACE = timedelta(days=30)
"""A provisional record expires this long after creation or its last independent reinforcement."""


def check_transition(before: Status, after: Status) -> None:
    """Pass when the table allows the change.

    Raises:
        InvalidInput: it does not.
    """
    if after not in TRANSITIONS[before]:
        msg = f"A record that is {before} cannot become {after}."
        raise InvalidInput(msg)


@dataclass(frozen=True, slots=True)
class StatusSpan:
    """One status over a recorded interval ``[recorded_from, recorded_to)``.

    `ends_at` bounds the valid time the status speaks for: the expiry of a provisional record, the instant a
    superseded fact stopped holding. None is open.
    """

    status: Status
    recorded_from: datetime
    recorded_to: datetime | None = None
    ends_at: datetime | None = None
    successor: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record was learned: relevance, not isolation."""

    project: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Counters that move. Evidence and use have separate clocks; use never raises confidence."""

    confidence: float
    evidence_count: int = 1
    last_evidence_at: datetime | None = None
    last_used_at: datetime | None = None
    utility: float = 0.0
    review_flagged_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """One version's words and what they are about. All of it is immutable but for erasure.

    `subject` is the subject as written, `subject_key` its normalised form; with `attribute` it is the key of
    "the same fact". `flags` holds any of temporary, stale, review, quarantined, released.
    """

    text: str
    type: str
    scope: Scope
    source: Source
    subject: str | None = None
    attribute: str | None = None
    subject_entity: str | None = None
    polarity: str = "assert"
    channel: str | None = None
    sensitivity: Sensitivity = Sensitivity.NORMAL
    portability: Portability = Portability.PORTABLE
    origin: Origin = Origin()
    derivation: Derivation = "direct"
    parents: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_at: datetime | None = None
    review_at: datetime | None = None
    flags: frozenset[str] = frozenset()
    tags: tuple[str, ...] = ()
    file_path: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def subject_key(self) -> str:
        """The normalised subject, empty without one."""
        return fold(self.subject or "")

    @property
    def attribute_key(self) -> str:
        """The normalised attribute, empty without one."""
        return attribute_key(self.attribute)

    @property
    def digest(self) -> str:
        """The content hash: two records of one scope and type with equal digests say the same words."""
        return content_digest(self.text)


@dataclass(frozen=True, slots=True)
class Record:
    """A belief or a written episode, whole, as one reader may see it.

    `key` is the index key of the shown version, unique and growing within a tenant. `version` counts from 1.
    """

    id: str
    key: int
    kind: Kind
    version: int
    content: Content
    usage: Usage
    status: Status
    created_at: datetime
    recorded_at: datetime
    retired_at: datetime | None = None
    ends_at: datetime | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    conflicts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    history: tuple[StatusSpan, ...] = ()


def lasts(content: Content) -> bool:
    """Whether a record stands until it is taken back and steers what agents do, so that its user should see it."""
    return content.type in LASTING and TEMPORARY not in content.flags


def fold(text: str) -> str:
    """The one normal form of names and keys: NFKC, plain apostrophes and hyphens, case-folded, blanks collapsed.

    Characters that show nothing are gone; a zero-width space is a blank, as it is for the words of a text.
    """
    if not text.isascii():
        shown = _HIDDEN.sub("", text.replace("\u200b", " "))
        text = unicodedata.normalize("NFKC", shown).translate(_SPELLED)
    return " ".join(text.casefold().replace(_DOTTED, "i").split())


def attribute_key(attribute: str | None) -> str:
    """The normal form of an attribute, empty without one."""
    return fold(attribute or "").replace(" ", "_")


def content_digest(text: str) -> str:
    """SHA-256 of the text in NFC with blanks collapsed; letters keep their case, for case can carry meaning."""
    return hashlib.sha256(" ".join(unicodedata.normalize("NFC", text).split()).encode()).hexdigest()


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """``m:`` and the first 8 hex digits of a hash of each id, lengthened until unique among `ids`."""
    digests = {item: hashlib.sha256(item.encode()).hexdigest() for item in ids}
    for length in range(8, 65):
        short = {item: f"m:{digest[:length]}" for item, digest in digests.items()}
        if len(set(short.values())) == len(short):
            return short
    return {item: f"m:{digest}" for item, digest in digests.items()}


def initial_status(kind: SourceKind) -> Status:
    """What a source earns at once: an inference is provisional, everything else active."""
    return Status.PROVISIONAL if kind is SourceKind.AGENT_INFERENCE else Status.ACTIVE


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record as `decide` made it, before the store gives it a key.

    `entities` are (entity id, role) links; `supersedes` the ids it replaces, whose spans the decision closes beside it.
    """

    id: str
    content: Content
    status: Status
    usage: Usage
    created_at: datetime
    ends_at: datetime | None = None
    reason: str = ""
    supersedes: tuple[str, ...] = ()
    successor: str | None = None
    entities: tuple[tuple[str, str], ...] = ()
