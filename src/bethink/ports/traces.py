"""Where traces are kept: beside the truth, so that a recall never waits for a writer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bethink.domain.scope import Principal
from bethink.domain.trace import Trace, TraceState


class TraceStore(Protocol):
    """Traces of every tenant. Another principal's trace and an absent one answer alike."""

    def record(self, trace: Trace) -> tuple[TraceState, str]:
        """Keep a trace; never raises for a full, locked or read-only file: (deferred or failed, the reason)."""
        ...

    def get(self, who: Principal, trace_id: str) -> Trace | None:
        """A principal's own trace; `trace_id` may be a unique prefix of at least 8 characters."""
        ...

    def for_turn(self, tenant: str, user: str, session: str) -> tuple[Trace, ...]:
        """A session's traces, oldest first."""
        ...

    def expire_operator_fields(self, now: datetime) -> int:
        """Null the operator fields whose time has come; returns how many traces changed."""
        ...

    def erase(self, tenant: str, ids: Sequence[str], *, deadline: float) -> int:
        """Remove query, pool and block of every trace that names one of the ids; the row stays, marked erased."""
        ...

    def waiting(self) -> int:
        """How many deferred traces this process still holds."""
        ...

    def close(self) -> None:
        """Write what waits, release the file."""
        ...
