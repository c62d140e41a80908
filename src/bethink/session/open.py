"""Open a session, or take up the one with that id."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.ids import check_id
from bethink.domain.scope import check_writable, resolve_target
from bethink.domain.session import Session, is_typed
from bethink.domain.time import utc
from bethink.errors import InvalidInput
from bethink.formation.desk import Desk
from bethink.operations.sessions import OpenSessionRequest
from bethink.ports.store import UnitOfWork


def open_session(request: OpenSessionRequest, desk: Desk) -> Session:
    """The open session; a closed one is open again afterwards. Opening twice changes nothing.

    It and its turns belong to the target's scope. The same id in another scope is another session, of which nothing
    can be learned here.

    Raises:
        InvalidInput: an unusable id, a time without a zone, or a target the caller is not bound to.
        AccessDenied: the caller may not write the target.
    """
    wanted = wanted_session(request, desk)
    scope = wanted.scope.key
    with desk.store.snapshot(desk.tenant) as snapshot:
        check_writable(desk.caller, wanted.scope, snapshot.grants.of(desk.caller))
        known = snapshot.sessions.get(wanted.id, (scope,))
    if known is not None and known.closed_at is None:
        return known
    with desk.store.write(desk.tenant) as work:
        return taken_up(wanted, desk, work)


def taken_up(wanted: Session, desk: Desk, work: UnitOfWork) -> Session:
    """The session of that id as it stands, opened now if it is not.

    Raises:
        AccessDenied: the caller may not write its scope.
    """
    check_writable(desk.caller, wanted.scope, work.grants.of(desk.caller))
    known = work.sessions.get(wanted.id, (wanted.scope.key,))
    if known is not None and known.closed_at is None:
        return known
    session = wanted if known is None else replace(known, closed_at=None)
    work.sessions.put(session)
    work.event("session.opened", session.id, {"scope": wanted.scope.key, "again": known is not None})
    return session


def wanted_session(request: OpenSessionRequest, desk: Desk) -> Session:
    """The session as it would be opened afresh."""
    caller = desk.caller
    opened_at = desk.clock.now() if request.opened_at is None else utc(request.opened_at, "opened_at")
    session_id = desk.ids.new(desk.clock.now()) if request.id is None else check_id(request.id, "session")
    if is_typed(session_id):
        raise InvalidInput("Session ids that begin with 'typed-' are kept for typed text.", remedy="Use another id.")
    return Session(
        id=session_id,
        scope=resolve_target(caller, request.target),
        user=caller.principal.user,
        agent=caller.principal.agent,
        project=caller.project,
        channel=caller.channel,
        opened_at=opened_at,
    )
