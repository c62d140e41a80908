"""Withhold: what a stored trace says that its reader may no longer read.

A projection at reading time, never a second copy. The stricter of two ceilings holds: the one the recall had and the
one the reader has now. What the reader may no longer read, since it was forgotten or a grant was taken back, is
withheld and said to be; it is there again when it may be read again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from bethink.domain.record import LIVE
from bethink.domain.scope import Sensitivity
from bethink.domain.trace import Trace, TracedBelief
from bethink.operations.explain import TraceResult
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.recall.filter import lookup_fence
from bethink.recall.get import SHOWN
from bethink.recall.passage_block import POLICY as PASSAGES
from bethink.recall.reader import Reader
from bethink.tracing.reproduce import reproduced

WITHHELD = "[WITHHELD]"
"""What stands for a statement that its reader may no longer read."""


def withheld(result: TraceResult, reader: Reader) -> TraceResult:
    """A verified trace without what its items say that the reader's caller may not read now.

    The verdict on the hash stays that of the stored bytes. The block shown beside it is written anew with
    `WITHHELD` in those lines; where a block was changed since its recall there is nothing to write it from, and none
    is shown.
    """
    lost = hidden((result.trace,), reader)
    if not lost:
        return result
    beliefs = tuple(_emptied(item) if item.id in lost else item for item in result.trace.beliefs)
    told = result.trace.mismatch
    shown = replace(result.trace, beliefs=beliefs, mismatch=None if told is None or told.id in lost else told)
    shown = replace(shown, rendered=reproduced(shown) if result.reproduced else "")
    return replace(result, trace=shown, withheld=tuple(item.id for item in beliefs if item.id in lost))


def hidden(traces: Iterable[Trace], reader: Reader) -> frozenset[str]:
    """The items of traces that the reader's caller may not read now, under the lower of a trace's ceiling and its own.

    In whatever project they were learned. What one trace hides is hidden. Where the recall could see more than the
    caller may, an item that was ever more sensitive is hidden too: what it said then may not be what it says now.
    """
    own = reader.caller.ceiling
    items: dict[tuple[bool, Sensitivity], set[str]] = {}
    for trace in traces:
        key = trace.policy == PASSAGES, Sensitivity[trace.ceiling.upper()]
        items.setdefault(key, set()).update(belief.id for belief in trace.beliefs)
    if not any(items.values()):
        return frozenset()
    lost: set[str] = set()
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        for (passages, ceiling), ids in items.items():
            if passages:
                lost |= _unreadable_passages(ids, ceiling, reader, snapshot)
            else:
                lost |= unreadable(ids, ceiling, reader, snapshot)
                lost |= _ever_above(ids, own, reader, snapshot) if ceiling > own else frozenset()
    return frozenset(lost)


def unreadable(
    ids: Collection[str], ceiling: Sensitivity, reader: Reader, snapshot: Snapshot | UnitOfWork
) -> frozenset[str]:
    """Those of the records or turns that a reader could not look up now under a ceiling and its own, wherever learned.

    What was forgotten is among them; what was superseded, or has expired, is not: it can still be looked up.
    """
    reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
    reach = replace(reach, statuses=SHOWN, ceiling=min(reach.ceiling, ceiling))
    found = {id_: snapshot.records.entries(reach, id_) for id_ in sorted(ids)}
    return frozenset(
        id_
        for id_, entries in found.items()
        if not any(replace(reach, project=entry.project).admits(entry) for entry in entries)
    )


def _ever_above(
    ids: Collection[str], ceiling: Sensitivity, reader: Reader, snapshot: Snapshot | UnitOfWork
) -> frozenset[str]:
    """Those of the records or turns of which some version was more sensitive than a ceiling."""
    reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
    reach = replace(reach, ceiling=Sensitivity.SECRET)
    return frozenset(
        id_ for id_ in ids if any(entry.sensitivity > ceiling for entry in snapshot.records.entries(reach, id_))
    )


def _unreadable_passages(
    ids: Collection[str], ceiling: Sensitivity, reader: Reader, snapshot: Snapshot | UnitOfWork
) -> frozenset[str]:
    """Those of the passages whose document the reader could not look up now under a ceiling.

    A document that is added again keeps no earlier version, so nobody can tell how sensitive a passage was whose
    search could see more than the reader may: all of them are hidden.
    """
    if ceiling > reader.caller.ceiling:
        return frozenset(ids)
    reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
    reach = replace(reach, statuses=LIVE, ceiling=min(reach.ceiling, ceiling))
    kept = {one.id for one in snapshot.documents.documents(reach)}
    return frozenset(id_ for id_ in ids if id_.partition("#")[0] not in kept)


def _emptied(belief: TracedBelief) -> TracedBelief:
    """An item without what it says, and of whom, when and where."""
    return replace(
        belief,
        subject=None,
        statement=WITHHELD,
        origin=None,
        carried=False,
        source_episode=None,
        day="",
        speaker="",
    )
