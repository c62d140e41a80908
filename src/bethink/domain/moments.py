"""The snapshot of a session: the one block of memory that its prompt keeps, as it was frozen."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class FrozenLine:
    """One line of a snapshot: the record it shows, the id it is cited by, and its bytes."""

    record: str
    short_id: str
    text: str


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """The block frozen for one reader of a session.

    `scope` and `session` say whose; `reader` is a digest of all that decides what its caller may read. `position` is
    the head of the store when it was taken, the watermark from which on changes are told beside the turns. `epoch`
    counts from 1 how often it had to be taken anew. `opening` is the first line of the block, empty without lines;
    `sha256` is the hash of the whole.
    """

    scope: Scope
    session: str
    reader: str
    epoch: int
    position: int
    trace_id: str
    sha256: str
    opening: str = ""
    lines: tuple[FrozenLine, ...] = ()
