"""`why` and `trace`: what became of a recall, and why a record was not in it."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.trace import Trace


@dataclass(frozen=True, slots=True)
class TraceResult:
    """A stored trace and whether its block still hashes to what was recorded: verified, mismatch or erased.

    `reproduced` says whether the items the trace lists, written again, give those very bytes. Both speak of the bytes
    that are stored. `withheld` are the ids of items the caller may no longer read: what they say is left out of
    `trace` here, and its block is written without it.
    """

    trace: Trace
    verification: str
    recomputed_sha256: str
    reproduced: bool
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyRequest:
    """Why was this record or turn, `record_id`, in the recall of `trace_id`, or why was it not?"""

    trace_id: str
    record_id: str


@dataclass(frozen=True, slots=True)
class WhyResult:
    """The first stage that lost the record, in a sentence, with the number it missed by where there is one.

    `stage` is one of returned, fence, arms, pool, narrow, gate, collapse, rest, held, admission, rerank, safety,
    budget, count.
    """

    record_id: str
    stage: str
    text: str
    value: float | None = None
    bound: float | None = None
