"""Rejections and hints of a tenant, under keyed hashes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from bethink.domain.rejection import Reason, Rejection
from bethink.domain.scope import Scope
from bethink.domain.time import from_micros, to_micros
from bethink.ports.rejections import AskedInVain, Hint
from bethink.store import codec
from bethink.store.context import Reading, Writing
from bethink.store.database import Row
from bethink.store.predicate import array
from bethink.store.tombstones import hashed, store_secret


class Rejections:
    """The `RejectionWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant
        self._secret: bytes | None = None

    def add(self, rejection: Rejection, statements: Sequence[str]) -> None:
        """Keep a rejection under what it rejects."""
        for statement in statements:
            self._on.post(
                "add_rejection",
                tenant=self._tenant,
                scope=rejection.scope.key,
                statement=self._hash(statement),
                id=rejection.id,
                reason=rejection.reason,
                project=rejection.project or "",
                rank=rejection.rank,
                record_id=rejection.record,
                trace_id=rejection.trace,
                said_at=to_micros(rejection.said_at),
            )

    def matching(self, scope: Scope, statements: Sequence[str]) -> tuple[Rejection, ...]:
        """The rejections of any of these statements in a scope, the latest first."""
        hashes = array(self._hash(statement) for statement in statements)
        rows = self._on.rows("matching_rejections", tenant=self._tenant, scope=scope.key, statements=hashes)
        return tuple(_rejection(row) for row in rows)

    def of(self, record_ids: Sequence[str]) -> tuple[Rejection, ...]:
        """The rejections of records, the latest first."""
        return tuple(map(_rejection, self._on.rows("rejections_of", tenant=self._tenant, ids=array(record_ids))))

    def lift(self, rejection_id: str) -> None:
        """It counts no more: what it rejected was said anew by who may."""
        self._on.post("lift_rejection", tenant=self._tenant, id=rejection_id)

    def note_hint(self, asked: AskedInVain, times: int, at: datetime) -> None:
        """A subject was asked for in vain, so often more."""
        self._on.post(
            "note_hint",
            tenant=self._tenant,
            user_id=asked.user,
            subject=self._hash(asked.subject),
            entity_id=asked.entity,
            asked=times,
            at=to_micros(at),
        )

    def hints(self, user: str, least: int, limit: int) -> tuple[Hint, ...]:
        """A user's subjects asked for in vain at least so often, the most often first."""
        rows = self._on.rows("list_hints", tenant=self._tenant, user_id=user, least=least, limit=limit)
        return tuple(
            Hint(owner, subject, entity, asked, from_micros(first), from_micros(last))
            for owner, subject, entity, asked, first, last in rows
        )

    def answered(self, user: str, subject: str) -> None:
        """Something is known of the subject with this folded name now: no hint is needed."""
        self._on.post("drop_hint", tenant=self._tenant, user_id=user, subject=self._hash(subject))

    def _hash(self, text: str) -> str:
        """A keyed hash, of this tenant alone."""
        if self._secret is None:
            self._secret = store_secret(self._on)
        return hashed(self._secret, f"{self._tenant}\n{text}")


def _rejection(row: Row) -> Rejection:
    """A rejection from its row."""
    item, scope, reason, project, rank, record, trace, said_at = row
    return Rejection(
        id=item,
        scope=codec.scope(scope),
        reason=cast("Reason", reason),
        rank=rank,
        said_at=from_micros(said_at),
        project=project or None,
        record=record,
        trace=trace,
    )
