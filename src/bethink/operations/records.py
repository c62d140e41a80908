"""`get`, `chain` and `forget`: one record by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.record import Record
from bethink.domain.session import Turn

ForgetMode = Literal["stop", "restore", "erase"]
Operation = Literal["stop", "restore", "erase", "erase_session", "erase_user"]


@dataclass(frozen=True, slots=True)
class GetRequest:
    """A record or turn by full id or short id, with its history when asked; `as_of` it held, `known_at` it was known.

    `current` asks for what holds in a record's place now: itself, or what replaced it, at most ten steps on.
    """

    id: str
    as_of: datetime | None = None
    known_at: datetime | None = None
    history: bool = False
    current: bool = False


@dataclass(frozen=True, slots=True)
class GetResult:
    """The record or the turn; exactly one is set. `versions` holds earlier versions, newest first, when asked."""

    record: Record | None = None
    turn: Turn | None = None
    versions: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class ChainRequest:
    """A record by full id or short id, whose replacements are asked for."""

    id: str


@dataclass(frozen=True, slots=True)
class ChainResult:
    """The records that replaced one another, the oldest first, as far as the caller may read them.

    `current` is the one that holds in place of the record asked about, None where that may not be read. `complete` is
    False where the chain is longer than is read. What was merged into a record is named by its own chain alone.
    """

    chain: tuple[Record, ...]
    current: str | None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """What to forget and how far.

    ``stop`` hides the record at once from every read of what is known now and can be undone by ``restore``; a read of
    what the store knew before, by ``known_at``, still finds it. ``erase`` removes every copy of its text, with the
    records derived from it; `with_sources` takes the turns its evidence stands in too. `dry_run` lists what would go.

    `id` names a record or turn, whole or short; `mode` is one of the three; `reason` is kept in the record's history.
    An erase waits `timeout_ms` at most for those who read.
    """

    id: str
    mode: ForgetMode = "stop"
    with_sources: bool = False
    reason: str = ""
    dry_run: bool = False
    timeout_ms: int = 5_000


@dataclass(frozen=True, slots=True)
class Receipt:
    """What `forget` did, in ids and counts, never in text.

    `complete` is whether every copy within reach is gone; `remains` lists what is not and why, and what no store can
    reach, such as a server's backups. `sources` are turns that still hold the evidence.

    Receipts are numbered and form a chain: `digest` is a hash of the receipt's other fields and of `previous`, the
    digest of the one before, empty for the first. `owner` is a keyed hash of the user for whom it was done. A dry run
    stands in no chain and has number 0.
    """

    operation: Operation
    ids: tuple[str, ...]
    derived: tuple[str, ...]
    sources: tuple[str, ...]
    removed: Mapping[str, int]
    complete: bool
    remains: tuple[str, ...]
    at: datetime
    digest: str
    dry_run: bool = False
    number: int = 0
    owner: str = ""
    previous: str = ""
