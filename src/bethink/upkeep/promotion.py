"""Promotion as a pass of upkeep: what two projects know by now becomes their user's."""

from __future__ import annotations

from bethink.domain.fence import Fence
from bethink.domain.record import Status
from bethink.domain.scope import Scope, Sensitivity
from bethink.formation.desk import Desk
from bethink.formation.promote import Promotion, promote, promotions
from bethink.operations.upkeep import PassReport

MARK = "promotion"


def run_promotion(desk: Desk, limit: int) -> PassReport:
    """Promote what was written since the last pass, of at most `limit` records. Repeating it promotes nothing twice.

    Raises:
        StoreError, DeadlineExceeded: a write did not happen; promotions before stay.
    """
    with desk.store.snapshot(desk.tenant) as snapshot:
        after, until = snapshot.marks.get(MARK), snapshot.position
        fresh = snapshot.pairs.fresh(after, until, limit)
        now = max(desk.clock.now(), snapshot.latest or desk.clock.now())
        due: dict[tuple[str, tuple[str, ...]], Promotion] = {}
        for item in fresh:
            scope = Scope.parse(item.scope)
            fence = Fence(desk.tenant, (scope,), Sensitivity.SECRET, frozenset({Status.ACTIVE}), now)
            for record in snapshot.records.get(fence, (item.id,)):
                for one in promotions(snapshot, desk, record, now):
                    due[one.user, tuple(source.id for source in one.sources)] = one
    done = sum(promote(desk, one) for one in due.values())
    more = len(fresh) == limit
    reached = fresh[-1].key if more else until
    if reached > after:
        with desk.store.write(desk.tenant) as work:
            work.marks.put(MARK, reached)
    return PassReport(len(fresh), {"promoted": done}, more)
