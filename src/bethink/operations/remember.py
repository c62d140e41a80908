"""`remember`: the explicit write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from bethink.domain.entity import EntityKind
from bethink.domain.record import Status
from bethink.domain.scope import Sensitivity, Target
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability
from bethink.operations.common import Notice

Outcome = Literal[
    "created",
    "reinforced",
    "already_reinforced",
    "narrowed",
    "superseded",
    "superseded_on_arrival",
    "conflict",
    "rejected",
    "replayed",
]


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity the content is about or names: its `name`, and its `kind` where it is known.

    `role` is ``about`` for the subject, else ``mentions``.
    """

    name: str
    kind: EntityKind = "other"
    role: Literal["about", "mentions"] = "mentions"


@dataclass(frozen=True, slots=True)
class RememberRequest:
    """One thing to remember.

    Args:
        content: the statement, one fact; at most 16,000 characters.
        type: one of the writable types.
        subject, attribute: the key of "the same fact"; without an attribute nothing is superseded.
        target: which of the caller's scopes owns it.
        evidence: the exact words that support it, as said in `session`.
        session: the session whose turns hold the evidence; the caller's own unless given.
        source: a kind the host vouches for; only an unprivileged kind may be named by an agent.
        source_ref: which page, mail or tool it is from; what shares a reference shares a share of a recall.
        source_revision: which state of that one.
        polarity: ``retract`` says that it is no longer so.
        event_at: when it happened. valid_from, valid_until: when it holds. expires_at: when to stop recalling it.
        review_at: when it is to be looked at again; upkeep flags it then.
        temporary: a passing preference, which never supersedes a standing one.
        portability: how far it carries beyond its project, at most as far as its type; None is the type's.
        sensitivity: how far it may travel: no surface with a lower ceiling shows it.
        mentions: entities it is about or names, beside those that are found in it.
        tags, metadata: the host's own labels, and a small JSON object that is kept as it is.
        file_path: the file that the statement is a part of, below its root.
        taxonomy: nodes of the taxonomy to file it under, by path.
        idempotency_key: repeats of one request with one key are answered once.
    """

    content: str
    type: str = "fact"
    subject: str | None = None
    attribute: str | None = None
    target: Target = "personal"
    evidence: str | None = None
    session: str | None = None
    source: SourceKind | None = None
    source_ref: str | None = None
    source_revision: str | None = None
    polarity: Literal["assert", "retract"] = "assert"
    event_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    review_at: datetime | None = None
    temporary: bool = False
    portability: Portability | None = None
    sensitivity: Sensitivity = Sensitivity.NORMAL
    mentions: tuple[Mention, ...] = ()
    tags: tuple[str, ...] = ()
    taxonomy: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    file_path: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class RememberResult:
    """What became of it.

    `id` is the record that now holds the statement: the new one, or the one it reinforced. ``rejected``: it was said
    not to be so, after its evidence; nothing is stored, and `id` names what was rejected. `superseded` and
    `conflicts` name the others concerned. `source` is the kind it was admitted under, after any downgrade, which
    `notices` explain. `embedding_pending` says its vector follows. `stages_ms` times each step.
    """

    outcome: Outcome
    id: str
    short_id: str
    status: Status
    source: SourceKind
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    evidence_located: bool = False
    embedding_pending: bool = False
    notices: tuple[Notice, ...] = ()
    position: int = 0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
