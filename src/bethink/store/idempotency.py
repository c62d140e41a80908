"""Answers kept for repeated requests."""

from __future__ import annotations

from datetime import datetime

from bethink.domain.time import to_micros
from bethink.store.context import Writing


class Idempotency:
    """The `IdempotencyWrites` port of one write, at its recorded time."""

    def __init__(self, context: Writing, at: datetime) -> None:
        self._on = context.connection
        self._tenant = context.tenant
        self._at = at

    def get(self, principal: str, key: str) -> tuple[str, str] | None:
        """(request hash, stored answer) of an earlier call."""
        row = self._on.row("get_answer", tenant=self._tenant, principal=principal, idempotency_key=key)
        return None if row is None else (row[0], row[1])

    def replace(self, principal: str, key: str, request_hash: str, answer: str) -> None:
        """Keep an answer, in place of an earlier one with this key."""
        self._on.post(
            "replace_answer",
            tenant=self._tenant,
            principal=principal,
            idempotency_key=key,
            request_hash=request_hash,
            answer=answer,
            at=to_micros(self._at),
        )

    def put(self, principal: str, key: str, request_hash: str, answer: str, record_id: str | None) -> None:
        """Keep an answer; `record_id` lets an erase find it."""
        self._on.post(
            "put_answer",
            tenant=self._tenant,
            principal=principal,
            idempotency_key=key,
            request_hash=request_hash,
            answer=answer,
            record_id=record_id,
            at=to_micros(self._at),
        )
