"""Rehearse: what appending turns would come to, without storing anything."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.record import content_digest
from bethink.domain.scope import check_writable
from bethink.domain.source import SourceKind
from bethink.formation.desk import Desk
from bethink.operations.sessions import OpenSessionRequest, TurnInput, TurnsResult
from bethink.session.open import wanted_session
from bethink.session.turns import checked_turns


def rehearse_turns(
    request: OpenSessionRequest, inputs: Sequence[TurnInput], desk: Desk, seen: set[tuple[str, str]]
) -> TurnsResult:
    """What `open_session` and then `append_turns` would come to now.

    Args:
        request: the session; one that is closed or does not exist would be opened.
        inputs: what was said, in order.
        desk: who would append it.
        seen: (session, message id) of what earlier calls would have stored; those of this call are added.

    Raises:
        InvalidInput: a turn cannot be used, or the session's id.
        AccessDenied: the caller may not write the target.
    """
    session = wanted_session(request, desk)
    ready = checked_turns(session.id, inputs, desk, desk.clock.now())
    with desk.store.snapshot(desk.tenant) as snapshot:
        check_writable(desk.caller, session.scope, snapshot.grants.of(desk.caller))
        held = snapshot.turns.held(session.scope.key, session.id, [turn.message_id for turn in ready.turns])
        new = []
        for turn in ready.turns:
            barred = turn.source is SourceKind.IMPORT and snapshot.is_erased(content_digest(turn.text))
            if not barred and turn.message_id not in held and (session.id, turn.message_id) not in seen:
                seen.add((session.id, turn.message_id))
                new.append(turn.id)
    return TurnsResult(ids=tuple(new), repeated=len(ready.turns) - len(new), notices=ready.notices)
