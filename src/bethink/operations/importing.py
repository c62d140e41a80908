"""`import`: transcripts in, episodes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bethink.operations.common import Notice

FORMATS = ("openai", "anthropic", "chatgpt", "claude", "claude-code", "locomo", "bethink")

BATCH = 512
"""Turns stored at once: enough to share their pages, and the writer's lock is held for a quarter of a second."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """One file to import.

    `path` is the file. `format` None detects it. `self_name` says which speaker is the user; other people are
    participants. `timezone` is assumed for times without one, and each such turn says so. `session_prefix` is put
    before the ids of the sessions. `dry_run` says what would be stored, and stores nothing. `batch` turns, of one
    session or several, are stored at once. `progress` is called with (turns done so far).
    """

    path: Path | str
    format: str | None = None
    self_name: str | None = None
    timezone: str = "UTC"
    session_prefix: str | None = None
    dry_run: bool = False
    batch: int = BATCH
    progress: Callable[[int], None] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BadItem:
    """One line or item that could not be read, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What the import did. Running it again stores nothing twice.

    `turns` were stored now (would be, in a dry run), `repeated` were stored or erased before, `skipped` are no one's
    words by the format's own account. `bad` lists the first of the `bad_count` items that could not be read. `notices`
    say what was assumed or adapted, with counts.
    """

    format: str
    sessions: int
    turns: int
    repeated: int
    skipped: int
    bad: tuple[BadItem, ...]
    bad_count: int
    zone_assumed: int
    embedding_pending: int
    dry_run: bool
    notices: tuple[Notice, ...] = ()
