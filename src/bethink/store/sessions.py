"""Sessions of a tenant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bethink.domain.session import Session
from bethink.domain.time import from_micros, optional_instant, to_micros
from bethink.store import codec
from bethink.store.context import Reading, Writing
from bethink.store.database import Row
from bethink.store.predicate import array


class Sessions:
    """The `SessionWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def get(self, session_id: str, scope_keys: Sequence[str]) -> Session | None:
        """The session of that id in one of the scopes; in the first by key where several have one."""
        row = self._on.row("get_session", tenant=self._tenant, id=session_id, scopes=array(scope_keys))
        return None if row is None else read_session(row)

    def put(self, session: Session) -> None:
        """Insert, or set `closed_at` of an existing one."""
        self._on.post("put_session", tenant=self._tenant, **session_values(session))

    def next_seq(self, scope_key: str, session_id: str) -> int:
        """The seq of the next turn, from 0."""
        row = self._on.row("next_seq", tenant=self._tenant, scope=scope_key, id=session_id)
        return row[0] if row else 0


def read_session(row: Row) -> Session:
    """A session from a row of ``get_session``."""
    session_id, scope_key, user, agent, project, channel, opened_at, closed_at = row
    return Session(
        session_id,
        codec.scope(scope_key),
        user,
        agent,
        project,
        channel,
        from_micros(opened_at),
        optional_instant(closed_at),
    )


def session_values(value: Session) -> dict[str, Any]:
    """The columns of ``session``."""
    return {
        "id": value.id,
        "scope": value.scope.key,
        "user_id": value.user,
        "agent_id": value.agent,
        "project": value.project,
        "channel": value.channel,
        "opened_at": to_micros(value.opened_at),
        "closed_at": codec.optional_micros(value.closed_at),
    }
