"""Check the traces' file, and rebuild what of it derives from the traces. A trace that is damaged is never dropped.

It is left where it is, and said so, for it is the only account of its recall: another check may read more of it, and an
erase that may concern it takes it as a whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bethink.domain.trace import Trace, rendered_hash
from bethink.errors import BethinkError, StoreCorrupt, StoreError, StoreForeign
from bethink.operations.upkeep import Finding, TracesChecked
from bethink.store.database import Connection, Database, Row
from bethink.store.failures import decoding
from bethink.store.trace_codec import hashes, named, read_trace
from bethink.store.trace_rows import rows_by_id

PLACE = "traces"
SCRUB = "scrub"
"""The mark of erases that the file's free pages still have to follow."""

_PAGE = 200
_SHOWN = 3
_ANEW = "answers do not need it; remove it with its -wal and -shm files to begin a new one"
_FLAWS = {
    "unread": "cannot be read; repair leaves them, an erase that may concern them removes them",
    "moved": "belong to somebody else than they say; repair leaves them",
    "changed": "hold a block that is not the one whose hash they keep; repair leaves them",
    "refs": "do not list all that they name, so that an erase would miss them",
}


@dataclass(frozen=True, slots=True)
class Survey:
    """What a look at every trace came to: by flaw the traces (tenant, id) that have it."""

    count: int
    flaws: Mapping[str, tuple[tuple[str, str], ...]]


def check_traces(file: Database) -> TracesChecked:
    """Look at every trace of every tenant, in one snapshot; changes nothing.

    Raises:
        StoreError: the file cannot be read at all.
    """
    with file.reading() as on:
        if damage := tuple(_damage(file, on)):
            return TracesChecked(damage, 0)
        seen = survey(on)
        due = on.row("read_meta", name=SCRUB) is not None
    found = [_finding(flaw, seen.flaws[flaw]) for flaw in _FLAWS if flaw in seen.flaws]
    if due:
        found.append(Finding(PLACE, "erases have not reached the free pages of the file yet", repairable=True))
    return TracesChecked(tuple(found), seen.count)


def survey(on: Connection) -> Survey:
    """Look at every trace."""
    flaws: dict[str, list[tuple[str, str]]] = defaultdict(list)
    count = 0
    for (tenant,) in on.rows("check_trace_tenants"):
        on.enter(tenant)
        after = ""
        while page := [row[0] for row in on.rows("list_traces", tenant=tenant, after=after, limit=_PAGE)]:
            after = page[-1]
            for trace_id, row in rows_by_id(on, "read_whole_traces", tenant, page).items():
                count += 1
                if flaw := _flaw(tenant, row):
                    flaws[flaw].append((tenant, trace_id))
    return Survey(count, {flaw: tuple(found) for flaw, found in flaws.items()})


def repair_refs(file: Database, seconds: float) -> int:
    """List anew what traces name, where that is missing; of how many. What was listed beside it stays listed.

    Raises:
        StoreError: the file cannot be read or written.
    """
    with file.reading() as on:
        lacking = survey(on).flaws.get("refs", ())
    for tenant, trace_id in lacking:
        with file.writing(seconds, tenant=tenant) as on:
            row = rows_by_id(on, "read_whole_traces", tenant, [trace_id]).get(trace_id)
            if _flaw(tenant, row) == "refs" and row is not None:
                refs = hashes(named(read_trace(row[4], row[5]))).tobytes() + _whole(row[6])
                on.run("put_trace_refs", tenant=tenant, id=trace_id, hashes=refs)
    return len(lacking)


def unusable(error: StoreError) -> Finding:
    """The finding for a file that cannot be opened or read."""
    damaged = isinstance(error, (StoreCorrupt, StoreForeign))
    told = f"Repair leaves the file alone: {_ANEW}." if damaged else error.advice
    return Finding(PLACE, f"{error.message} {told}", repairable=False)


def unfinished(error: BethinkError) -> Finding:
    """The finding for a repair that ended before its end."""
    return Finding(PLACE, f"repair could not finish: {error.message} {error.advice}", repairable=True)


def _damage(file: Database, on: Connection) -> Iterator[Finding]:
    """What the engine finds in its own pages, and migrations that are not the ones this version knows."""
    damage = list(file.damage(on))
    yield from (Finding(PLACE, f"the engine reports damage: {line}; {_ANEW}", repairable=False) for line in damage)
    if damage:
        return
    try:
        left = file.missing(on)
    except StoreError as error:
        yield unusable(error)
        return
    yield from (Finding(PLACE, f"migration {name} is missing", repairable=False) for name in left)


def _flaw(tenant: str, row: Row | None) -> str:
    """What is wrong with a trace, empty when nothing is."""
    if row is None:
        return "unread"
    trace_id, user, agent, erased, body, operator, refs = row
    try:
        with decoding():
            trace = read_trace(body, operator)
            held = set(np.frombuffer(_whole(refs), dtype="<u8").tolist())
    except StoreCorrupt:
        return "unread"
    if (trace.tenant, trace.id, trace.user, trace.agent, int(trace.erased)) != (tenant, trace_id, user, agent, erased):
        return "moved"
    if trace.erased:
        return ""
    if rendered_hash(trace.rendered) != trace.rendered_sha256:
        return "changed"
    return "" if held.issuperset(_wanted(trace)) else "refs"


def _wanted(trace: Trace) -> list[int]:
    """The hashes of what a trace names."""
    found: list[int] = hashes(named(trace)).tolist()
    return found


def _whole(refs: bytes | None) -> bytes:
    """The stored hashes, without a part of one."""
    return (refs or b"")[: len(refs or b"") // 8 * 8]


def _finding(flaw: str, traces: Sequence[tuple[str, str]]) -> Finding:
    """One finding for all traces with one flaw."""
    shown = ", ".join(f"{tenant}/{trace_id}" for tenant, trace_id in traces[:_SHOWN])
    return Finding(PLACE, f"{len(traces)} traces {_FLAWS[flaw]}: {shown}", repairable=flaw == "refs")
