"""Where traces are kept: beside the truth, so that a recall never waits for a writer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bethink.domain.scope import Principal
from bethink.domain.trace import Trace, TraceState
from bethink.operations.upkeep import RepairResult, TracesChecked

UNDER_WAY = timedelta(minutes=1)
"""How long a recall that read the store before an erase may take to come to its trace."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What an erase takes out of a tenant altogether, as far as a question may have said it.

    `terms` are analysed words of the erased texts, of their names and of every other field, that stand in nothing else
    of the tenant, as far as the index or a look at the latest tells, function words left out; `texts` are the erased
    texts themselves. `language` is the analyser's. A recall that read the store at a write counter below `before` may
    have been under way. Questions asked before `since` were looked at already.
    """

    terms: frozenset[str]
    texts: tuple[str, ...]
    language: str
    before: int
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Unanswered:
    """What an empty answer was asked: by whom, at which millisecond since 1970, about which subjects and names."""

    user: str
    agent: str
    at: int
    empty_reason: str
    subjects: tuple[str, ...]
    names: tuple[str, ...]


class TraceStore(Protocol):
    """Traces of every tenant. Another principal's trace and an absent one answer alike."""

    def record(self, trace: Trace) -> tuple[TraceState, str]:
        """Keep a trace; never raises for a full, locked or read-only file: (deferred or failed, the reason)."""
        ...

    def get(self, who: Principal, trace_id: str) -> Trace | None:
        """A principal's own trace; `trace_id` may be a unique prefix of at least 8 characters."""
        ...

    def cite(self, who: Principal, trace_id: str, ids: Sequence[str]) -> tuple[TraceState, str]:
        """Note in a principal's own trace which of its items were used, beside those noted before.

        Never raises for a full, locked or read-only file: (failed, the reason), as for a trace that is not there.
        """
        ...

    def for_turn(self, who: Principal, trace_id: str) -> tuple[Trace, ...]:
        """A principal's own trace behind those of the snapshots of its session that were taken before, oldest first.

        Without the operator's fields. Nothing where there is no such trace; `trace_id` is as for `get`.
        """
        ...

    def listed(self, who: Principal, after: str, limit: int, session: str | None = None) -> tuple[Trace, ...]:
        """A principal's own traces whose ids sort behind one, by id; those of a session where it is named."""
        ...

    def unanswered(self, tenant: str, after: int, until: int, limit: int) -> tuple[Unanswered, ...]:
        """Recalls that gave nothing, of the milliseconds since 1970 in ``[after, until)``, oldest first."""
        ...

    def expire_operator_fields(self, tenant: str, now: datetime) -> int:
        """Null a tenant's operator fields whose time has come; returns how many traces changed.

        Raises:
            StoreError: the traces cannot be written.
        """
        ...

    def erase(self, tenant: str, ids: Sequence[str], *, lost: Lost | None = None, deadline: float) -> int:
        """Remove query, pool and block of every trace that names one of the ids, or whose question says what is lost.

        The row stays, marked erased; how many do.
        """
        ...

    def forget_user(self, tenant: str, user: str, *, session: str | None = None, deadline: float) -> int:
        """Remove every trace of a user's recalls, or of those in one session, through whatever agent; how many."""
        ...

    def check(self) -> TracesChecked:
        """Look at every trace: whether it can be read and its block is the one it was stored with. Changes nothing."""
        ...

    def repair(self) -> RepairResult:
        """Rebuild what derives from the traces, and finish what erasing left; leaves a damaged trace alone."""
        ...

    def waiting(self) -> int:
        """How many deferred traces this process still holds."""
        ...

    def close(self) -> None:
        """Write what waits, release the file."""
        ...
