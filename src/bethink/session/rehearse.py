"""Rehearse: what appending turns would come to, without storing anything."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.record import content_digest
from bethink.domain.scope import check_writable
from bethink.domain.source import SourceKind
from bethink.formation.desk import Desk
from bethink.operations.sessions import OpenSessionRequest, SessionTurns, TurnsResult
from bethink.session.open import wanted_session
from bethink.session.turns import checked_turns


def rehearse_sessions(batch: Sequence[SessionTurns], desk: Desk, seen: set[tuple[str, str]]) -> TurnsResult:
    """What `append_sessions` would come to now.

    Args:
        batch: the sessions, of which one that is closed or does not exist would be opened, and what was said.
        desk: who would append it.
        seen: (session, message id) of what earlier calls would have stored; those of this call are added.

    Raises:
        InvalidInput: a turn cannot be used, or a session's id.
        AccessDenied: the caller may not write its own scope.
    """
    told = [_rehearsed(said, desk, seen) for said in batch]
    return TurnsResult(
        ids=tuple(id_ for one in told for id_ in one.ids),
        repeated=sum(one.repeated for one in told),
        notices=tuple(dict.fromkeys(notice for one in told for notice in one.notices)),
    )


def _rehearsed(said: SessionTurns, desk: Desk, seen: set[tuple[str, str]]) -> TurnsResult:
    """What one session's turns would come to."""
    session = wanted_session(OpenSessionRequest(said.session, opened_at=said.opened_at), desk)
    ready = checked_turns(session.id, said.turns, desk, desk.clock.now())
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
