"""Rehearse: what appending turns would come to, without storing anything."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.record import content_digest
from bethink.domain.scope import check_writable
from bethink.domain.session import Turn
from bethink.domain.source import SourceKind
from bethink.formation.desk import Desk
from bethink.formation.embed import foretold
from bethink.operations.sessions import OpenSessionRequest, SessionTurns, TurnsResult
from bethink.session.open import wanted_session
from bethink.session.turns import CheckedTurns, checked_turns, said_at_once


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
    turns = [turn for ready, _ in told for turn in ready.turns]
    new = {turn.id: turn for _, fresh in told for turn in fresh}
    phrases = [one for turn, one in zip(turns, said_at_once(turns), strict=False) if turn.id in new]
    return TurnsResult(
        ids=tuple(new),
        repeated=len(turns) - len(new),
        notices=(*dict.fromkeys(notice for ready, _ in told for notice in ready.notices), *foretold(desk, phrases)),
    )


def _rehearsed(said: SessionTurns, desk: Desk, seen: set[tuple[str, str]]) -> tuple[CheckedTurns, list[Turn]]:
    """One session's turns, and those that would be stored."""
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
                new.append(turn)
    return ready, new
