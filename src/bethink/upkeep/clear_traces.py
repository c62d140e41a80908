"""Clear traces of what is erased: the step before and after the truth is changed, wherever something is erased."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.errors import DeadlineExceeded, StoreError
from bethink.ports.traces import Lost, TraceStore


def clear_traces(traces: TraceStore, tenant: str, ids: Sequence[str], lost: Lost, seconds: float) -> tuple[int, str]:
    """Empty the traces that name one of the ids, or ask with words that are lost with them.

    How many were emptied, and the code of what kept the others from it; it is empty where none is left.
    """
    try:
        return traces.erase(tenant, ids, lost=lost, deadline=seconds), ""
    except (StoreError, DeadlineExceeded) as error:
        return 0, error.code
