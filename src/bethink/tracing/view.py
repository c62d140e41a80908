"""View: what of a trace its user may see. A projection at reading time, never a second copy.

Only what was placed in the context is claimed; the rest is a number. The stricter of two ceilings holds: the one the
recall had and the one the viewer has now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from bethink.domain.scope import Sensitivity
from bethink.domain.trace import Moment, Trace, TracedBelief


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
