"""`hints`: what a user asked for again and again in vain, so that a session can be read for it once more."""

from __future__ import annotations

from bethink.domain.record import LIVE
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.operations.reject import HintCard, HintsResult
from bethink.text.door import check_whole

IN_VAIN = 3
"""How often a subject has to be asked for before it is a hint."""

MOST = 200


def hints(limit: int, desk: Desk) -> HintsResult:
    """The caller's user's hints.

    Raises:
        InvalidInput: a limit that lists nothing or too much.
    """
    check_whole(limit, "limit", 1, MOST)
    with desk.store.snapshot(desk.tenant) as snapshot:
        fence = reading_fence(desk.caller, snapshot.grants.of(desk.caller), LIVE)
        found = snapshot.rejections.hints(desk.caller.principal.user, IN_VAIN, limit)
        ids = [hint.entity for hint in found if hint.entity is not None]
        known = snapshot.entities.get([scope.key for scope in fence.scopes], ids)
    return HintsResult(
        tuple(
            HintCard(
                asked=hint.asked,
                first_at=hint.first_at,
                last_at=hint.last_at,
                name=known[hint.entity].name if hint.entity in known else None,
                entity=known[hint.entity].id if hint.entity in known else None,
            )
            for hint in found
        )
    )
