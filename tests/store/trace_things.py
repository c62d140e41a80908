"""A trace that has something in every field."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bethink.domain.trace import Cut, Mismatch, Trace, TracedBelief, rendered_hash
from bethink.testing.fakes import ManualClock


def trace(clock: ManualClock, trace_id: str = "0190-trace-1", **parts: Any) -> Trace:
    """A trace of Ann's that names r1 to r9."""
    now = clock.now()
    rendered = "<memory>Ann lives in Lyon</memory>"
    defaults = {
        "id": trace_id,
        "tenant": "acme",
        "user": "ann",
        "agent": "cli",
        "created_at": now,
        "moment": "tool",
        "surface": "cli",
        "ceiling": "normal",
        "query": {"text": "where does Ann live", "fence": {"scopes": ["user:ann"]}},
        "policy": "explicit-1",
        "position": 7,
        "rendered": rendered,
        "rendered_sha256": rendered_hash(rendered),
        "as_of": now - timedelta(days=1),
        "session": "s1",
        "arms": ({"arm": "lexical", "hits": [["r1", 1, 0.5], ["r9", 2, 0.25]], "matched": 2, "ms": 1.5},),
        "pool": (pooled("r1", 0.75), pooled("r2", 0.5)),
        "returned": ("r1",),
        "considered": 2,
        "cuts": (Cut("gate", "r3", "below the floor", 0.1, 0.45), Cut("count", "r2", "behind")),
        "blocked": ("r4",),
        "carried_in": ("r5",),
        "conflicts": (("r6", "r7"),),
        "cited": ("r8",),
        "beliefs": (
            TracedBelief("r1", "m:1", "Ann", "Ann lives in Lyon", now, None, False, "user", None, "high", True),
        ),
        "degraded": ("dense: no vectors",),
        "notices": ("terms_cut",),
        "empty_reason": None,
        "mismatch": Mismatch(0.75, "person", "ben", "Ann", "r1", "The question names ben."),
        "tokens": 12,
        "stages_ms": {"form": 0.25},
        "operator_fields_expire_at": now + timedelta(days=30),
    }
    return Trace(**{**defaults, **parts})


def pooled(record_id: str, score: float) -> dict[str, Any]:
    """A row of the pool."""
    said = {"match": score, "text": score, "cosine": None, "matched": 1, "parts": {"match": score}}
    return {"id": record_id, "type": "fact", "score": score, **said}
