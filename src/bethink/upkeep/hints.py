"""Hints as a pass of upkeep: subjects that somebody asked for again and again in vain, counted from the traces.

A recall never writes to the truth, so this is where its traces are read. A hint keeps a keyed hash of the subject's
name, and its entity where the store knows one; the next statement about the subject takes the hint away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bethink.domain.record import fold
from bethink.domain.scope import Caller, Principal, readable_scopes
from bethink.domain.time import to_micros
from bethink.formation.desk import Desk
from bethink.operations.upkeep import PassReport
from bethink.ports.rejections import AskedInVain
from bethink.ports.store import UnitOfWork
from bethink.ports.traces import UNDER_WAY, TraceStore, Unanswered

MARK = "hints"
IN_VAIN = frozenset({"below_floor", "no_candidates", "outdated"})
"""Reasons for an empty answer that say that nothing is known."""


def run_hints(desk: Desk, traces: TraceStore, limit: int) -> PassReport:
    """Count what was asked for in vain since the last pass, in at most `limit` traces.

    Each trace is counted once. Run it again while the report says `more`.

    Raises:
        StoreError, DeadlineExceeded: traces or store cannot be read or written; nothing was counted.
    """
    with desk.store.snapshot(desk.tenant) as snapshot:
        after = snapshot.marks.get(MARK)
    until = to_micros(desk.clock.now() - UNDER_WAY) // 1_000
    if until <= after:
        return PassReport(0)
    found = traces.unanswered(desk.tenant, after, until, limit)
    more = len(found) == limit
    if more and found[-1].at != found[0].at:
        until = found[-1].at
        found = tuple(trace for trace in found if trace.at < until)
    elif more:
        until = found[-1].at + 1
    with desk.store.write(desk.tenant) as work:
        counted = _counted(work, desk.tenant, (trace for trace in found if trace.empty_reason in IN_VAIN))
        for asked, times in sorted(counted.items(), key=lambda item: (item[0].user, item[0].subject)):
            work.rejections.note_hint(asked, times, work.recorded_at)
        work.marks.put(MARK, until)
    return PassReport(len(found), {"hints": len(counted)}, more)


def _counted(work: UnitOfWork, tenant: str, traces: Iterable[Unanswered]) -> Counter[AskedInVain]:
    """How often each user asked for each subject: one that the caller named, or that an entity answers to."""
    counted: Counter[AskedInVain] = Counter()
    for trace in traces:
        caller = Caller(Principal(tenant, trace.user, trace.agent))
        scopes = [scope.key for scope in readable_scopes(caller, work.grants.of(caller))]
        for subject in dict.fromkeys(fold(name) for name in (*trace.subjects, *trace.names)):
            known = work.entities.resolve(scopes, subject)
            if known or subject in trace.subjects:
                counted[AskedInVain(trace.user, subject, known[0].id if len(known) == 1 else None)] += 1
    return counted
