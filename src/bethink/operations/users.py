"""`export`, `erase_user` and `erase_session`: all that is one user's, handed out or erased; or one session of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bethink.domain.entity import Entity
from bethink.domain.record import Record
from bethink.domain.session import Session, Turn
from bethink.operations.associations import Relation, Term
from bethink.operations.documents import Document

EXPORT_FORMAT = "bethink-export"
EXPORT_VERSION = 1


@dataclass(frozen=True, slots=True)
class ExportManifest:
    """The first item of an export: of whom it is, from when, at which position of the store, and what its lines are."""

    tenant: str
    user: str
    exported_at: datetime
    position: int
    scopes: tuple[str, ...]
    format: str = EXPORT_FORMAT
    version: int = EXPORT_VERSION


@dataclass(frozen=True, slots=True)
class ExportedRecord:
    """A record as it stands with its history of standings, and its earlier versions, the newest first."""

    record: Record
    versions: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document with its passages, word for word and in order."""

    document: Document
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportEnd:
    """The last item: how many of each kind there were. An export without it is not whole."""

    counts: Mapping[str, int]


ExportItem = ExportManifest | Session | Turn | Entity | Term | Relation | ExportedDocument | ExportedRecord | ExportEnd


@dataclass(frozen=True, slots=True)
class EraseUserRequest:
    """Erase all that is one user's. `timeout_ms` is for each page and for the end; `dry_run` only counts."""

    user: str
    dry_run: bool = False
    timeout_ms: int = 60_000


@dataclass(frozen=True, slots=True)
class EraseSessionRequest:
    """Erase one session of a user's, with what was made of it and what explains it.

    `dry_run` and `timeout_ms` are as for a whole user.
    """

    user: str
    session: str
    dry_run: bool = False
    timeout_ms: int = 60_000
