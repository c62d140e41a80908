"""`add_files`, `file_roots` and `scan_files`: files whose text becomes records, and follows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.scope import Target

FilePattern = Literal["agents", "markdown"]

WhyNot = Literal["link", "not_a_file", "too_large", "not_text", "too_many", "unreadable"]
"""Why a file is passed over: it is a link, no plain file, too large, no UTF-8 text, one too many, or refused."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that was not read."""

    path: str
    why: WhyNot


@dataclass(frozen=True, slots=True)
class AddFilesRequest:
    """A file, or a folder, to be read and followed.

    Args:
        path: where it is; a link is followed once, now, and none below it ever.
        target: which of the caller's scopes owns the records; the project's where the caller is bound to one.
        pattern: of a folder, ``agents`` takes CLAUDE.md, AGENTS.md, MEMORY.md and what lies in folders named memory or
            memories; ``markdown`` takes every Markdown file.
    """

    path: str
    target: Target | None = None
    pattern: FilePattern = "agents"


@dataclass(frozen=True, slots=True)
class FileRoot:
    """A declared root: where it is, whose records it makes (as ``kind:id``), and when it was last scanned."""

    id: str
    path: str
    scope: str
    pattern: FilePattern
    user: str
    agent: str
    target: Target
    project: str | None = None
    task: str | None = None
    scanned_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FileRoots:
    """The declared roots that the caller may read from, by path."""

    roots: tuple[FileRoot, ...]


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a scan of a root came to.

    `created`, `superseded` and `archived` name records, `unchanged` counts sections, and `held_back` those that were
    forgotten, erased or rejected before and stay away. `present` is False when the root could not be seen, and then
    nothing was archived.
    """

    root: FileRoot
    files: int = 0
    created: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    unchanged: int = 0
    held_back: int = 0
    passed_over: tuple[PassedOver, ...] = ()
    present: bool = True


@dataclass(frozen=True, slots=True)
class FilesScanned:
    """One result a root, by path."""

    scans: tuple[ScanResult, ...]
