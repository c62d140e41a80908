"""Close a session: nothing more is appended until it is opened again."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.ids import check_id
from bethink.domain.scope import Scope
from bethink.domain.session import Session
from bethink.formation.access import writable_session
from bethink.formation.desk import Desk
from bethink.formation.reading import put_reading


def close_session(session_id: str, desk: Desk, *, scope: Scope | None = None) -> Session:
    """The closed session; closing twice changes nothing.

    Args:
        session_id: the session.
        desk: who closes it.
        scope: whose session of that id; the first the caller may use unless given.

    Raises:
        NotFound: there is no such session that this caller may use.
        AccessDenied: the caller may read it and not write it.
    """
    session_id = check_id(session_id, "session")
    with desk.store.write(desk.tenant) as work:
        session = writable_session(session_id, desk.caller, work, scope)
        if session.closed_at is not None:
            return session
        closed = replace(session, closed_at=max(session.opened_at, desk.clock.now()))
        work.sessions.put(closed)
        turns = work.sessions.next_seq(session.scope.key, session_id)
        read = work.readings.get(session.scope.key, session_id)
        if turns > (0 if read is None else read.next_seq):
            put_reading(session, desk, work, desk.clock.now())
        work.event("session.closed", session_id, {"turns": turns})
    return closed
