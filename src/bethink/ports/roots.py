"""What the core asks of the declared roots of a store, and of the sections of files that became records."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bethink.domain.record import Status
from bethink.operations.files import FileRoot


@dataclass(frozen=True, slots=True)
class FileSection:
    """The record that a section of a file became. `file_sha256` is the file's as the last scan found it."""

    record: str
    root: str
    path: str
    section: str
    file_sha256: str


@dataclass(frozen=True, slots=True)
class KnownSection:
    """A section as it stands: where it is from, how its record stands, and the digest of that record's words."""

    of: FileSection
    status: Status
    digest: str
    missing: bool


class RootReads(Protocol):
    """Reading roots and sections of a tenant."""

    def roots(self) -> tuple[FileRoot, ...]:
        """Every declared root, by path and id."""
        ...

    def sections(self, root_id: str) -> tuple[KnownSection, ...]:
        """Every section that a root's files ever had, by path and section, the latest record of each last."""
        ...


class RootWrites(RootReads, Protocol):
    """Writing roots and sections."""

    def add_root(self, root: FileRoot, at: datetime) -> None:
        """Declare a root."""
        ...

    def drop_root(self, root_id: str) -> bool:
        """Follow a root no more; whether there was one. Its records stay."""
        ...

    def scanned(self, root_id: str, at: datetime) -> None:
        """A root was scanned."""
        ...

    def put_section(self, section: FileSection, at: datetime) -> None:
        """A record is a section of a file, looked at now."""
        ...

    def stamp(self, record_id: str, at: datetime, *, missing: bool = False) -> None:
        """A section was looked at, and is gone where it is missing."""
        ...
