"""Access: which scope a write goes to, whether it may, and what it may look at while deciding."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.fence import Fence
from bethink.domain.record import Status
from bethink.domain.scope import Caller, Grant, Scope, Target, check_writable, readable_scopes, resolve_target
from bethink.domain.session import Session
from bethink.domain.time import EPOCH
from bethink.errors import NotFound
from bethink.ports.store import Snapshot, UnitOfWork


def writable_scope(caller: Caller, target: Target, grants: Sequence[Grant]) -> Scope:
    """The scope a target names, when the caller may write it.

    Raises:
        InvalidInput: the target names nothing for this caller.
        AccessDenied: no grant allows it.
    """
    scope = resolve_target(caller, target)
    check_writable(caller, scope, grants)
    return scope


def writable_session(
    session_id: str, caller: Caller, work: Snapshot | UnitOfWork, scope: Scope | None = None
) -> Session:
    """The session, when the caller may append to it; the one of `scope` where several have that id.

    Raises:
        NotFound: absent, or in a scope the caller does not read.
        AccessDenied: the caller may read it and not write it.
    """
    grants = work.grants.of(caller)
    scopes = {scope.key for scope in readable_scopes(caller, grants)}
    scopes |= {grant.scope.key for grant in grants if grant.write and not grant.scope.private}
    session = work.sessions.get(session_id, sorted(scopes if scope is None else scopes & {scope.key}))
    if session is None:
        msg = f"There is no session {session_id[:60]!r} that this caller may use."
        raise NotFound(msg)
    check_writable(caller, session.scope, grants)
    return session


def reading_fence(caller: Caller, grants: Sequence[Grant], statuses: frozenset[Status]) -> Fence:
    """All the caller may read with these statuses, whenever it holds: for evidence, and for records by id."""
    return _fence(caller, readable_scopes(caller, grants), statuses)


def deciding_fence(caller: Caller, scope: Scope, grants: Sequence[Grant]) -> Fence:
    """What a write into `scope` is decided against: the records there that its caller may read.

    What the caller cannot see it can neither reinforce nor replace, nor learn of from the outcome. Local records of
    other projects are out of reach here too: each project keeps its own.
    """
    scopes = tuple(item for item in readable_scopes(caller, grants) if item == scope)
    known = frozenset({Status.PROVISIONAL, Status.ACTIVE, Status.SUPERSEDED})
    return _fence(caller, scopes, known)


def _fence(caller: Caller, scopes: tuple[Scope, ...], statuses: frozenset[Status]) -> Fence:
    """A fence over all of valid time, so that its instant says nothing."""
    return Fence(
        tenant=caller.principal.tenant,
        scopes=scopes,
        ceiling=caller.ceiling,
        statuses=statuses,
        instant=EPOCH,
        timeless=True,
        channel=caller.channel,
        project=caller.project,
    )
