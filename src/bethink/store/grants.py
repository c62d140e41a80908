"""Grants of a tenant."""

from __future__ import annotations

from bethink.domain.scope import Caller, Grant
from bethink.domain.time import from_micros, to_micros
from bethink.store import codec
from bethink.store.context import Reading, Writing
from bethink.store.database import Row


class Grants:
    """The `GrantWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def of(self, caller: Caller) -> tuple[Grant, ...]:
        """Grants naming the caller's user and agent."""
        who = caller.principal
        rows = self._on.rows("grants_of", tenant=self._tenant, user_id=who.user, agent_id=who.agent)
        return tuple(_grant(row) for row in rows)

    def all(self) -> tuple[Grant, ...]:
        """Every grant in force, by user, agent, scope."""
        return tuple(_grant(row) for row in self._on.rows("all_grants", tenant=self._tenant))

    def put(self, grant: Grant) -> None:
        """Insert or replace the grant of (user, agent, scope)."""
        self._on.post(
            "put_grant",
            tenant=self._tenant,
            user_id=grant.user,
            agent_id=grant.agent,
            scope=grant.scope.key,
            can_read=int(grant.read),
            can_write=int(grant.write),
            granted_at=to_micros(grant.granted_at),
        )

    def revoke(self, user: str, agent: str, scope_key: str) -> bool:
        """Take it back; whether it was in force."""
        return bool(self._on.run("revoke_grant", tenant=self._tenant, user_id=user, agent_id=agent, scope=scope_key))

    def decided(self, user: str, agent: str, scope_key: str) -> bool:
        """Whether this grant was ever given or taken back."""
        values = {"user_id": user, "agent_id": agent, "scope": scope_key}
        return self._on.row("grant_decided", tenant=self._tenant, **values) is not None


def _grant(row: Row) -> Grant:
    """A grant from its row."""
    user, agent, scope_key, read, write, granted_at = row
    return Grant(user, agent, codec.scope(scope_key), bool(read), bool(write), from_micros(granted_at))
