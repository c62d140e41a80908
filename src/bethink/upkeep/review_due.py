"""Flag what asked to be looked at again by now. Nothing is concluded and nothing rewritten: a plan may have failed."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.time import iso
from bethink.formation.desk import Desk

BATCH = 500
"""Records per transaction, so that no writer waits long."""


def flag_due(desk: Desk) -> int:
    """Flag the tenant's live records whose review date has come, each once, with an event; how many.

    What is flagged is found and flagged in one transaction, so workers at once do it once. A record whose review date
    is moved later is flagged again when that comes.

    Raises:
        StoreError: the store cannot be written; batches before stay.
    """
    flagged = 0
    while True:
        with desk.store.write(desk.tenant) as work:
            due = work.records.due_for_review(min(desk.clock.now(), work.recorded_at), BATCH)
            for item, review_at, usage in due:
                work.records.set_usage(item, replace(usage, review_flagged_at=work.recorded_at))
                work.event("record.review_due", item, {"review_at": iso(review_at)})
        flagged += len(due)
        if len(due) < BATCH:
            return flagged
