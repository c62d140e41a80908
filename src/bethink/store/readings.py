"""How far the sessions of a tenant were read for beliefs."""

from __future__ import annotations

from datetime import datetime

from bethink.domain.reading import SessionReading
from bethink.domain.time import optional_instant, to_micros
from bethink.store import codec
from bethink.store.context import Reading, Writing


class Readings:
    """The `ReadingWrites` port."""

    def __init__(self, context: Reading | Writing, at: datetime | None = None) -> None:
        self._on = context.connection
        self._tenant = context.tenant
        self._at = at

    def get(self, scope_key: str, session_id: str) -> SessionReading | None:
        """How a session stands."""
        row = self._on.row("get_reading", tenant=self._tenant, scope=scope_key, id=session_id)
        if row is None:
            return None
        next_seq, upto, claim, until, outcome, problem, runs, summary = row
        return SessionReading(
            scope=codec.scope(scope_key),
            session=session_id,
            next_seq=next_seq,
            upto=upto,
            claim=claim,
            claimed_until=optional_instant(until),
            outcome=outcome,
            problem=problem,
            runs=runs,
            summary_id=summary,
        )

    def put(self, reading: SessionReading) -> None:
        """Insert or replace how a session stands."""
        self._on.post(
            "put_reading",
            tenant=self._tenant,
            scope=reading.scope.key,
            id=reading.session,
            next_seq=reading.next_seq,
            upto=reading.upto,
            claim=reading.claim,
            until=codec.optional_micros(reading.claimed_until),
            outcome=reading.outcome,
            problem=reading.problem,
            runs=reading.runs,
            summary=reading.summary_id,
            at=0 if self._at is None else to_micros(self._at),
        )
