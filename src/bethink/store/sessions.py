"""Sessions of a tenant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bethink.domain.session import Session
from bethink.store import codec
from bethink.store.context import Reading, Writing
from bethink.store.predicate import array


class Sessions:
    """The `SessionWrites` port; on a snapshot only its reads can succeed."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def get(self, session_id: str, scope_keys: Sequence[str]) -> Session | None:
        """The session of that id in one of the scopes; in the first by key where several have one."""
        row = self._on.row("get_session", tenant=self._tenant, id=session_id, scopes=array(scope_keys))
        return None if row is None else codec.session(row)

    def put(self, session: Session, at: datetime) -> None:  # noqa: ARG002 - sessions keep the host's times; the port names ours
        """Insert, or set `closed_at` of an existing one."""
        self._on.post("put_session", tenant=self._tenant, **codec.session_values(session))

    def next_seq(self, scope_key: str, session_id: str) -> int:
        """The seq of the next turn, from 0."""
        row = self._on.row("next_seq", tenant=self._tenant, scope=scope_key, id=session_id)
        return row[0] if row else 0
