"""Close a session: nothing more is appended until it is opened again."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.ids import check_id
from bethink.domain.scope import Scope, check_writable, readable_scopes
from bethink.domain.session import Session
from bethink.errors import NotFound
from bethink.formation.desk import Desk
from bethink.ports.store import UnitOfWork


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
        session = writable_session(session_id, desk, work, scope)
        if session.closed_at is not None:
            return session
        closed = replace(session, closed_at=max(session.opened_at, desk.clock.now()))
        work.sessions.put(closed, work.recorded_at)
        work.event("session.closed", session_id, {"turns": work.sessions.next_seq(session.scope.key, session_id)})
    return closed


def writable_session(session_id: str, desk: Desk, work: UnitOfWork, scope: Scope | None = None) -> Session:
    """The session, when the caller may append to it; the one of `scope` where several have that id.

    Raises:
        NotFound: absent, or in a scope the caller does not read.
        AccessDenied: the caller may read it and not write it.
    """
    grants = work.grants.of(desk.caller)
    scopes = {scope.key for scope in readable_scopes(desk.caller, grants)}
    scopes |= {grant.scope.key for grant in grants if grant.write and not grant.scope.private}
    session = work.sessions.get(session_id, sorted(scopes if scope is None else scopes & {scope.key}))
    if session is None:
        msg = f"There is no session {session_id[:60]!r} that this caller may use."
        raise NotFound(msg)
    check_writable(desk.caller, session.scope, grants)
    return session
