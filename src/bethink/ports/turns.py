"""What the core asks of the sessions of a store and of their turns. Every read of memory takes a `Fence`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bethink.domain.fence import Fence
from bethink.domain.session import Session, Turn


class TurnReads(Protocol):
    """Reading turns."""

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Turn, ...]:
        """The turns with these ids inside the fence, in the order of `ids`."""
        ...

    def of_session(
        self, fence: Fence, session: str, *, limit: int, after: int = -1, holding: str = ""
    ) -> tuple[Turn, ...]:
        """Turns of a session by seq, those after seq `after`.

        With `holding`, plain ASCII turns without exactly these characters are left out; it narrows a search for a
        quote, and what it lets through still has to be looked at.
        """
        ...

    def between(self, fence: Fence, *, limit: int) -> tuple[Turn, ...]:
        """Turns inside the fence's window, by time then key."""
        ...

    def held(self, scope_key: str, session: str, message_ids: Sequence[str]) -> frozenset[str]:
        """Those of the message ids that a scope's session holds, for whoever may append to it."""
        ...


class TurnWrites(TurnReads, Protocol):
    """Appending turns."""

    def append(
        self, session: Session, turns: Sequence[Turn], at: datetime, *, holds_from: datetime | None = None
    ) -> tuple[Turn, ...]:
        """Store the turns whose message id the session does not hold yet; returns those stored, with keys.

        A turn holds from when it was said, or from the later instant that is told of what it says.
        """
        ...


class SessionReads(Protocol):
    """Reading sessions of a tenant, each of one scope: the same id in two scopes is two sessions."""

    def get(self, session_id: str, scope_keys: Sequence[str]) -> Session | None:
        """The session of that id in one of the scopes; in the first by key where several have one."""
        ...

    def next_seq(self, scope_key: str, session_id: str) -> int:
        """The seq of the next turn, from 0."""
        ...


class SessionWrites(SessionReads, Protocol):
    """Writing them."""

    def put(self, session: Session) -> None:
        """Insert, or set `closed_at` of an existing one."""
        ...
