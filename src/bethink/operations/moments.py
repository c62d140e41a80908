"""`snapshot` and `delta`: what a session's prompt keeps of memory, and what has changed since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.trace import TraceState
from bethink.operations.recall import RecallRequest, RecallResult

SnapshotSize = Literal["interactive", "long_running", "child"]


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """The block of memory for the head of a session's prompt; what it says is fixed by the first request.

    Args:
        session: the session; the one of the binding unless given.
        goal: what the session opens with. It primes a third of the places; without it they stay empty.
        size: how much: at most 40 items and 1,500 tokens; 80 and 3,000 where the session runs long; 15 and 500 for a
            child run.
        window_tokens: the model's window, of which the block takes 2 % at most.
        persona: ids of records that the host's own text about its user says already; they are left out.
    """

    session: str | None = None
    goal: str = ""
    size: SnapshotSize = "interactive"
    window_tokens: int | None = None
    persona: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SnapshotItem:
    """One record of a snapshot, and the id its line shows."""

    id: str
    short_id: str


@dataclass(frozen=True, slots=True)
class SnapshotResult:
    """The frozen block. The same session and reader get the same bytes until the session's end.

    `sha256` is the hash of `rendered`, as on the trace of the recall that took it. `watermark` is the head of the store
    at that moment. `epoch` is 1, and one more each time that something in the block was forgotten, or may not be read
    any more: then it is taken anew. `taken` says whether this call took it; `trace` then says what became of its trace.
    """

    session: str
    rendered: str
    sha256: str
    tokens: int
    items: tuple[SnapshotItem, ...]
    watermark: int
    epoch: int
    trace_id: str
    taken: bool
    trace: TraceState = "stored"
    trace_reason: str = ""


@dataclass(frozen=True, slots=True)
class DeltaRequest:
    """What changed since a session's snapshot was taken, for the turn at hand.

    Args:
        session: the session; the one of the binding unless given.
        asked: the turn's own request. What it may reach holds here too; what it asks for does not.
        seen: ids of records that the turn's own recall brought; they are not said twice.
        max_items, budget_tokens: what the turn has room for.
    """

    session: str | None = None
    asked: RecallRequest | None = None
    seen: tuple[str, ...] = ()
    max_items: int = 10
    budget_tokens: int = 500


@dataclass(frozen=True, slots=True)
class Correction:
    """A line of the snapshot that holds no more: since when, and what holds instead, where the caller may know.

    `text` is the line to place in the turn; it speaks of ids and instants alone.
    """

    id: str
    short_id: str
    text: str
    ended_at: datetime | None = None
    successor: str | None = None


@dataclass(frozen=True, slots=True)
class DeltaResult:
    """What to place beside the turn. Both parts are empty, and `watermark` is None, where no snapshot was taken.

    `corrections` speak of the snapshot, and no budget drops them. `changes` is a recall like any other: its block, its
    items and its trace.
    """

    session: str
    watermark: int | None = None
    corrections: tuple[Correction, ...] = ()
    changes: RecallResult | None = None
