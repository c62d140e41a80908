"""View: what of a trace its user may see. A projection at reading time, never a second copy.

Only what was placed in the context is claimed; the rest is a number. The stricter of two ceilings holds: the one the
recall had and the one the viewer has now. What the viewer may no longer read, since it was forgotten or a grant was
taken back, is withheld and said to be; it is there again when it may be read again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.record import LIVE
from bethink.domain.scope import Sensitivity
from bethink.domain.trace import Moment, Trace, TracedBelief
from bethink.operations.explain import TraceResult
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.recall.filter import lookup_fence
from bethink.recall.get import SHOWN
from bethink.recall.passage_block import POLICY as PASSAGES
from bethink.recall.reader import Reader
from bethink.tracing.reproduce import reproduced

WITHHELD = "[WITHHELD]"
"""What stands for a statement that its reader may no longer read."""


@dataclass(frozen=True, slots=True)
class TraceView:
    """What a user may see of the recalls of one turn.

    `beliefs` are the items placed in the context, in the order they were placed, each once; `considered_not_shown`
    counts candidates that were not; `withheld_by_safety` counts items that were blocked or that this viewer's ceiling
    hides. `as_of` is the latest instant a block spoke for, None without one.
    """

    session: str | None
    moments: tuple[Moment, ...]
    beliefs: tuple[TracedBelief, ...]
    considered_not_shown: int
    withheld_by_safety: int
    as_of: datetime | None


def withheld(result: TraceResult, reader: Reader) -> TraceResult:
    """A verified trace without what its items say that the reader's caller may not read now.

    The verdict on the hash stays that of the stored bytes. The block shown beside it is written anew with
    `WITHHELD` in those lines; where a block was changed since its recall there is nothing to write it from, and none
    is shown.
    """
    hidden = _unreadable(result.trace, reader)
    if not hidden:
        return result
    beliefs = tuple(_emptied(item) if item.id in hidden else item for item in result.trace.beliefs)
    told = result.trace.mismatch
    shown = replace(result.trace, beliefs=beliefs, mismatch=None if told is None or told.id in hidden else told)
    shown = replace(shown, rendered=reproduced(shown) if result.reproduced else "")
    return replace(result, trace=shown, withheld=tuple(item.id for item in beliefs if item.id in hidden))


def _unreadable(trace: Trace, reader: Reader) -> frozenset[str]:
    """The items of a trace that its caller could not look up now, in whatever project they were learned."""
    ids = {belief.id for belief in trace.beliefs}
    if not ids:
        return frozenset()
    ceiling = min(reader.caller.ceiling, Sensitivity[trace.ceiling.upper()])
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        if trace.policy == PASSAGES:
            reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
            reach = replace(reach, statuses=LIVE, ceiling=min(reach.ceiling, ceiling))
            kept = {one.id for one in snapshot.documents.documents(reach)}
            return frozenset(id_ for id_ in ids if id_.partition("#")[0] not in kept)
        return unreadable(ids, ceiling, reader, snapshot)


def unreadable(
    ids: Collection[str], ceiling: Sensitivity, reader: Reader, snapshot: Snapshot | UnitOfWork
) -> frozenset[str]:
    """Those of the records or turns that a reader could not look up now under a ceiling, wherever they were learned.

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


def view(traces: Iterable[Trace], sensitivities: Mapping[str, Sensitivity], ceiling: Sensitivity) -> TraceView:
    """Project traces for a user.

    Args:
        traces: of one turn or session, oldest first.
        sensitivities: the present sensitivity of the records they name; a record that is absent here is hidden.
        ceiling: the viewer's surface.
    """
    known = list(traces)
    placed: dict[str, TracedBelief] = {}
    withheld: set[str] = set()
    considered: set[str] = set()
    for trace in known:
        bound = min(ceiling, Sensitivity[trace.ceiling.upper()])
        considered.update(str(row["id"]) for row in trace.pool)
        for belief in trace.beliefs:
            hidden = belief.id in trace.blocked or sensitivities.get(belief.id, Sensitivity.SECRET) > bound
            if hidden:
                withheld.add(belief.id)
            else:
                placed[belief.id] = belief
    shown = tuple(belief for id_, belief in placed.items() if id_ not in withheld)
    return TraceView(
        session=known[-1].session if known else None,
        moments=tuple(trace.moment for trace in known),
        beliefs=shown,
        considered_not_shown=len(considered - placed.keys() - withheld),
        withheld_by_safety=len(withheld),
        as_of=max((trace.as_of for trace in known), default=None),
    )
