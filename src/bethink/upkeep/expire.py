"""Write down what time has ended. Reads ignore such records already; this makes their status say so."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.record import Status
from bethink.formation.desk import Desk
from bethink.formation.outdate import outdate
from bethink.formation.revision import ENDED

BATCH = 500
"""Records per transaction, so that no writer waits long."""


def expire(desk: Desk) -> int:
    """Mark what lapsed in the tenant: superseded where a successor took over, else expired. How many changed.

    Records, and the typed turns that end with them.

    Repeating it, or running it in several processes at once, changes nothing twice.

    Raises:
        StoreError: the store cannot be written; batches before stay.
    """
    changed = 0
    while True:
        with desk.store.write(desk.tenant) as work:
            now = min(desk.clock.now(), work.recorded_at)
            lapsed = work.records.lapsed(now, BATCH)
            for item, span in lapsed:
                status = Status.EXPIRED if span.successor is None else Status.SUPERSEDED
                reason = span.reason if span.reason == ENDED else "lapsed"
                ended = replace(span, status=status, recorded_from=work.recorded_at, reason=reason)
                work.records.set_status(item, ended)
                work.event("memory.lapsed", item, {"status": status.value})
            outdate(work, [item for item, _ in lapsed])
        changed += len(lapsed)
        if len(lapsed) < BATCH:
            return changed
