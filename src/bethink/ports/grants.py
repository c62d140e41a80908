"""What the core asks of the grants of a store. Every read of memory takes a `Fence`."""

from __future__ import annotations

from typing import Protocol

from bethink.domain.scope import Caller, Grant


class GrantReads(Protocol):
    """Reading the grants of a tenant."""

    def of(self, caller: Caller) -> tuple[Grant, ...]:
        """Grants naming the caller's user and agent."""
        ...

    def all(self) -> tuple[Grant, ...]:
        """Every grant in force, by user, agent, scope."""
        ...

    def decided(self, user: str, agent: str, scope_key: str) -> bool:
        """Whether this grant was ever given or taken back."""
        ...


class GrantWrites(GrantReads, Protocol):
    """Giving them and taking them back."""

    def put(self, grant: Grant) -> None:
        """Insert or replace the grant of (user, agent, scope)."""
        ...

    def revoke(self, user: str, agent: str, scope_key: str) -> bool:
        """Take it back, for good unless it is given anew; whether it was in force."""
        ...
