"""Synthesis as a pass of upkeep: profiles of what was spoken of since the last pass, and of what lost its profile."""

from __future__ import annotations

from bethink.formation.desk import Desk
from bethink.formation.synthesize import ENOUGH, synthesize
from bethink.operations.upkeep import PassReport

MARK = "synthesis"


def run_synthesis(desk: Desk, limit: int) -> PassReport:
    """Make the profiles that are due, of at most `limit` entities.

    Repeating it changes nothing; interrupted, it goes on where it stopped. Run it again while the report says `more`.

    Args:
        desk: where; its caller says only which tenant.
        limit: the most entities looked at.

    Raises:
        StoreError, DeadlineExceeded: the store cannot be written; profiles made before stay.
    """
    with desk.store.snapshot(desk.tenant) as snapshot:
        after, until = snapshot.marks.get(MARK), snapshot.position
        spoken_of = snapshot.entities.mentioned(after, until, limit)
        bereft = snapshot.entities.unprofiled(limit)
    done = {"created": 0, "renewed": 0}
    due = list(dict.fromkeys((*(entity for entity, _ in spoken_of), *bereft)))
    for entity in due:
        made, _ = synthesize(desk, entity, least=ENOUGH)
        if made in done:
            done[made] += 1
    more = limit in {len(spoken_of), len(bereft)}
    reached = spoken_of[-1][1] if len(spoken_of) == limit else until
    if reached > after or bereft:
        with desk.store.write(desk.tenant) as work:
            work.marks.put(MARK, reached)
            for entity in bereft:
                work.entities.drop_ended(entity)
    return PassReport(len(due), done, more)
