"""A tenant's grants, changed by whoever keeps the store: no caller of a memory gives or takes any."""

from __future__ import annotations

from bethink.domain.scope import Grant, Principal, Scope, ScopeKind
from bethink.errors import InvalidInput
from bethink.ports.clock import Clock
from bethink.ports.store import Store


def put_grant(store: Store, tenant: str, grant: Grant) -> Grant:
    """Give a grant, in the place of the one of its user, agent and scope.

    Raises:
        InvalidInput: a private agent scope, which no grant opens.
    """
    if grant.scope.private:
        msg = f"{grant.scope.key} is private to its agent and user; no grant opens it."
        raise InvalidInput(msg, remedy="Grant a user, project, task, org or plain agent scope.")
    with store.write(tenant) as work:
        work.grants.put(grant)
        work.event("grant.added", grant.scope.key, {"agent": grant.agent, "user": grant.user, "write": grant.write})
    return grant


def revoke_grant(store: Store, who: Principal, scope: Scope) -> bool:
    """Take a grant back; whether there was one."""
    with store.write(who.tenant) as work:
        gone = work.grants.revoke(who.user, who.agent, scope.key)
        if gone:
            work.event("grant.revoked", scope.key, {"agent": who.agent, "user": who.user})
    return gone


def vouch(store: Store, clock: Clock, who: Principal) -> None:
    """Grant an agent its user's scope where nobody has decided about it yet."""
    scope = Scope(ScopeKind.USER, who.user)
    with store.snapshot(who.tenant) as snapshot:
        if snapshot.grants.decided(who.user, who.agent, scope.key):
            return
    put_grant(store, who.tenant, Grant(who.user, who.agent, scope, read=True, write=True, granted_at=clock.now()))
